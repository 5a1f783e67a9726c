/**
 * Traces across services: W3C Trace Context (https://www.w3.org/TR/trace-context/). A job is part of the trace that its
 * caller names; each attempt is a span of it. Span IDs follow from the IDs of tasks, so nobody has to keep them.
 */

/** As it is kept with a job: `TRACE-PARENT-FLAGS`, in lowercase hexadecimal digits (32, 16, 2). */
export type TraceContext = string;

const NO_SPAN = '0'.repeat(16);
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** What a header `traceparent` says; null where there is none or it is not valid, which by the standard is no error of the caller. */
export function parseTraceparent(header: string | string[] | undefined): TraceContext | null {
  if (typeof header !== 'string' || header.length > 512) return null;
  const [, version, trace, parent, flags, more] = TRACEPARENT.exec(header.trim()) ?? [];
  if (trace === undefined || parent === undefined || flags === undefined) return null;
  // Later versions may say more; this one does not, and ff is none.
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(trace) || /^0+$/.test(parent)) return null;
  return `${trace}-${parent}-${flags}`;
}

export const traceIdOf = (context: TraceContext): string => context.slice(0, 32);

/** The span that a job was called from; null: the job begins its trace. */
export const parentSpanIdOf = (context: TraceContext): string | null =>
  context.startsWith(NO_SPAN, 33) ? null : context.slice(33, 49);

/** Whether the spans of the trace are recorded. */
export const isSampled = (context: TraceContext): boolean => (Number.parseInt(context.slice(-1), 16) & 1) === 1;

/** The context of a job that begins a recorded trace. */
export const rootContext = (traceId: string): TraceContext => `${traceId}-${NO_SPAN}-01`;

/** The same context, recorded or not. */
export const withSampled = (context: TraceContext, sampled: boolean): TraceContext =>
  `${context.slice(0, 50)}${((Number.parseInt(context.slice(50), 16) & 0xfe) | Number(sampled)).toString(16).padStart(2, '0')}`;

/** The span of an attempt at a task: the random half of its ID, with the attempt counted into its first digits. */
export function spanIdOf(taskId: string, attempt: number): string {
  const head = (Number.parseInt(taskId.slice(19, 23), 16) + attempt - 1) % 0x1_00_00;
  return head.toString(16).padStart(4, '0') + taskId.slice(24);
}

/** What an attempt hands on to those that it calls: the same trace, with the attempt as the parent. */
export const contextOf = (context: TraceContext, taskId: string, attempt: number): TraceContext =>
  `${traceIdOf(context)}-${spanIdOf(taskId, attempt)}-${context.slice(-2)}`;

/** The header `traceparent` for a context. */
export const traceparentOf = (context: TraceContext): string => `00-${context}`;

/** The span of a job. */
export const jobSpanIdOf = (jobId: string): string => spanIdOf(jobId, 1);

/** The span of what a job did after it was retried by hand at that time (Unix ms): another one than that of the job. */
export const retrySpanIdOf = (jobId: string, retriedAt: number): string => spanIdOf(jobId, 2 + (retriedAt % 0xff_fe));

/** The span of the wait before an attempt: half of all numbers away from the spans of attempts. */
export const waitSpanIdOf = (taskId: string, attempt: number): string => spanIdOf(taskId, attempt + 0x80_00);
