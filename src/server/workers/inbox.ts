import type { WorkerFrame } from '../../contract/worker-protocol.ts';
import type { Heavy } from '../heavy/port.ts';
import { frameFromTexts, parseFrame } from './frames.ts';

/** Bytes from which a frame is parsed in the thread. */
const HEAVY_BYTES = 256 * 1024;

/**
 * Frames of one socket in the order in which they came. Small ones are taken at once; a large one is parsed in the
 * thread, and those behind it wait.
 */
export function createInbox({ take, refused, heavy }: { take(frame: WorkerFrame): void; refused(error: unknown): void; heavy: Pick<Heavy, 'call'> | null }) {
  let behind: Promise<void> | null = null;

  function now(read: () => WorkerFrame) {
    try {
      take(read());
    } catch (error) {
      refused(error);
    }
  }

  async function large(data: Buffer) {
    const copy = Uint8Array.from(data);
    // What the thread does not take is parsed here: a report must not be lost because the thread is busy.
    const made = await heavy?.call('frame', { data: copy }).catch(() => null);
    now(() => (made ? frameFromTexts(made) : parseFrame(data.toString())));
  }

  function queue(step: () => void | Promise<void>) {
    const mine = (behind ?? Promise.resolve()).then(step);
    behind = mine;
    void mine.then(() => {
      if (behind === mine) behind = null;
    });
  }

  return {
    data(data: Buffer) {
      if (heavy !== null && data.length >= HEAVY_BYTES) queue(() => large(data));
      else if (behind === null) now(() => parseFrame(data.toString()));
      else queue(() => now(() => parseFrame(data.toString())));
    },
    /** After the frames that came before. */
    after(step: () => void) {
      if (behind === null) step();
      else queue(step);
    },
  };
}
