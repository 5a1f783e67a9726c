import { isRecord } from '../../lib/is-record.ts';
import { errorMessage } from '../../lib/errors.ts';
import { LOG_LEVELS, MASTER_CODES, NON_RETRYABLE_CODES } from '../../contract/vocabulary.ts';
import { contextOf, traceparentOf } from '../../lib/trace-context.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { computeWithDoubles } from '../raw-numbers.ts';
import { payloadFromText } from '../payload.ts';
import type { HandlerContext, MetricOptions } from '../sdk/api.ts';
import type { Telemetry } from '../telemetry.ts';
import { requireText } from './node-config.ts';
import type { Executor, TaskRun } from './executor.ts';

/** Longest message of a progress. */
const MESSAGE_CHARS = 200;
const METRIC_NAME = /^[A-Za-z0-9_.:-]{1,100}$/;
const KINDS: ReadonlySet<string> = new Set(['counter', 'gauge', 'timer']);
const CODE = /^[A-Za-z][A-Za-z0-9_.:-]{0,99}$/;
/** Longest part of a stack that is logged. */
const STACK_CHARS = 8192;

/** A function of the operator's own, in this process. Nobody waits for one that goes on after its signal. */
export const handler: Executor = async (task, tools) => {
  const name = requireText(task.node, 'handler');
  const run = tools.handlers.get(name);
  if (run === undefined)
    throw new TaskExecutionError(
      'TASK_ERROR',
      `this worker has no handler ${JSON.stringify(name)}; it has ${[...tools.handlers.keys()].join(', ') || 'none'}`,
    );
  const { signal, stopped } = abortPromise(task);
  const context = createContext(task, tools.telemetry, signal);
  let output: unknown;
  try {
    output = await computeWithDoubles(task.input.value(), (input) =>
      Promise.race([stopped.promise, Promise.resolve(run(input, context))]),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    throw toTaskError(error, name, task);
  } finally {
    stopped.end();
    tools.telemetry.taskEnded(task.id);
  }
  try {
    return { output: payloadFromText(JSON.stringify(output) ?? 'null') };
  } catch (error) {
    throw new TaskExecutionError(
      'TASK_ERROR',
      `handler ${name} returned a value that is not valid JSON: ${errorMessage(error)}`,
    );
  }
};

function abortPromise(task: TaskRun) {
  const signal = task.signal();
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return { signal, stopped: { promise, end: () => signal.removeEventListener('abort', stop) } };
}

function createContext(task: TaskRun, telemetry: Telemetry, signal: AbortSignal): HandlerContext {
  const { id, attempt, lease, node } = task;
  const tags = {
    job_id: lease.jobId,
    task_id: id,
    workflow_id: lease.workflowId,
    node: node.id,
    ...(lease.environment === null ? {} : { environment: lease.environment }),
  };
  return Object.freeze({
    taskId: id,
    attempt,
    idempotencyKey: `${id}:${attempt}`,
    jobId: lease.jobId,
    workflowId: lease.workflowId,
    environment: lease.environment,
    node: node.id,
    item: lease.item,
    traceparent: lease.trace === undefined ? null : traceparentOf(contextOf(lease.trace, id, attempt)),
    runTimeoutSeconds: node.runTimeoutSeconds,
    signal,
    log(level: string, message: unknown, fields?: Record<string, unknown>) {
      const upper = String(level).toUpperCase();
      task.log(
        'task',
        LOG_LEVELS.find((known) => known === upper) ?? 'INFO',
        typeof message === 'string' ? message : asText(message),
        toJsonFields(fields),
      );
    },
    metric(name: string, value: number, { kind = 'gauge', tags: more = {} }: MetricOptions = {}) {
      if (typeof name !== 'string' || !METRIC_NAME.test(name))
        throw new TypeError(`a metric name must have 1 to 100 letters, digits, _ . : -; got ${asText(name)}`);
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new TypeError(`the value of the metric ${name} must be a finite number; got ${String(value)}`);
      if (!KINDS.has(kind))
        throw new TypeError(`the kind of the metric ${name} must be counter, gauge or timer; got ${String(kind)}`);
      const texts = Object.fromEntries(Object.entries(more).map(([key, tag]) => [key, String(tag)]));
      telemetry.point({
        time: Date.now(),
        measurement: 'custom_metrics',
        tags: { ...texts, ...tags },
        fields: { [`${kind}_${name}`]: value },
      });
    },
    progress(fraction: number, message?: string) {
      if (typeof fraction !== 'number' || !Number.isFinite(fraction))
        throw new TypeError(`the progress must be a number from 0 to 1; got ${String(fraction)}`);
      if (!signal.aborted)
        telemetry.progress(
          id,
          attempt,
          Math.min(1, Math.max(0, fraction)),
          message === undefined ? null : task.shown(String(message)).slice(0, MESSAGE_CHARS),
        );
    },
  });
}

/** What a handler threw, by its own `code`, `retryable` and `retryAfterSeconds` where it has them. */
function toTaskError(error: unknown, name: string, task: TaskRun): TaskExecutionError {
  if (!isRecord(error)) return new TaskExecutionError('TASK_ERROR', asText(error));
  const { message, code, retryable, retryAfterSeconds, stack } = error;
  if (typeof stack === 'string')
    task.log('worker', 'DEBUG', `handler ${name} threw an error: ${task.shown(stack).slice(0, STACK_CHARS)}`);
  const own = typeof code === 'string' && CODE.test(code) && !MASTER_CODES.has(code) ? code : null;
  const final = retryable === false || (own !== null && NON_RETRYABLE_CODES.has(own));
  const after =
    typeof retryAfterSeconds === 'number' && retryAfterSeconds >= 0 && Number.isFinite(retryAfterSeconds)
      ? retryAfterSeconds
      : undefined;
  return new TaskExecutionError(
    own ?? (final ? 'NON_RETRYABLE' : 'TASK_ERROR'),
    typeof message === 'string' ? message : asText(error),
    { retryable: !final, retryAfterSeconds: after },
  );
}

/** Fields that JSON cannot hold shall not fail a task. */
function toJsonFields(fields: Record<string, unknown> | undefined): Record<string, unknown> {
  if (fields === undefined || fields === null) return {};
  try {
    const value: unknown = JSON.parse(JSON.stringify(fields) ?? '{}');
    return isRecord(value) ? value : { fields: value };
  } catch (error) {
    return { fields_dropped: errorMessage(error) };
  }
}

function asText(value: unknown): string {
  try {
    return (typeof value === 'string' ? value : JSON.stringify(value)) ?? String(value);
  } catch {
    return String(value);
  }
}
