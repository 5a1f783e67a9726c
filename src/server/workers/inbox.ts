import { setImmediate as othersTurn, setTimeout as pause } from 'node:timers/promises';
import { toTransferable } from '../../lib/packed-inputs.ts';
import type { FrameText, Offload } from '../offload/port.ts';
import type { TakenFrame } from '../state-machines/report.ts';
import { InvalidFrame, framesFromParts, parseFrame } from './frames.ts';

/** Bytes from which a frame is parsed in the thread. */
const LARGE_FRAME_BYTES = 128 * 1024;
/** How long a frame waits that the thread has no room for. */
const WAIT_MS = 50;

export interface InboxDeps {
  /** Takes a frame, or a part of its list; a promise where that needs several turns of the event loop. */
  take(frame: TakenFrame): Promise<void> | undefined;
  refused(error: unknown): void;
  readonly offload: Pick<Offload, 'call'> | null;
  /** Items that the list of one frame may have. */
  readonly items: number;
  /** While a frame is taken that needs long, no more is read: what its sender is told to have been received, was taken. */
  hold(on: boolean): void;
}

/**
 * Frames of one socket in the order in which they came. Small ones are taken at once; a large one is parsed in the
 * thread and taken part by part, and those behind it wait: whatever a worker sends, it holds up no other.
 */
export function createInbox({ take, refused, offload, items, hold }: InboxDeps) {
  let behind: Promise<void> | null = null;

  async function held(step: () => Promise<void>) {
    hold(true);
    try {
      await step();
    } catch (error) {
      refused(error);
    } finally {
      hold(false);
    }
  }

  function small(data: Buffer): Promise<void> | undefined {
    try {
      const going = take(parseFrame(data.toString(), items));
      return going && held(() => going);
    } catch (error) {
      refused(error);
      return undefined;
    }
  }

  async function large(data: Buffer, thread: Pick<Offload, 'call'>) {
    for (const frame of framesFromParts(await readInThread(thread, toTransferable(data), items))) {
      if (frame) await take(frame);
      await othersTurn();
    }
  }

  function queue(step: () => void | Promise<void> | undefined) {
    const mine = (behind ?? Promise.resolve()).then(step);
    behind = mine;
    void mine.then(() => {
      if (behind === mine) behind = null;
    });
  }

  return {
    data(data: Buffer) {
      if (offload !== null && data.length >= LARGE_FRAME_BYTES) queue(() => held(() => large(data, offload)));
      else if (behind === null) {
        const going = small(data);
        if (going) queue(() => going);
      } else queue(() => small(data));
    },
    /** After the frames that came before. */
    after(step: () => void) {
      if (behind === null) step();
      else queue(step);
    },
  };
}

/** The bytes go to the thread, which nothing is copied for. One that has no room for them is asked again: a report must not be lost because the thread is busy. */
async function readInThread(offload: Pick<Offload, 'call'>, data: Uint8Array, items: number): Promise<FrameText> {
  for (;;) {
    try {
      return await offload.call('frame', { data, items }, [data]);
    } catch {
      // Whoever sent it sends it again, as it was not received; its reading may be what ended the thread.
      if (data.buffer.byteLength === 0) throw new InvalidFrame('the frame parser thread ended; send the frame again');
      await pause(WAIT_MS);
    }
  }
}
