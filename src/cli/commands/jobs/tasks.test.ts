import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';

let asked: string[] = [];
let total = 1;
const task = {
  id: 't1',
  node: 'charge',
  replica: 3,
  state: 'FAILED',
  attempt: 2,
  workerId: 'worker-4f1c2a9b',
  error: { code: 'CARD_REFUSED', message: 'card refused' },
};
const master = fakeMaster(({ method, path }) => {
  asked.push(`${method} ${path}`);
  return path.includes('/tasks')
    ? { items: total === 0 ? [] : [task], page: 0, size: 1, totalItems: total, totalPages: total }
    : { id: 'j', status: 'FAILED', taskCounters: {}, trigger: { kind: 'event' }, priority: 0, durationMs: null };
});
beforeEach(() => {
  asked = [];
  total = 1;
});
const tasks = (...args: string[]) => master.yardmaster(['jobs', 'tasks', 'j', ...args]);

it('lists tasks by what the API filters and sorts by', async () => {
  const args = ['--state', 'FAILED,RUN_TIMEOUT', '--node', 'charge', '--replica', '3', '--worker', '4f1c'];
  const more = ['--code', 'card_refused', '--q', 'refused', '--sort', 'node,desc', '--page', '0', '--size', '1'];
  const { code, out } = await tasks(...args, ...more);
  expect(asked).toEqual([
    'GET /api/v1/jobs/j/tasks?page=0&size=1&sort=node,desc&state=FAILED&state=RUN_TIMEOUT&node=charge&replica=3&worker=4f1c&code=card_refused&q=refused',
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/charge +3 +FAILED +2 +worker-4f1c2a9b +CARD_REFUSED +t1\n/);
  expect(out).toContain('charge failed on input 3 with CARD_REFUSED:\n  card refused');
});

it('says where one is in a long list, and that nothing matches', async () => {
  total = 7;
  expect((await tasks()).out).toContain('page 0 of 0 to 6, 1 per page, 7 in total');
  total = 0;
  expect((await tasks('--code', 'NONE')).out).toBe('no tasks');
});

it('prints the whole answer with --json', async () => {
  expect(JSON.parse((await tasks('--json')).out)).toMatchObject({ items: [task], totalItems: 1 });
});

it.each(['many', '1.5', '-1', ''])('refuses "%s" as a replica before it asks', async (replica) => {
  const { code, err } = await tasks(`--replica=${replica}`);
  expect([code, err]).toEqual([2, expect.stringContaining('whole number')]);
  expect(asked).toEqual([]);
});

it('shows a job with its first tasks, and how to list all', async () => {
  total = 7;
  const { out } = await master.yardmaster(['jobs', 'show', 'j']);
  expect(out).toContain('1 of 7 tasks; jobs tasks lists all');
  expect(asked).toEqual(['GET /api/v1/jobs/j', 'GET /api/v1/jobs/j/tasks?size=100']);
});
