import { parseJson } from '../../lib/json.ts';
import { TaskError } from '../failure.ts';
import { payloadOf } from '../payload.ts';
import { readBody, retryAfterSeconds } from './http-response.ts';
import { requestOf } from './http-request.ts';
import type { Executor } from './executor.ts';
import { numberOf } from './config.ts';

/**
 * One HTTP request. The output is `{status, headers, body}` with a JSON body parsed. 2xx succeeds; redirects are
 * followed; what else may come has its code in contract §4.
 */
export const http: Executor = async (task, tools) => {
  const seconds = numberOf(task.node, 'timeoutSeconds', 600, tools.limits.httpTimeoutSeconds);
  const { url, init } = await requestOf(task, tools);
  const limit = AbortSignal.timeout(seconds * 1000);
  const started = performance.now();
  let status: number | null = null;
  try {
    const response = await fetch(url, { ...init, redirect: 'follow', signal: AbortSignal.any([limit, task.signal()]) });
    status = response.status;
    const text = await readBody(response, tools.limits.httpBodyBytes);
    if (!response.ok) throw refused(response, text, `${init.method} ${url.origin}${url.pathname}`);
    return { output: payloadOf({ status, headers: Object.fromEntries(response.headers), body: bodyOf(response, text) }) };
  } catch (error) {
    if (error instanceof TaskError || task.signal().aborted) throw error;
    if (limit.aborted) throw new TaskError('UPSTREAM_UNAVAILABLE', `${init.method} ${url.origin}${url.pathname} did not answer within ${seconds} s`);
    throw networkError(error, `${init.method} ${url.origin}${url.pathname}`);
  } finally {
    task.log('worker', 'DEBUG', `${init.method} ${url.origin}${url.pathname} → ${status ?? 'no answer'}`, { http_method: init.method, http_url: `${url.origin}${url.pathname}`, http_status: status, duration_ms: Math.round(performance.now() - started) });
  }
};

function bodyOf(response: Response, text: string): unknown {
  if (text === '') return null;
  if (!/^[^;]*[/+]json\s*(;|$)/i.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The failure for an answer outside of 2xx (contract §4). */
function refused(response: Response, text: string, call: string): TaskError {
  const { status } = response;
  const message = `${call} answered ${status}${response.statusText ? ` ${response.statusText}` : ''}${text === '' ? '' : `: ${text.slice(0, 500)}`}`;
  if (status === 401 || status === 403) return new TaskError('AUTHENTICATION_FAILED', message);
  if (status === 408 || status === 429 || status >= 500) return new TaskError('UPSTREAM_UNAVAILABLE', message, { retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()) });
  return new TaskError('NON_RETRYABLE', message);
}

function networkError(error: unknown, call: string): TaskError {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  const why = cause?.message || cause?.code || (error instanceof Error ? error.message : String(error));
  // A port that the fetch standard forbids, or a chain of redirects without an end, does not mend by itself.
  const final = /bad port|redirect count exceeded|unknown scheme|invalid url/i.test(why);
  return new TaskError(final ? 'NON_RETRYABLE' : 'UPSTREAM_UNAVAILABLE', `${call} failed: ${why}`);
}
