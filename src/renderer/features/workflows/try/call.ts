import { isRecord } from '../../../../lib/is-record.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { answer } from '../../../api/client.ts';

/** What came back of one event call. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Until the whole body was there, in milliseconds. */
  readonly ms: number;
  readonly bytes: number;
  readonly text: string;
  /** The body with its numbers to the letter; undefined where it is no JSON. */
  readonly value: unknown;
  readonly jobId: string | null;
  readonly commit: string | null;
}

export interface EventRequest {
  readonly workflowId: string;
  readonly environment: Environment;
  readonly key: string;
  readonly body: string;
  readonly async: boolean;
  /** By which its job is found while it has no answer. */
  readonly externalId: string;
}

/** An external ID for one call from this page. */
export const newCallId = (): string =>
  `try-${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Calls the real endpoint. Any status is an answer; throws `ApiError` where none came, and what `signal` aborts. */
export async function callEndpoint(request: EventRequest, signal: AbortSignal, now: () => number): Promise<Answer> {
  const from = now();
  const { workflowId, environment } = request;
  const response = await answer('events.send', {
    params: { workflowId, environment },
    json: request.body,
    headers: {
      ...(request.key === '' ? {} : { 'api-key': request.key }),
      ...(request.async ? { prefer: 'respond-async' } : {}),
      'x-external-id': request.externalId,
    },
    signal,
  });
  const text = await response.text();
  const value = valueOfText(text);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].sort(([a], [b]) => a.localeCompare(b)),
    ms: Math.round(now() - from),
    bytes: new TextEncoder().encode(text).length,
    text,
    value,
    jobId: response.headers.get('x-job-id') ?? textMember(value, 'jobId'),
    commit: response.headers.get('x-commit'),
  };
}

function valueOfText(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export const textMember = (value: unknown, key: string): string | null => {
  const member = isRecord(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : null;
};

export interface ReadableProblem {
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly { pointer: string; message: string }[];
  /** The node and task that failed, for a workflow that gave no output. */
  readonly failure: {
    readonly node: string;
    readonly taskId: string;
    readonly code: string;
    readonly message: string;
  } | null;
  /** What to do about it, where the console knows more than the answer says. */
  readonly advice: string | null;
}

/** Reads a problem document; null where the answer is none. */
export function problemOfAnswer(answer: Pick<Answer, 'status' | 'value'>): ReadableProblem | null {
  const code = textMember(answer.value, 'code');
  if (answer.status < 400 || code === null) return null;
  const text = (key: string) => textMember(answer.value, key);
  const errors = isRecord(answer.value) ? answer.value['errors'] : null;
  const node = text('node');
  return {
    code,
    title: text('title') ?? code,
    detail: text('detail') ?? '',
    errors: Array.isArray(errors)
      ? errors.flatMap((error: unknown) => [
          { pointer: textMember(error, 'pointer') ?? '', message: textMember(error, 'message') ?? '' },
        ])
      : [],
    failure:
      node === null
        ? null
        : { node, taskId: text('taskId') ?? '', code: text('taskCode') ?? '', message: text('taskMessage') ?? '' },
    advice: ADVICE[code] ?? null,
  };
}

const ADVICE: Readonly<Record<string, string>> = {
  API_KEY_MISSING: t('Enter an API key above, or create one.'),
  API_KEY_INVALID: t('Create a new key, or check Keys.'),
  API_KEY_SCOPE: t('The key has no access to this workflow in this environment. Create one that has.'),
  NOT_PUBLISHED: t('Publish a version to this environment first.'),
  NO_WORKERS: t('No worker is online: check Workers. An asynchronous call would wait for one.'),
  WORKFLOW_TIMEOUT: t('The job continues. Its page shows the output when it has finished.'),
};
