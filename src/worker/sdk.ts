import type { CreateWorker, DefineHandlers } from './sdk/api.ts';
import { readOptions } from './sdk/options.ts';
import { onStopSignal } from '../lib/stop-signals.ts';
import { joinMaster } from './join.ts';

/**
 * `yardmaster/worker`: a worker made by a program of its own, whose handlers run `handler` nodes (docs/sdk.md). It runs
 * all other node types as well. Its types are those of sdk/types.ts.
 */
export { NonRetryableError, RetryableError } from './sdk/api.ts';

export const defineHandlers: DefineHandlers = (handlers) => handlers;

export const createWorker: CreateWorker = (options) => {
  const { drainSeconds, signals, ...own } = readOptions(options);
  const joining = joinMaster(own);
  const ready = joining.ready.then(() => ({ workerId: joining.workerId }));
  // Whoever awaits them hears of a refusal. Where nobody does, a line tells it, and the process has nothing left to live for.
  ready.catch(() => {});
  joining.closed.catch((fault: Error) => {
    own.log(fault.message);
    process.exitCode ??= 1;
  });
  const close = (seconds = drainSeconds): Promise<void> => joining.close(seconds);
  if (signals) {
    const forget = onStopSignal(['SIGTERM', 'SIGINT'], () => void close());
    joining.closed.then(forget, forget);
  }
  return { ready, start: () => ready, closed: joining.closed, drain: () => joining.drain(), close };
};
