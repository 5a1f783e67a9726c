import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

export interface WorkerSettings {
  readonly data?: unknown;
  /** Megabytes of its new objects: three times what it copies between at a collection. */
  readonly youngMb?: number;
  /** Megabytes of objects above which it ends with ERR_WORKER_OUT_OF_MEMORY. */
  readonly oldMb?: number;
}

/** Most threads do little at a time, and there are a dozen of them. */
const YOUNG_MB = 6;

/**
 * Starts a thread whose space for new objects is as small as told. The flag that sets it for the process
 * (contract/process.ts) would hold for each thread, whatever its own limits say; the main thread has its space already,
 * so the flag is taken back.
 */
export function startWorker(file: URL, { data, youngMb = YOUNG_MB, oldMb }: WorkerSettings = {}): Worker {
  setFlagsFromString('--max-semi-space-size=0');
  return new Worker(file, {
    workerData: data,
    resourceLimits: {
      maxYoungGenerationSizeMb: youngMb,
      ...(oldMb === undefined ? {} : { maxOldGenerationSizeMb: oldMb }),
    },
  });
}
