import type { Readable } from 'node:stream';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { retryAfterSeconds } from '../../lib/retry-after.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import { payloadFromValue } from '../payload.ts';
import type { HttpResponse } from './http-client.ts';
import { sendFollowingRedirects } from './http-redirect.ts';
import { buildRequest } from './http-request.ts';
import type { Executor } from './executor.ts';
import { requireNumber } from './node-config.ts';

/** Characters of the answer to a call that failed that are looked through for secrets, before its beginning is shown. */
const LOOKED_AT = 65_536;

/**
 * One HTTP request. The output is `{status, headers, body}` with a JSON body parsed. 2xx succeeds; redirects are
 * followed; what else may come is `docs/http-node.md`. Which addresses may be called, the master says.
 */
export const http: Executor = async (task, tools) => {
  const seconds = requireNumber(task.node, 'timeoutSeconds', 600, tools.limits.httpTimeoutSeconds);
  const { url, init } = await buildRequest(task, tools);
  const call = `${init.method} ${url.origin}${url.pathname}`;
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([limit, task.signal()]);
  const started = performance.now();
  let status: number | null = null;
  try {
    const answer = await sendFollowingRedirects(tools.http, url, init, {
      most: tools.limits.httpRedirects,
      signal,
      shown: task.shown,
    });
    status = answer.status;
    const text = await readBody(answer.body, tools.limits.httpBodyBytes);
    if (status < 200 || status > 299) throw statusError(answer, task.shown(text.slice(0, LOOKED_AT)), call);
    return { output: payloadFromValue({ status, headers: answer.headers, body: parseBody(answer, text) }) };
  } catch (error) {
    if (task.signal().aborted) throw task.signal().reason;
    if (error instanceof TaskExecutionError) throw error;
    if (limit.aborted)
      throw new TaskExecutionError('UPSTREAM_UNAVAILABLE', `${call} did not respond within ${seconds} s`);
    throw networkError(error, call);
  } finally {
    task.log('worker', 'DEBUG', `${call} → ${status ?? 'no response'}`, {
      http_method: init.method,
      http_url: `${url.origin}${url.pathname}`,
      http_status: status,
      duration_ms: Math.round(performance.now() - started),
    });
  }
};

/** The body as text, at most `limit` bytes of it after decompression: more is a failure that a retry does not mend. */
async function readBody(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const bytesOf: AsyncIterable<Buffer> = body;
  for await (const chunk of bytesOf) {
    bytes += chunk.byteLength;
    if (bytes > limit)
      throw new TaskExecutionError('NON_RETRYABLE', `the response exceeds the ${limit} bytes allowed for http nodes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseBody({ headers }: HttpResponse, text: string): unknown {
  if (text === '') return null;
  if (!/^[^;]*[/+]json\s*(;|$)/i.test(headers['content-type'] ?? '')) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The failure for an answer outside of 2xx. */
function statusError({ status, statusText, headers }: HttpResponse, text: string, call: string): TaskExecutionError {
  const message = `${call} answered ${status}${statusText ? ` ${statusText}` : ''}${text === '' ? '' : `: ${text.slice(0, 500)}`}`;
  if (status === 401 || status === 403) return new TaskExecutionError('AUTHENTICATION_FAILED', message);
  if (status === 408 || status === 429 || status >= 500)
    return new TaskExecutionError('UPSTREAM_UNAVAILABLE', message, {
      retryAfterSeconds: retryAfterSeconds(headers['retry-after'], Date.now()),
    });
  return new TaskExecutionError('NON_RETRYABLE', message);
}

function networkError(error: unknown, call: string): TaskExecutionError {
  return new TaskExecutionError('UPSTREAM_UNAVAILABLE', `${call} failed: ${networkMessage(error)}`);
}

/** An attempt at several addresses fails with an error that says nothing itself. */
function networkMessage(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  return (
    (error instanceof Error && error.message) ||
    (first === undefined ? '' : errorMessage(first)) ||
    errorCode(error) ||
    String(error)
  );
}
