import type { StackFrame } from '../contract/tasks.ts';
import { isRecord } from '../lib/is-record.ts';
import { NON_RETRYABLE_CODES } from '../contract/vocabulary.ts';
import type { ReportedFailure } from '../contract/worker-protocol.ts';

/** Longest message that a failure carries; what is beyond is in the log at best. */
const MESSAGE_CHARS = 8192;

/** A failure of a task with its code. Whether it is retried follows from the code unless said. */
export class TaskExecutionError extends Error {
  readonly failure: ReportedFailure;
  constructor(
    code: string,
    message: string,
    options: { retryable?: boolean; retryAfterSeconds?: number | undefined; stack?: StackFrame[] } = {},
  ) {
    super(message);
    this.failure = {
      code,
      message,
      retryable: options.retryable ?? !NON_RETRYABLE_CODES.has(code),
      ...(options.stack === undefined || options.stack.length === 0 ? {} : { stack: options.stack }),
      ...(options.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: options.retryAfterSeconds }),
    };
  }
}

/**
 * The failure that a task reports for whatever was thrown; what has no code is a TASK_ERROR. `shown` takes the values of
 * secrets out, before the message is cut: of one that was cut through nothing would be found.
 */
export function toReportedFailure(error: unknown, shown = (text: string): string => text): ReportedFailure {
  const failure = failureOf(error);
  const [code, message] = [shown(failure.code), shown(failure.message)];
  return {
    ...failure,
    code,
    message: message.length > MESSAGE_CHARS ? `${message.slice(0, MESSAGE_CHARS)}…` : message,
  };
}

function failureOf(error: unknown): ReportedFailure {
  if (error instanceof TaskExecutionError) return error.failure;
  const message =
    error instanceof Error ? error.message : String((isRecord(error) ? error['message'] : undefined) ?? error);
  return new TaskExecutionError('TASK_ERROR', message).failure;
}

/** The failure of a piece of code or an expression that ran into its time limit, whoever noticed. An expression would run into it again. */
export const timeoutError = (kind: string, ms: number): TaskExecutionError =>
  new TaskExecutionError(
    'TASK_ERROR',
    `the ${kind} exceeded its time limit of ${ms / 1000} s`,
    kind === 'expression' ? { retryable: false } : {},
  );
