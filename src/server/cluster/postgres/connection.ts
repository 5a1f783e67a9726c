import type { ClusterTime } from '../time.ts';

/** A connection to the server, as it was made. */
export interface Session {
  query(text: string, values: unknown[]): Promise<{ rows: object[] }>;
  /** Says goodbye, but waits for no answer; `onEnd` is not called any more. */
  end(): void;
}

/** Makes a connection, or rejects after a while. `onEnd`: it broke or was ended, also between queries. */
export type Dial = (onEnd: () => void) => Promise<Session>;

/** One connection that is made when it is needed, and anew after it broke. Queries run one after the other. */
export interface Connection {
  /** Rejects where the server does not answer within the time limit: the connection is given up then, and the outcome is unknown. */
  query<R extends object>(text: string, values?: readonly unknown[], timeoutMs?: number): Promise<R[]>;
  close(): Promise<void>;
}

const QUERY_MS = 4000;

/**
 * @param timeoutMs how long a query may take before the connection is given up
 */
export function createConnection(
  dial: Dial,
  time: Pick<ClusterTime, 'after'>,
  timeoutMs: number = QUERY_MS,
): Connection {
  let current: { readonly session: Promise<Session> } | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  function connected(): Promise<Session> {
    if (current) return current.session;
    const ended = (): void => {
      // The next query makes another.
      if (current === made) current = null;
    };
    const made = { session: dial(ended) };
    current = made;
    made.session.catch(ended);
    return made.session;
  }

  async function run<R extends object>(text: string, values: readonly unknown[], limitMs: number): Promise<R[]> {
    if (closed) throw new Error('the connection is closed');
    const session = await connected();
    const late = Promise.withResolvers<never>();
    const cancel = time.after(limitMs, () => late.reject(new Error(`PostgreSQL has not answered for ${limitMs} ms`)));
    try {
      const { rows } = await Promise.race([session.query(text, [...values]), late.promise]);
      // The type of the rows belongs to the text of the query: its caller names it.
      return rows as R[];
    } catch (error) {
      // What the server refused leaves the connection whole; of anything else nobody knows what it still holds.
      if (!isRefusal(error)) {
        current = null;
        session.end();
      }
      throw error;
    } finally {
      cancel();
    }
  }

  return {
    query<R extends object>(text: string, values: readonly unknown[] = [], limitMs = timeoutMs): Promise<R[]> {
      const mine = last.then(() => run<R>(text, values, limitMs));
      last = mine.catch(() => {});
      return mine;
    },
    async close() {
      closed = true;
      await last;
      const session = await current?.session.catch(() => null);
      current = null;
      session?.end();
    },
  };
}

/** PostgreSQL's own error codes have five characters; those of class 57 and 08 mean that the connection ends. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') && !code.startsWith('08');
}
