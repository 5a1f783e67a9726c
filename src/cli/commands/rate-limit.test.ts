import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';

let asked: { method: string; path: string; body: unknown; priority: unknown }[] = [];
let answer: object = {};
/** A master that answers everything alike. */
const master = fakeMaster(({ method, path, body, headers }) => {
  asked.push({ method, path, body: body === '' ? null : JSON.parse(body), priority: headers['x-priority'] });
  return answer;
});
beforeEach(() => void (asked = []));
const cli = (...args: string[]) => master.yardmaster(args, { stdin: async () => '[{}]' });

it('changes the limits of a key or a workflow, and takes them away', async () => {
  answer = { id: 'k', name: 'shop', limits: { eventsPerSecond: 5, concurrency: null } };
  const shown = await cli('keys', 'limit', 'k', '--events-per-second', '5', '--concurrency', 'none');
  expect(shown).toMatchObject({
    code: 0,
    out: expect.stringMatching(/events a second +5\nconcurrent tasks +no limit/),
  });
  await cli('workflow', 'limit', 'flow', '--concurrency', '3');
  expect(asked).toMatchObject([
    { method: 'PATCH', path: '/api/v1/keys/k', body: { limits: { eventsPerSecond: 5, concurrency: null } } },
    { method: 'PATCH', path: '/api/v1/workflows/flow', body: { limits: { concurrency: 3 } } },
  ]);
  expect((await cli('keys', 'limit', 'k')).code).toBe(2);
  expect((await cli('keys', 'limit', 'k', '--concurrency', '0')).err).toContain('none');
});

it('sends an event with a priority', async () => {
  answer = [1];
  expect((await cli('event', 'send', 'flow', 'dev', '--api-key', 'k', '--priority', '-20')).code).toBe(0);
  expect(asked[0]).toMatchObject({ path: '/api/v1/events/flow/dev', priority: '-20' });
  expect((await cli('event', 'send', 'flow', 'dev', '--api-key', 'k', '--priority', '101')).code).toBe(2);
});

it('tells why a task is not running', async () => {
  answer = {
    taskId: 't1',
    state: 'READY',
    reason: 'ALL_MAXED',
    message: 'It is number 5 of 8.',
    queue: { position: 5, total: 8 },
    slots: { used: 2, total: 2, workers: 1, accepting: 1 },
    handler: null,
    limit: { scope: 'key', name: 'shop', most: 2, used: 2 },
    childJobId: null,
    retryAt: null,
    scheduleTimeoutAt: '2026-01-01T00:00:00.000Z',
    runTimeoutAt: null,
  };
  const { code, out } = await cli('jobs', 'why', 't1');
  expect(code).toBe(0);
  expect(asked[0]?.path).toBe('/api/v1/tasks/t1/why');
  expect(out).toMatch(
    /^It is number 5 of 8\.\n\n[\s\S]*queue +5 of 8\n[\s\S]*limit +key shop: 2 of 2\nschedule timeout +2026/,
  );
  expect(JSON.parse((await cli('jobs', 'why', 't1', '--json')).out)).toEqual(answer);
});
