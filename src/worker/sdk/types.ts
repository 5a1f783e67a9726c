import type { CreateWorker, DefineHandlers } from './api.ts';

/** What `yardmaster/worker` (sdk.ts) exports, for the compiler of whoever imports it. */
export { NonRetryableError, RetryableError } from './api.ts';
export type { CreateWorkerOptions, Handler, HandlerContext, Handlers, LogLevel, MetricOptions, Worker } from './api.ts';
export declare const createWorker: CreateWorker;
export declare const defineHandlers: DefineHandlers;
