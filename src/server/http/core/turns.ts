import { Fault } from '../../../lib/fault.ts';
import { createSemaphore, type Semaphore } from '../../../lib/semaphore.ts';
import type { Identity } from '../../access/port.ts';

/** What a caller may have under way, and what may wait behind that. */
export interface TurnRules {
  most(): number;
  waiting(): number;
  /** What it is called. */
  readonly what: string;
}

/** Runs something costly for a caller; where they have as much under way as they may, after that. `gone`: they wait for it no more. */
export type Turns = <T>(identity: Identity, gone: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Takes turns within what one caller asks for, so that many costly questions of one of them are no queue of all others. */
export function createTurns({ most, waiting, what }: TurnRules): Turns {
  const lines = new Map<string, { readonly line: Semaphore; users: number }>();
  return async (identity, gone, work) => {
    const key = identity.userId ?? `${identity.role} ${identity.actor}`;
    let mine = lines.get(key);
    if (!mine) {
      const refuse = (why: string) =>
        why === 'gone'
          ? new Fault('QUERY_CANCELLED', 'the query was cancelled')
          : new Fault('OVERLOADED', `too many ${what} of one caller are waiting: try again in a moment`, {
              extra: { retryAfterSeconds: 2 },
            });
      lines.set(key, (mine = { line: createSemaphore({ most, waiting: waiting(), refuse }), users: 0 }));
    }
    mine.users++;
    try {
      const release = await mine.line.acquire(gone);
      try {
        return await work();
      } finally {
        release();
      }
    } finally {
      if (--mine.users === 0) lines.delete(key);
    }
  };
}
