/**
 * Traces across services: W3C Trace Context (https://www.w3.org/TR/trace-context/). A job is part of the trace that its
 * caller names; each attempt is a span of it. Span IDs follow from the IDs of tasks, so nobody has to keep them.
 */

/** As it is kept with a job: `TRACE-PARENT-FLAGS`, in lowercase hexadecimal digits (32, 16, 2). */
export type TraceContext = string;

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
