import type { Dial, Session } from '../postgres/connection.ts';
import type { ClusterTime } from '../time.ts';

export type Query = <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>;

export interface Transactions {
  /** Runs `work` in one transaction; rolled back where it rejects. One after the other. */
  run<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A user's lock is waited for no longer than this; others would wait behind us. */
const LOCK_MS = 3000;
const STATEMENT_MS = 60_000;
/** The server has said nothing for so long: the connection is given up. */
const TRANSACTION_MS = 150_000;

/** Transactions on a connection that is made when it is needed. The limits are those of each transaction, as a pooler shares the session. */
export function createTransactions(dial: Dial, time: Pick<ClusterTime, 'after'>): Transactions {
  let session: Session | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function connected(): Promise<Session> {
    if (session) return session;
    const made = await dial(() => {
      if (session === made) session = null;
    });
    session = made;
    return made;
  }

  async function run<T>(work: (query: Query) => Promise<T>): Promise<T> {
    if (closed) throw new Error('the connection is closed');
    const on = await connected();
    // The type of the rows belongs to the text of the query: its caller names it.
    const query: Query = async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await on.query(text, [...values])).rows as R[];
    const late = Promise.withResolvers<never>();
    late.promise.catch(() => {});
    const cancel = time.after(TRANSACTION_MS, () => late.reject(new Error('PostgreSQL does not answer')));
    const whole = async (): Promise<T> => {
      await query('BEGIN');
      await query(
        `SELECT set_config('lock_timeout', '${LOCK_MS}', true), set_config('statement_timeout', '${STATEMENT_MS}', true)`,
      );
      const result = await work(query);
      await query('COMMIT');
      return result;
    };
    try {
      return await Promise.race([whole(), late.promise]);
    } catch (error) {
      // It may be in the middle of anything: the next one begins with another connection.
      if (session === on) session = null;
      on.end();
      throw error;
    } finally {
      cancel();
    }
  }

  return {
    run<T>(work: (query: Query) => Promise<T>): Promise<T> {
      const mine = last.then(() => run(work));
      last = mine.catch(() => {});
      return mine;
    },
    async close() {
      closed = true;
      await last;
      session?.end();
      session = null;
    },
  };
}
