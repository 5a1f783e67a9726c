import type { ServerResponse } from 'node:http';
import { errorCode, errorMessage } from '../../../lib/errors.ts';

/** An error in the shape of this surface: `{code, message}`. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | null;
  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export const invalid = (message: string): Refusal => new Refusal(400, 'invalid', message);
export const notFound = (message: string): Refusal => new Refusal(404, 'not found', message);

/** Faults of the store and of the language that are the caller's. */
const CALLERS: Readonly<Record<string, readonly [status: number, code: string]>> = {
  FLUX_INVALID: [400, 'invalid'],
  FLUX_RUNTIME: [400, 'invalid'],
  FLUX_LIMIT: [400, 'invalid'],
  METRICS_TOO_BROAD: [400, 'invalid'],
  METRICS_TIMEOUT: [400, 'invalid'],
  BUCKET_NOT_FOUND: [404, 'not found'],
  BUCKET_EXISTS: [422, 'conflict'],
  VALIDATION_FAILED: [400, 'invalid'],
};
/** Faults that pass: the caller may try again. */
const RETRY_SECONDS = 5;

/** What was thrown, in the statuses of this surface. `internal`: it is a fault of ours, to be reported. */
export function refusalOf(error: unknown): { refusal: Refusal; internal: boolean } {
  if (error instanceof Refusal) return { refusal: error, internal: false };
  const code = errorCode(error);
  const message = errorMessage(error);
  const known = code === undefined ? undefined : CALLERS[code];
  if (known) return { refusal: new Refusal(known[0], known[1], message), internal: false };
  if (code === undefined || code === 'INTERNAL')
    return { refusal: new Refusal(500, 'internal error', 'An internal error has occurred'), internal: true };
  return { refusal: new Refusal(503, 'unavailable', message, RETRY_SECONDS), internal: false };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}

export function sendRefusal(
  response: ServerResponse,
  { status, code, message, retryAfter }: Refusal,
  headers: Record<string, string> = {},
): void {
  sendJson(
    response,
    status,
    { code, message },
    {
      'x-platform-error-code': code,
      ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
      ...headers,
    },
  );
}

export const sendNothing = (response: ServerResponse, headers: Record<string, string> = {}): void =>
  void response.writeHead(204, headers).end();
