import type { ServerResponse } from 'node:http';
import { ERRORS, isErrorCode } from '../../../contract/errors.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import type { LogQueryRequest } from './port.ts';

/** An error in the shape of this surface: a status and a line of text. */
export class Refusal extends Error {
  readonly status: number;
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | null;
  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** What a room threw, in the statuses of this surface: 400 whatever the caller did wrong, 503 whatever passes. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = errorCode(error);
  const status = code === undefined ? 500 : isErrorCode(code) ? ERRORS[code][0] : undefined;
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return new Refusal(status === 413 ? 413 : 400, errorMessage(error));
  if (code === undefined || code === 'INTERNAL') return new Refusal(500, 'internal error');
  return new Refusal(503, errorMessage(error), 5);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return;
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      ...headers,
    })
    .end(text);
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
    .end(text);
}

/** What says that data is missing from an answer because it is damaged. In a trailer too where the answer is a stream. */
export const WARNINGS = 'x-yardmaster-warnings';
export function warningsHeader({ options, range }: LogQueryRequest): Record<string, string> {
  const count = options.warnings?.(range) ?? 0;
  return count === 0 ? {} : { [WARNINGS]: String(count) };
}

/** The answer to a query, with how long it took. */
export function answerJson(ask: LogQueryRequest, value: unknown): void {
  sendJson(ask.response, value, 200, { ...durationSince(ask.started), ...warningsHeader(ask) });
}
export const durationSince = (started: number): Record<string, string> => ({
  'vl-request-duration-seconds': ((performance.now() - started) / 1000).toFixed(3),
});

/** A reader that takes nothing for so long is hung up on: what its query reads must not be kept for it for ever. */
const STALLED_MS = 60_000;

/** Writes and waits while the reader is slow. False: the reader has gone. */
export async function write(
  response: ServerResponse,
  data: Uint8Array | string,
  stalledMs = STALLED_MS,
): Promise<boolean> {
  if (response.destroyed || response.writableEnded) return false;
  if (response.write(data)) return true;
  await drained(response, stalledMs);
  return !response.destroyed;
}

/** Waits until a slow reader took what was written, or has gone. */
export async function drained(response: ServerResponse, stalledMs = STALLED_MS): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => response.destroy(), stalledMs);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
