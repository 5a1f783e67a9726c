import { afterEach, describe, expect, it, vi } from 'vitest';
import { callEndpoint, newCallId, problemOfAnswer } from './call.ts';
import { createTryMemory } from './memory.ts';

afterEach(() => vi.unstubAllGlobals());

describe('callEndpoint', () => {
  it('sends key, preference and the very text, and reads the answer to the letter', async () => {
    const sent: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      sent.push(init);
      return new Response('[{"n":12345678901234567890}]', {
        status: 200,
        headers: { 'x-job-id': 'j1', 'x-commit': 'c1', 'content-type': 'application/json' },
      });
    });
    let time = 0;
    const answer = await callEndpoint(
      { workflowId: 'a', environment: 'dev', key: 'ym_x', body: '[{ }]', async: true, externalId: 'try-1' },
      new AbortController().signal,
      () => (time += 7),
    );
    expect(sent[0]?.body).toBe('[{ }]');
    expect(sent[0]?.headers).toMatchObject({
      'api-key': 'ym_x',
      prefer: 'respond-async',
      'x-external-id': 'try-1',
      'content-type': 'application/json',
    });
    expect(answer).toMatchObject({ status: 200, ms: 7, bytes: 28, jobId: 'j1', commit: 'c1' });
    expect(JSON.stringify(answer.value)).toBe('[{"n":12345678901234567890}]');
  });
});

it('names each call anew', () => {
  const ids = Array.from({ length: 50 }, newCallId);
  expect(new Set(ids).size).toBe(50);
  for (const id of ids) expect(id).toMatch(/^try-[0-9a-f]{12}$/);
});

describe('problemOfAnswer', () => {
  it('names the node and task that failed', () => {
    const problem = problemOfAnswer({
      status: 502,
      value: {
        code: 'WORKFLOW_FAILED',
        title: 'The workflow failed',
        detail: 'd',
        jobId: 'j',
        taskId: 't',
        node: 'score',
        taskCode: 'TASK_ERROR',
        taskMessage: 'boom',
      },
    });
    expect(problem?.failure).toEqual({ node: 'score', taskId: 't', code: 'TASK_ERROR', message: 'boom' });
  });

  it('lists faults of the input and gives advice', () => {
    expect(
      problemOfAnswer({
        status: 422,
        value: { code: 'INPUT_INVALID', errors: [{ pointer: '/0/content', message: 'is required' }] },
      })?.errors,
    ).toEqual([{ pointer: '/0/content', message: 'is required' }]);
    expect(problemOfAnswer({ status: 401, value: { code: 'API_KEY_MISSING' } })?.advice).toContain('create one');
  });

  it('takes no output for a problem', () => {
    expect(problemOfAnswer({ status: 200, value: { code: 'X' } })).toBeNull();
    expect(problemOfAnswer({ status: 502, value: undefined })).toBeNull();
  });
});

it('remembers a key for each workflow and environment', () => {
  const map = new Map<string, string>();
  const memory = createTryMemory({
    getItem: (k) => map.get(k) ?? null,
    setItem: (k, v) => void map.set(k, v),
    removeItem: (k) => void map.delete(k),
  });
  memory.setKey('a', 'dev', 'ym_1');
  expect([memory.key('a', 'dev'), memory.key('a', 'prod')]).toEqual(['ym_1', '']);
  memory.setKey('a', 'dev', '');
  expect(map.size).toBe(0);
  expect(createTryMemory(null).input('a')).toBeNull();
});
