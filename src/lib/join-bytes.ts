import { setImmediate as turn } from 'node:timers/promises';
import { releaseBytes } from './own-buffer.ts';

/** Bytes that are copied in one go: about a millisecond, most of it for the system to find the memory. */
const SLICE = 2 * 1024 * 1024;

/** Copies pieces into `whole`, one after another. The event loop has its turns meanwhile. The list is empty in the end, and the memory of the pieces is given back. */
export async function joinBytes<B extends Uint8Array>(pieces: Uint8Array[], whole: B): Promise<B> {
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
