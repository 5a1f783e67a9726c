import { availableParallelism } from 'node:os';
import { errorMessage } from '../../../../lib/errors.ts';
import type { Session, Thread } from '../../../offload/thread.ts';
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
  /** Pages that it found, beside those of the query itself; null: none. Throws `HelpLost`, mostly before it gives anything. */
  pages(): Promise<AsyncGenerator<Uint8Array> | null>;
  close(): void;
}

/** The other thread at work on a query. */
interface Helper {
  readonly blocks: SharedBlocks;
  readonly first: Promise<Uint8Array | null>;
  next(): Promise<Uint8Array | null>;
  end(): void;
}

/**
 * A thread that has nothing to do reads some of the blocks of another one's query. It takes no more of them once it has
 * a query of its own: that waits for one block at most.
 */
export function createHelping(isIdle: (thread: Reader) => boolean, nextId: () => number) {
  const helping = new Map<Reader, SharedBlocks>();

  function expectHelp(thread: Reader, run: LogRun): Help {
    let help: Helper | null = null;
    let isMissed = false;

    function start(blocks: SharedBlocks): void {
      if (!isIdle(thread) || helping.has(thread)) return;
      let session: Session<ReaderMethods>;
      try {
        session = thread.session();
      } catch {
        return; // The store is closing.
      }
      const { call, release } = session;
      const id = nextId();
      helping.set(thread, blocks);
      const first = call('help', id, run, blocks);
      // Also where the thread itself has ended: whoever has the query would wait for it.
      first.catch(() => failBlocks(blocks));
      help = {
        blocks,
        first,
        next: () => call('next', id),
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
        // To start takes a processor longer than most queries do, and compiles what the query waits for.
        if (thread.running) start(blocks);
        else isMissed = true;
      },
      async pages() {
        if (help?.blocks.wanted !== 'rows') return null;
        // Where it fails at once, nothing was handed out yet.
        await orLost(help.first);
        return pagesOf(help);
      },
      close() {
        help?.end();
        help = null;
        // For the next one: who asks much once mostly asks again.
        if (isMissed) thread.call('close', 0).catch(() => {});
        isMissed = false;
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

async function* pagesOf({ blocks, first, next }: Helper): AsyncGenerator<Uint8Array> {
  for (let page = await first; page !== null && !haveFailed(blocks); page = await orLost(next())) yield page;
}

const orLost = <T>(found: Promise<T>): Promise<T> =>
  found.catch((error: unknown) => {
    throw new HelpLost(errorMessage(error), { cause: error });
  });

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
