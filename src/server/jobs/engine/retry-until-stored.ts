import { Fault } from '../../../lib/fault.ts';
import type { Transaction } from './port.ts';

/** How long a store that refused a write is left alone. */
const WAIT_MS = 500;

interface StoredStep {
  readonly number: number;
  readonly weight: number;
  readonly op: (tx: Transaction) => unknown;
  /** The same in parts: where the whole fails by itself, one bad part takes none of the others with it. */
  readonly parts: readonly ((tx: Transaction) => unknown)[];
  /** It was taken. */
  readonly taken: () => void;
}

/**
 * Takes in what workers tell, which nobody tells again: where the store refuses it (a full disk), it is kept and tried until
 * the store takes it, in the order in which it came. Where it is not known whether the store keeps it (the lease of the master
 * expired), it counts as stored only once that is known. There is no more of it than leases.
 */
export function createRetryUntilStored({
  enqueue,
  waitMs = WAIT_MS,
}: {
  enqueue(weight: number, op: (tx: Transaction) => unknown): Promise<unknown>;
  waitMs?: number;
}) {
  const waiting: StoredStep[] = [];
  let timer: NodeJS.Timeout | null = null;
  let retrying = false;
  let closed = false;
  let last = 0;
  /** Steps (and their parts) that are not stored yet, by number in ascending order. */
  const outstanding = new Map<number, number>();
  const listeners: { upTo: number; done: () => void }[] = [];

  function began(number: number) {
    outstanding.set(number, (outstanding.get(number) ?? 0) + 1);
  }

  function ended(number: number) {
    const left = (outstanding.get(number) ?? 1) - 1;
    if (left > 0) outstanding.set(number, left);
    else outstanding.delete(number);
    const first = outstanding.keys().next().value ?? Number.POSITIVE_INFINITY;
    while (listeners[0] && listeners[0].upTo < first) listeners.shift()?.done();
  }

  function keep(step: StoredStep) {
    waiting.push(step);
    waiting.sort((a, b) => a.number - b.number);
    retryLater();
  }

  function retryLater() {
    if (!closed && !retrying) timer ??= setTimeout(retryWaiting, waitMs);
  }

  /** Tries the first one, which may take as long as PostgreSQL is away; where the store takes it, all others at once, in their order. */
  async function retryWaiting() {
    timer = null;
    const [first] = waiting;
    if (!first || closed) return;
    retrying = true;
    const left = await attempt(first);
    retrying = false;
    if (left) {
      waiting.splice(waiting.indexOf(first), 1, left);
      retryLater();
      return;
    }
    waiting.splice(waiting.indexOf(first), 1);
    first.taken();
    for (const step of waiting.splice(0)) tryNow(step);
  }

  function tryNow(step: StoredStep) {
    void attempt(step).then((left) => (left ? keep(left) : step.taken()));
  }

  /** What is to be tried again. Any other failure has been reported by the engine and would recur: only the parts are tried. */
  const attempt = (step: StoredStep): Promise<StoredStep | null> =>
    enqueue(step.weight, step.op).then(
      () => null,
      (error: unknown) => {
        const code = error instanceof Fault ? error.code : null;
        if (code === 'STORE_UNAVAILABLE' || code === 'OVERLOADED') return step;
        // It is committed here and may still reach the journal: once the journal has a later turn, it has this one.
        if (code === 'NO_OWNER') return { ...step, weight: 1, op: () => undefined, parts: [] };
        for (const part of step.parts) void run(1, part, [], step.number);
        return null;
      },
    );

  function run(
    weight: number,
    op: (tx: Transaction) => unknown,
    parts: StoredStep['parts'] = [],
    number = ++last,
  ): Promise<void> {
    if (closed) return Promise.resolve();
    began(number);
    return new Promise((resolve) => {
      const taken = () => {
        ended(number);
        resolve();
      };
      const step = { number, weight, op, parts, taken };
      if (waiting.length > 0) keep(step);
      else tryNow(step);
    });
  }

  return {
    /** Resolves once the store took it; after `close` at once, and nothing is done. */
    run,
    /** Calls back once all that was given so far is stored, as safely as the store makes it; after `close` never. */
    settled(done: () => void) {
      if (closed) return;
      if (outstanding.size === 0) done();
      else listeners.push({ upTo: last, done });
    },
    close() {
      closed = true;
      listeners.length = 0;
      if (timer) clearTimeout(timer);
    },
  };
}
