/** What a program that makes its own worker, or a handlers file, needs to know. This file imports nothing, so that its types stand alone. */

export type LogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR' | 'FATAL';

/** One attempt of one task, as its handler sees it. */
export interface HandlerContext {
  readonly taskId: string;
  /** 1 at first; one more with each retry. */
  readonly attempt: number;
  /** `<taskId>:<attempt>`: the same only where the very same attempt comes twice. Use `taskId` alone for what must happen once however often it is tried. */
  readonly idempotencyKey: string;
  readonly jobId: string;
  readonly workflowId: string;
  /** `dev`, `staging` or `prod`; null where a job runs a commit that is not published. */
  readonly environment: string | null;
  /** Id of the node in the workflow. */
  readonly node: string;
  /** Place of the input in its list, where the node is the inner one of a `forEach`; else null. */
  readonly item: number | null;
  /** The trace that the job is part of, with this attempt as the parent, to be sent on as the header `traceparent`; null: none. */
  readonly traceparent: string | null;
  /** Seconds that this attempt may run. */
  readonly runTimeoutSeconds: number;
  /**
   * Aborts where the result is no longer wanted: the task was killed, its run time is over, its lease was lost, or the
   * worker ends. `signal.reason` is an Error whose `code` is KILLED, RUN_TIMEOUT, LEASE_LOST or DRAIN.
   */
  readonly signal: AbortSignal;
  /** Writes a line to the log of the task. Fields become fields of the record. */
  log(level: LogLevel | Lowercase<LogLevel>, message: string, fields?: Record<string, unknown>): void;
  /**
   * Records a point in the metric store: measurement `custom_metrics`, field `<kind>_<name>`. Counters are increases
   * (summed), gauges are averaged, timers are milliseconds (averaged, with their 95th percentile).
   */
  metric(name: string, value: number, options?: MetricOptions): void;
  /** Shows how far the task is, 0 to 1, to whoever looks at it. Cheap: at most four a second are sent. */
  progress(fraction: number, message?: string): void;
}

export interface MetricOptions {
  /** Default: `gauge`. */
  kind?: 'counter' | 'gauge' | 'timer';
  tags?: Record<string, string>;
}

/** Does the work of a `handler` node. What it returns is the task's output and must be JSON; nothing is null. */
// oxlint-disable-next-line typescript/no-explicit-any -- a handler knows the type of its input, this library cannot.
export type Handler = (input: any, context: HandlerContext) => unknown;

/** By the name that workflows call them. */
export type Handlers = Readonly<Record<string, Handler>>;

export interface CreateWorkerOptions {
  /** Address of the master, such as `http://127.0.0.1:8700`; of a cluster, several: it begins at any that answers. */
  master: string | readonly string[];
  /** Token of role `worker`. Default: the environment's YARDMASTER_WORKER_TOKEN. */
  token?: string;
  handlers: Handlers;
  /** Tasks to run at once. Default: 8. */
  capacity?: number;
  /** Shown to operators. */
  labels?: Record<string, string>;
  /** Where log lines go, `HOST:PORT` or `tls://HOST:PORT`; its token is the environment's YARDMASTER_LOGSTASH_TOKEN. Default: where the master says. */
  logstash?: string;
  /** Send token, payloads and log lines to other machines without encryption. Default: the environment's YARDMASTER_ALLOW_PLAIN, or false. */
  allowPlain?: boolean;
  /** Seconds that running tasks may take to end when the worker closes. Default: 30. */
  drainSeconds?: number;
  /** Close in order at SIGTERM and SIGINT. Default: true. */
  signals?: boolean;
  /** Hears what happens to the link, one line each. Default: standard error. */
  say?(line: string): void;
}

export interface Worker {
  /** Resolves when the master has taken the worker; rejects where it refuses it (`code` WORKER_REFUSED). An unreachable master is tried without end. */
  readonly ready: Promise<{ workerId: string }>;
  /** The same promise: the worker joins as soon as it is made. */
  start(): Promise<{ workerId: string }>;
  /** Resolves when the worker has ended by `close`; rejects where the master refused it. */
  readonly closed: Promise<void>;
  /** Takes no new tasks; resolves once those that run have ended. */
  drain(): Promise<void>;
  /** Takes no new tasks, lets running ones end (at most `seconds`, default `drainSeconds`), then leaves. Idempotent. */
  close(seconds?: number): Promise<void>;
}

/** Makes a worker and joins the master. Throws a TypeError that names the faulty option. */
export type CreateWorker = (options: CreateWorkerOptions) => Worker;

/** Gives a handlers file its types: `export const handlers = defineHandlers({ … })`. */
export type DefineHandlers = <T extends Handlers>(handlers: T) => T;

/** Ends the task for good. `code` is shown with it; default NON_RETRYABLE. */
export class NonRetryableError extends Error {
  override readonly name: string = 'NonRetryableError';
  readonly retryable = false;
  readonly code: string;
  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'NON_RETRYABLE';
  }
}

/** Fails the attempt; the task is tried again, not before `retryAfterSeconds` where given. Any other error is retried too, after the node's back-off. */
export class RetryableError extends Error {
  override readonly name: string = 'RetryableError';
  readonly retryable = true;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  constructor(message: string, options: { code?: string; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? 'TASK_ERROR';
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
