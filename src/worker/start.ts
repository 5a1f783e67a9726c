import type { RunningWorker, WorkerOptions } from '../contract/process.ts';
import { joinMaster } from './join.ts';
import { loadHandlers } from './sdk/load.ts';

/**
 * Joins a master and runs its tasks (`yardmaster worker`). Resolves at the first welcome; rejects with a `Fault`
 * WORKER_REFUSED where the master does not take it, and USAGE where the handlers file is no good.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const handlers = options.handlers === null ? {} : await loadHandlers(options.handlers);
  const joining = joinMaster({ ...options, handlers });
  await joining.ready;
  return joining;
}
