import { setTimeout as pause } from 'node:timers/promises';
import { toTransferable } from '../../lib/packed-inputs.ts';
import type { FrameText, Offload } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { InvalidFrame, frameFromTexts, parseFrame } from './frames.ts';

/** Bytes from which a frame is parsed in the thread. */
const LARGE_FRAME_BYTES = 128 * 1024;
/** How long a frame waits that the thread has no room for. */
const WAIT_MS = 50;

export interface InboxDeps {
  take(frame: TakenFrame): void;
  refused(error: unknown): void;
  readonly offload: Pick<Offload, 'call'> | null;
  /** While a large frame is parsed no more is read: what its sender is told to have been received, was taken. */
  hold(on: boolean): void;
}

/**
 * Frames of one socket in the order in which they came. Small ones are taken at once; a large one is parsed in the
 * thread, and those behind it wait.
 */
export function createInbox({ take, refused, offload, hold }: InboxDeps) {
  let behind: Promise<void> | null = null;

  function now(read: () => TakenFrame) {
    try {
      take(read());
    } catch (error) {
      refused(error);
    }
  }

  async function large(data: Buffer, thread: Pick<Offload, 'call'>) {
    hold(true);
    try {
      const made = await readInThread(thread, toTransferable(data));
      now(() => frameFromTexts(made));
    } catch (error) {
      refused(error);
    } finally {
      hold(false);
    }
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
      if (offload !== null && data.length >= LARGE_FRAME_BYTES) queue(() => large(data, offload));
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

/** The bytes go to the thread, which nothing is copied for. One that has no room for them is asked again: a report must not be lost because the thread is busy. */
async function readInThread(offload: Pick<Offload, 'call'>, data: Uint8Array): Promise<FrameText> {
  for (;;) {
    try {
      return await offload.call('frame', { data }, [data]);
    } catch {
      // Whoever sent it sends it again, as it was not received; its reading may be what ended the thread.
      if (data.buffer.byteLength === 0) throw new InvalidFrame('the frame parser thread ended; send the frame again');
      await pause(WAIT_MS);
    }
  }
}
