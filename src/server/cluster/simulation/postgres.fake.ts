import type { Tables } from './tables.fake.ts';
import { PROCEDURES } from './procedures.fake.ts';
import type { World } from './world.fixture.ts';

/** An answer: rows as the driver gives them, or what the server refused. */
export type Answer = object[] | Error;

export interface Backend {
  /** The client has heard that it is connected. */
  greeted: boolean;
  readonly pid: number;
  execute(text: string, values: readonly unknown[], answer: (answer: Answer) => void): void;
  /** The client is gone. A statement under way runs to its end all the same. */
  hangUp(): void;
}

export interface PostgresModel {
  readonly tables: Tables;
  /** Null: it is down. `ended`: the server ends the connection. */
  connect(ended: () => void): Backend | null;
  /** Every statement takes up to so much longer; 0: none does. */
  slow(ms: number): void;
  /** What is not committed is gone, what is stays. */
  stop(): void;
  start(): void;
  setClock(byMs: number): void;
}

export type LockMode = 'key share' | 'no key update' | 'update';
const COMPATIBLE: Record<LockMode, readonly LockMode[]> = {
  'key share': ['key share', 'no key update'],
  'no key update': ['key share'],
  update: [],
};

/** What a statement waits for, as its procedure yields it. Between two of them nothing else happens in the server. */
export type Wait = { readonly lock: LockMode } | { readonly key: string } | { readonly workMs: number };

/** A statement that runs, which is a transaction of its own. */
export interface Transaction {
  readonly tables: Tables;
  readonly backend: { readonly pid: number; readonly startedAt: number };
  /** clock_timestamp(), in milliseconds. */
  clock(): number;
  /** What others see only once it has committed. */
  onCommit(change: () => void): void;
}

export type Procedure = (transaction: Transaction, values: readonly unknown[]) => Generator<Wait, Answer, void>;

interface Running extends Transaction {
  readonly steps: Generator<Wait, Answer, void>;
  readonly answer: (answer: Answer) => void;
  readonly changes: (() => void)[];
  readonly held: Set<LockMode>;
  readonly keys: Set<string>;
  waiting: Wait | null;
  ended: boolean;
}

/**
 * PostgreSQL as the cluster uses it: each statement is a transaction (read committed) that locks the partition's row and the keys
 * it inserts, waits for those of others, and runs to its end though its client is gone.
 */
export function createPostgres(
  world: World,
  tables: Tables,
  procedures: ReadonlyMap<string, Procedure> = PROCEDURES,
): PostgresModel {
  const running = new Set<Running>();
  const backends = new Map<number, () => void>();
  let up = true;
  let slowMs = 0;
  let clockMs = 1_700_000_000_000;
  let nextPid = 100;
  const clock = () => clockMs + world.now;

  function mayGo(one: Running, wait: Wait): boolean {
    if ('lock' in wait)
      return [...running].every(
        (other) => other === one || [...other.held].every((mode) => COMPATIBLE[wait.lock].includes(mode)),
      );
    if ('key' in wait) return [...running].every((other) => other === one || !other.keys.has(wait.key));
    return true;
  }

  function go(one: Running): void {
    while (!one.ended) {
      const wait = one.waiting;
      if (wait !== null) {
        if (!mayGo(one, wait)) return;
        if ('lock' in wait) one.held.add(wait.lock);
        if ('key' in wait) one.keys.add(wait.key);
        one.waiting = null;
      }
      const { value, done } = one.steps.next();
      if (done) return commit(one, value);
      if ('workMs' in value) {
        const ms = value.workMs * world.random.between(0.5, 3) + (slowMs > 0 ? world.random.between(0, slowMs) : 0);
        world.at(ms, () => go(one));
        return;
      }
      one.waiting = value;
    }
  }

  function commit(one: Running, answer: Answer): void {
    if (!(answer instanceof Error)) for (const change of one.changes) change();
    one.ended = true;
    running.delete(one);
    one.answer(answer);
    for (const other of running) if (other.waiting !== null) go(other);
  }

  return {
    tables,
    connect(ended) {
      if (!up) return null;
      const pid = nextPid++;
      const startedAt = clock();
      let busy = false;
      let gone = false;
      const end = (): void => {
        backends.delete(pid);
        tables.backends.delete(pid);
      };
      backends.set(pid, () => {
        gone = true;
        end();
        ended();
      });
      tables.backends.set(pid, startedAt);
      return {
        greeted: false,
        pid,
        execute(text, values, answer) {
          if (gone) return;
          const procedure = procedures.get(text);
          if (!procedure) throw new Error(`the model of PostgreSQL has no procedure for: ${text}`);
          busy = true;
          const changes: (() => void)[] = [];
          const transaction: Transaction = {
            ...{ tables, clock },
            backend: { pid, startedAt },
            onCommit: (change) => void changes.push(change),
          };
          const one: Running = {
            ...transaction,
            steps: procedure(transaction, values),
            changes,
            held: new Set(),
            keys: new Set(),
            waiting: null,
            ended: false,
            answer(given) {
              busy = false;
              if (gone) end();
              else answer(given);
            },
          };
          running.add(one);
          go(one);
        },
        hangUp() {
          gone = true;
          if (!busy) end();
        },
      };
    },
    slow: (ms) => (slowMs = ms),
    stop() {
      up = false;
      for (const one of running) one.ended = true;
      running.clear();
      for (const end of backends.values()) end();
    },
    start: () => (up = true),
    setClock: (byMs) => (clockMs += byMs),
  };
}
