import type { JobResult } from '../port.ts';

/** Calls that wait for the end of a job. */
export interface Waiters {
  /** Resolves with the outcome, or null after `seconds` or once `leave` is called. */
  wait(jobId: string, seconds: number, leaving: ((leave: () => void) => void) | undefined): Promise<JobResult | null>;
  /** Calls back with the same. Returns what ends the wait with null. */
  watch(jobId: string, seconds: number, ended: (outcome: JobResult | null) => void): () => void;
  has(jobId: string): boolean;
  notify(jobId: string, outcome: JobResult): void;
  /** Ends every wait with null. */
  close(): void;
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<(outcome: JobResult | null) => void>>();

  function watch(jobId: string, seconds: number, ended: (outcome: JobResult | null) => void): () => void {
    const all = waiting.get(jobId) ?? new Set();
    waiting.set(jobId, all);
    const settle = (outcome: JobResult | null) => {
      clearTimeout(timer);
      all.delete(settle);
      if (all.size === 0 && waiting.get(jobId) === all) waiting.delete(jobId);
      ended(outcome);
    };
    const give = () => settle(null);
    // Longer waits than a timer can hold end with the process.
    const timer = setTimeout(give, Math.min(Math.max(seconds, 0) * 1000, 2 ** 31 - 1));
    all.add(settle);
    return give;
  }

  return {
    watch,
    wait: (jobId, seconds, leaving) =>
      new Promise((resolve) => {
        const give = watch(jobId, seconds, resolve);
        leaving?.(give);
      }),
    has: (jobId) => waiting.has(jobId),
    notify(jobId, outcome) {
      for (const settle of [...(waiting.get(jobId) ?? [])]) settle(outcome);
    },
    close() {
      for (const all of [...waiting.values()]) for (const settle of [...all]) settle(null);
    },
  };
}
