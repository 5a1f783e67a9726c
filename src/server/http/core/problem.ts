import type { FastifyReply } from 'fastify';
import { ERRORS, type ErrorCode, isErrorCode, type Problem } from '../../../contract/errors.ts';
import { errorCode } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';

/** Where the description of an error code stands. */
const typeOf = (code: ErrorCode): string => `/docs#${code}`;

/** What Fastify and Node call their errors, in our words. Everything else from outside the rooms is a bug. */
const FOREIGN: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['BODY_TOO_LARGE', 'the body is too large'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'content-length does not match the body'],
  FST_ERR_BAD_URL: ['VALIDATION_FAILED', 'the URL has a malformed percent-escape'],
  FST_ERR_MAX_PARAM_LENGTH: ['VALIDATION_FAILED', 'a part of the path is too long'],
  FST_ERR_ASYNC_CONSTRAINT: ['ROUTE_NOT_FOUND', 'route not found'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/json'],
  FST_ERR_NOT_FOUND: ['ROUTE_NOT_FOUND', 'route not found'],
};

/**
 * The one translator: any error into a problem document (RFC 9457). `instance` is the request id unless the fault
 * names one. What is no coded fault is INTERNAL, without its text: that is for the log, by the request id.
 */
export function toProblem(error: unknown, requestId: string): Problem {
  if (error instanceof Fault && isErrorCode(error.code))
    return problem(error.code, error.message, requestId, {
      ...error.extra,
      ...(error.errors ? { errors: error.errors } : {}),
    });
  const foreign = FOREIGN[errorCode(error) ?? ''];
  if (foreign) return problem(foreign[0], foreign[1], requestId, {});
  return problem(
    'INTERNAL',
    `internal error in the master; search the master's log for request ${requestId}`,
    requestId,
    {},
  );
}

/** What the master has to know of, beside whoever asked. */
export const isReported = ({ code }: Problem): boolean => code === 'INTERNAL' || code === 'DATA_DAMAGED';

function problem(code: ErrorCode, detail: string, instance: string, extra: Record<string, unknown>): Problem {
  const [status, title] = ERRORS[code];
  return { type: typeOf(code), title, status, detail, code, instance, ...extra };
}

/** Answers with a problem. */
export function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const found = toProblem(error, reply.request.id);
  for (const [name, value] of problemHeaders(found)) reply.header(name, value);
  return reply.code(found.status).header('content-type', PROBLEM_TYPE).send(JSON.stringify(found));
}

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Headers that a code always carries. */
export function problemHeaders({
  code,
  status,
  ...extra
}: Problem): readonly (readonly [name: string, value: string])[] {
  if (code === 'TOKEN_MISSING' || code === 'TOKEN_INVALID') return [['www-authenticate', 'Bearer realm="yardmaster"']];
  if (code === 'API_KEY_MISSING' || code === 'API_KEY_INVALID')
    return [['www-authenticate', 'ApiKey realm="yardmaster"']];
  if (status === 503 || status === 429) return [['retry-after', String(extra['retryAfterSeconds'] ?? 1)]];
  return [];
}
