import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';

const FIRST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 3000;

export interface AwaitClusterOptions {
  /** `joinCluster`. */
  join(): Promise<string>;
  /** 0: it is tried once. */
  readonly waitSeconds: number;
  /** This master is to end: rejects with its reason. */
  readonly stopped?: AbortSignal | undefined;
  log(line: string): void;
  readonly time: { steady(): number; sleep(ms: number): Promise<void> };
}

/**
 * Joins a cluster whose PostgreSQL may start later than this master. What waiting does not mend (a wrong password, another
 * cluster, a server too old) rejects at once, as `joinCluster` does; where it stays away, with POSTGRES_UNREACHABLE.
 */
export async function awaitCluster({ join, waitSeconds, stopped, log, time }: AwaitClusterOptions): Promise<string> {
  const since = time.steady();
  const ended = aborted(stopped);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MOST_PAUSE_MS)) {
    stopped?.throwIfAborted();
    try {
      const clusterId = await Promise.race([join(), ended]);
      if (pauseMs > FIRST_PAUSE_MS) log(`PostgreSQL answers after ${seconds(time.steady() - since)} s`);
      return clusterId;
    } catch (error) {
      if (!isPassing(error) || waitSeconds === 0) throw error;
      const leftMs = since + waitSeconds * 1000 - time.steady();
      if (leftMs <= 0)
        throw new Fault(
          'POSTGRES_UNREACHABLE',
          `${errorMessage(error)}. This master waited for it for ${waitSeconds} s (YARDMASTER_POSTGRES_WAIT_SECONDS)`,
          { cause: error },
        );
      if (pauseMs === FIRST_PAUSE_MS) log(`${errorMessage(error)}; waiting for it for up to ${waitSeconds} s`);
      await Promise.race([time.sleep(Math.min(pauseMs, leftMs)), ended]);
    }
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function aborted(signal: AbortSignal | undefined): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  ended.catch(() => {});
  return ended;
}

/** Nobody listens, no way there, or a name that is not known yet. */
const NETWORK = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
];
/** It starts or stops; all of its connections are taken. */
const SERVER = ['57P01', '57P02', '57P03', '53300'];
/** The driver's own words, which have no code. */
const DRIVER = /^(timeout expired|Connection terminated)/;

/** Whether an error of `joinCluster` may be gone in a moment. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Fault)) return false;
  const { cause } = error;
  const code = errorCode(cause);
  return code === undefined ? DRIVER.test(errorMessage(cause)) : NETWORK.includes(code) || SERVER.includes(code);
}
