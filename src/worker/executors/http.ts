import { parseJson } from '../../lib/json.ts';
import { retryAfterSeconds } from '../../lib/retry-after.ts';
import { TaskError } from '../task-error.ts';
import { payloadOf } from '../payload.ts';
import type { Received } from './http-client.ts';
import { sendFollowing } from './http-redirect.ts';
import { readBody } from './http-response.ts';
import { requestOf } from './http-request.ts';
import type { Executor } from './executor.ts';
import { numberOf } from './node-config.ts';

/**
 * One HTTP request. The output is `{status, headers, body}` with a JSON body parsed. 2xx succeeds; redirects are
 * followed; what else may come has its code in contract §4. Which addresses may be called, the master says.
 */
export const http: Executor = async (task, tools) => {
  const seconds = numberOf(task.node, 'timeoutSeconds', 600, tools.limits.httpTimeoutSeconds);
  const { url, init } = await requestOf(task, tools);
  const call = `${init.method} ${url.origin}${url.pathname}`;
  const limit = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([limit, task.signal()]);
  const started = performance.now();
  let status: number | null = null;
  try {
    const answer = await sendFollowing(tools.http, url, init, {
      most: tools.limits.httpRedirects,
      signal,
      holdsSecret: task.holdsSecret,
    });
    status = answer.status;
    const text = await readBody(answer.body, tools.limits.httpBodyBytes);
    if (status < 200 || status > 299) throw refused(answer, text, call);
    return { output: payloadOf({ status, headers: answer.headers, body: bodyOf(answer, text) }) };
  } catch (error) {
    if (task.signal().aborted) throw task.signal().reason;
    if (error instanceof TaskError) throw error;
    if (limit.aborted) throw new TaskError('UPSTREAM_UNAVAILABLE', `${call} did not answer within ${seconds} s`);
    throw networkError(error, call);
  } finally {
    task.log('worker', 'DEBUG', `${call} → ${status ?? 'no answer'}`, {
      http_method: init.method,
      http_url: `${url.origin}${url.pathname}`,
      http_status: status,
      duration_ms: Math.round(performance.now() - started),
    });
  }
};

function bodyOf({ headers }: Received, text: string): unknown {
  if (text === '') return null;
  if (!/^[^;]*[/+]json\s*(;|$)/i.test(headers['content-type'] ?? '')) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The failure for an answer outside of 2xx (contract §4). */
function refused({ status, statusText, headers }: Received, text: string, call: string): TaskError {
  const message = `${call} answered ${status}${statusText ? ` ${statusText}` : ''}${text === '' ? '' : `: ${text.slice(0, 500)}`}`;
  if (status === 401 || status === 403) return new TaskError('AUTHENTICATION_FAILED', message);
  if (status === 408 || status === 429 || status >= 500)
    return new TaskError('UPSTREAM_UNAVAILABLE', message, {
      retryAfterSeconds: retryAfterSeconds(headers['retry-after'], Date.now()),
    });
  return new TaskError('NON_RETRYABLE', message);
}

function networkError(error: unknown, call: string): TaskError {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: { message?: string }[] };
  return new TaskError(
    'UPSTREAM_UNAVAILABLE',
    `${call} failed: ${message || errors?.[0]?.message || code || String(error)}`,
  );
}
