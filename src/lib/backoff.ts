/** Waits before what failed is tried again: doubling from the first to the longest. */
export interface BackoffRule {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** The back-off of everything but retries of tasks and of alert messages, which limits set. */
export const BACKOFF = {
  workerLink: { firstMs: 200, mostMs: 15_000 },
  workerLogs: { firstMs: 200, mostMs: 10_000 },
  localWorker: { firstMs: 250, mostMs: 30_000 },
  localMaster: { firstMs: 500, mostMs: 30_000 },
  /** Another master has the data folder, which may be about to end. */
  lockedFolder: { firstMs: 500, mostMs: 4000 },
  /** Of the desktop, to a master behind a tunnel. */
  tunnel: { firstMs: 500, mostMs: 30_000 },
  logDelivery: { firstMs: 250, mostMs: 30_000 },
  metricDelivery: { firstMs: 1000, mostMs: 60_000 },
  logTail: { firstMs: 500, mostMs: 15_000 },
  logQueueDisk: { firstMs: 250, mostMs: 5000 },
  liveStream: { firstMs: 1000, mostMs: 15_000 },
  telemetry: { firstMs: 1000, mostMs: 60_000 },
  auditExport: { firstMs: 1000, mostMs: 300_000 },
} as const satisfies Record<string, BackoffRule>;

/** The wait after so many failures in a row, from 1. */
export const backoffMs = ({ firstMs, mostMs }: BackoffRule, failures: number): number =>
  Math.min(firstMs * 2 ** Math.min(failures - 1, 40), Math.max(firstMs, mostMs));

/** The same ± a share (`jitter`, 0 to 1) by chance; `random` is in [0, 1). An upstream that asked for more (`Retry-After`) gets it. */
export const jitteredBackoffMs = (
  rule: BackoffRule & { readonly jitter: number },
  failures: number,
  random: number,
  askedMs = 0,
): number => Math.round(Math.max(backoffMs(rule, failures) * (1 + rule.jitter * (2 * random - 1)), askedMs));

export interface Backoff {
  /** One more failure: how long to wait. */
  next(): number;
  /** It worked. */
  reset(): void;
}

export function createBackoff(rule: BackoffRule): Backoff {
  let failures = 0;
  return {
    next: () => backoffMs(rule, ++failures),
    reset() {
      failures = 0;
    },
  };
}
