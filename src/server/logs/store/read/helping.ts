import { availableParallelism } from 'node:os';
import { errorMessage } from '../../../../lib/errors.ts';
import type { CallThread, Thread } from '../../../offload/thread.ts';
import type { LogRun } from '../port.ts';
import type { ReaderMethods } from './reader-thread.ts';
import { failBlocks, haveFailed, leaveBlocks, type SharedBlocks } from './shared-blocks.ts';

type Reader = Thread<ReaderMethods>;

/** What the other thread found cannot be had: the query is to run alone. */
export class HelpLost extends Error {}

/** What the other thread finds of one query. */
export interface Help {
  /** The query has blocks for the other thread. */
  offer(blocks: SharedBlocks): void;
  /** Pages that it found, beside those of the query itself; null: it finds none. Throws `HelpLost`. */
  pages(): AsyncGenerator<Uint8Array> | null;
  close(): void;
}

/** A thread that has to be started first is not, for a query that is over by then. */
const START_AFTER_MS = 40;

/**
 * A thread that has nothing to do reads some of the blocks of another one's query. It takes no more of them once it has
 * a query of its own: that waits for one block at most.
 */
export function createHelping(isIdle: (thread: Reader) => boolean, nextId: () => number) {
  const helping = new Map<Reader, SharedBlocks>();

  function expectHelp(thread: Reader, run: LogRun): Help {
    let timer: NodeJS.Timeout | undefined;
    let help: { call: CallThread<ReaderMethods>; id: number; first: Promise<Uint8Array | null>; end(): void } | null =
      null;
    let shared: SharedBlocks | null = null;

    function start(blocks: SharedBlocks): void {
      if (!isIdle(thread) || helping.has(thread)) return;
      const { call, release } = thread.session();
      const id = nextId();
      helping.set(thread, blocks);
      shared = blocks;
      const first = call('help', id, run, blocks);
      // Also where the thread itself has ended: whoever has the query would wait for it.
      first.catch(() => failBlocks(blocks));
      help = {
        call,
        id,
        first,
        end() {
          leaveBlocks(blocks);
          call('close', id).catch(() => {});
          release();
          helping.delete(thread);
        },
      };
    }
    return {
      offer(blocks) {
        if (availableParallelism() < 2 || !isIdle(thread)) return;
        if (thread.running) start(blocks);
        else timer = setTimeout(start, START_AFTER_MS, blocks).unref();
      },
      pages() {
        clearTimeout(timer);
        if (help === null || shared === null) return null;
        return pagesOf(help, shared);
      },
      close() {
        clearTimeout(timer);
        help?.end();
        help = null;
      },
    };
  }

  return {
    expectHelp,
    /** The thread has a query of its own. */
    leave(thread: Reader): void {
      const blocks = helping.get(thread);
      if (blocks) leaveBlocks(blocks);
    },
  };
}

async function* pagesOf(
  { call, id, first }: { call: CallThread<ReaderMethods>; id: number; first: Promise<Uint8Array | null> },
  shared: SharedBlocks,
): AsyncGenerator<Uint8Array> {
  try {
    for (let page = await first; page !== null && !haveFailed(shared); page = await call('next', id)) yield page;
  } catch (error) {
    throw new HelpLost(errorMessage(error), { cause: error });
  }
}

/** What several give, as it comes. Each is asked for the next one ahead. */
export async function* eitherOf<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  function next(source: AsyncGenerator<T>): Promise<{ source: AsyncGenerator<T>; result: IteratorResult<T> }> {
    const found = source.next().then((result) => ({ source, result }));
    // While the caller is busy with what it got, nobody waits for it. The next race hears of it all the same.
    found.catch(() => {});
    return found;
  }
  const waiting = new Map(sources.map((source) => [source, next(source)]));
  try {
    while (waiting.size > 0) {
      const { source, result } = await Promise.race(waiting.values());
      if (result.done) {
        waiting.delete(source);
        continue;
      }
      waiting.set(source, next(source));
      yield result.value;
    }
  } finally {
    // Nobody waits for what they still find.
    for (const source of waiting.keys()) source.return(undefined).catch(() => {});
  }
}
