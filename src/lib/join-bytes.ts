import { setImmediate as turn } from 'node:timers/promises';
import { releaseBytes } from './own-buffer.ts';

/** Bytes that are copied in one go: about a millisecond, most of it for the system to find the memory. */
const SLICE = 2 * 1024 * 1024;

/**
 * Pieces as one, in memory of its own, which can be handed to a thread. The event loop has its turns meanwhile. The list is empty in the
 * end, and the memory of the pieces is given back.
 */
export async function joinBytes(pieces: Uint8Array[], length: number): Promise<Buffer<ArrayBuffer>> {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  let since = 0;
  for (const [i, piece] of pieces.entries()) {
    whole.set(piece, at);
    at += piece.length;
    since += piece.length;
    // What was copied need not wait for the rest.
    pieces[i] = NOTHING;
    releaseBytes(piece);
    if (since < SLICE) continue;
    since = 0;
    await turn();
  }
  pieces.length = 0;
  return whole;
}

const NOTHING = new Uint8Array(0);
