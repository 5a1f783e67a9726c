import { isRecord } from '../../lib/is-record.ts';
import { errorMessage } from '../../lib/errors.ts';
import { isRawNumber } from '../../lib/json.ts';
import { contextOf, traceparentOf } from '../../lib/trace-context.ts';
import { TaskExecutionError } from '../task-execution-error.ts';
import type { TaskRun } from './executor.ts';
import type { Tools } from './tools.ts';
import { requireText } from './node-config.ts';

/** The request of an `http` node with every `{{…}}` in its strings filled from the input. */
export async function buildRequest(
  task: TaskRun,
  tools: Tools,
): Promise<{ url: URL; init: { method: string; headers: Headers; body?: string } }> {
  const filled = (text: string) => tools.fillTemplate(text, task.input, task, task.secret);
  const { headers, query, body } = task.node.config;
  const method = requireText(task.node, 'method').toUpperCase();
  const url = parseUrl(await filled(requireText(task.node, 'url')), task.shown);
  for (const [name, value] of Object.entries(isRecord(query) ? query : {}))
    url.searchParams.append(await filled(name), await filled(asText(value)));

  const sent = new Headers({ 'user-agent': `yardmaster/${tools.version}` });
  const { trace } = task.lease;
  if (trace !== undefined) sent.set('traceparent', traceparentOf(contextOf(trace, task.id, task.attempt)));
  for (const [name, value] of Object.entries(isRecord(headers) ? headers : {}))
    setHeader(sent, await filled(name), await filled(asText(value)));
  if (body === undefined || body === null || method === 'GET' || method === 'HEAD')
    return { url, init: { method, headers: sent } };

  const text = typeof body === 'string' ? await filled(body) : JSON.stringify(await fillDeep(body, filled));
  if (!sent.has('content-type'))
    sent.set(
      'content-type',
      typeof body !== 'string' || isJson(text) ? 'application/json' : 'text/plain;charset=UTF-8',
    );
  return { url, init: { method, headers: sent, body: text } };
}

function parseUrl(text: string, shown: TaskRun['shown']): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `the URL must be http or https; got ${JSON.stringify(shown(text).slice(0, 200))}`,
    );
  if (url.username === '' && url.password === '') return url;
  throw new TaskExecutionError(
    'NON_RETRYABLE',
    'the URL must not contain a user name or password: send them in an "authorization" header',
  );
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch (error) {
    throw new TaskExecutionError(
      'NON_RETRYABLE',
      `the header ${JSON.stringify(name)} cannot be sent: ${errorMessage(error)}`,
    );
  }
}

/** A body is JSON by its looks: it starts like an object or an array, and parses. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const asText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : isRawNumber(value)
      ? value.rawJSON
      : value === null || value === undefined
        ? ''
        : typeof value === 'object'
          ? JSON.stringify(value)
          : String(value);

async function fillDeep(value: unknown, filled: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return filled(value);
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
  if (Array.isArray(value)) return Promise.all(value.map((inner) => fillDeep(inner, filled)));
  return Object.fromEntries(
    await Promise.all(
      Object.entries(value).map(async ([key, inner]) => [await filled(key), await fillDeep(inner, filled)]),
    ),
  );
}
