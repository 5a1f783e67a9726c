import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** A job queue under comparison. Everything takes no-op jobs; `Worker` is a process of its own at a concurrency of 10. */
export interface Peer {
  /** Takes in this many jobs, 1,000 at a time. */
  submit(count: number): Promise<void>;
  /** Starts the worker process; `finished(n)` resolves with the time (ms since the epoch) at which its n-th job ended. */
  startWorker(): Promise<{ readonly pid: number; finished(count: number): Promise<number>; stop(): Promise<void> }>;
  /** Takes in one job; the ms from then to its start on the idle worker. */
  pickUp(): Promise<number>;
  /** The process that keeps the jobs, and the folder where it keeps them. */
  readonly server: { readonly pid: number; readonly folder: string };
  close(): Promise<void>;
}

export interface PeerModule {
  readonly name: string;
  /** `missing`: it is not installed, and what to do. */
  open(): Promise<Peer | { missing: string }>;
}

/** A package from bench/peers/node_modules, which the product does not install; null where it is not there. */
export async function packageOf<T>(name: string): Promise<T | null> {
  try {
    return (await import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href)) as T;
  } catch {
    return null;
  }
}

/** What a worker process tells: jobs ended so far, when the last one did, and when the last one began. */
export interface Told {
  ended: number;
  endedAt: number;
  startedAt: number;
}

/** The time with fractions of a millisecond, the same in all processes of a machine. */
export const now = (): number => performance.timeOrigin + performance.now();
