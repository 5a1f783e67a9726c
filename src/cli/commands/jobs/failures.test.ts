import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../../process-io.fake.ts';

let asked: { line: string; labels: unknown }[] = [];
const answers: Record<string, unknown> = {};
const master = fakeMaster(({ method, path, headers }) => {
  asked.push({ line: `${method} ${path}`, labels: headers['x-labels'] });
  return answers[`${method} ${path.split('?')[0]}`] ?? {};
});
beforeEach(() => void (asked = []));
const yardmaster = (...args: string[]) => master.yardmaster(args, { stdin: async () => '[{}]' });

const TIME = '2026-01-01T00:00:00.000Z';
const group = {
  id: '0123456789abcdef',
  status: 'RESOLVED',
  workflowId: 'pay',
  node: 'charge',
  code: 'TASK_ERROR',
  message: 'card <n> refused',
  sample: 'card 4111 refused',
  count: 12,
  firstSeenAt: TIME,
  lastSeenAt: TIME,
  lastJobId: 'j',
  lastTaskId: 't',
  environments: [
    { environment: 'prod', count: 11 },
    { environment: null, count: 1 },
  ],
  commits: [{ commit: 'a'.repeat(40), count: 12, lastSeenAt: TIME }],
  workers: [],
  decidedAt: TIME,
  decidedBy: 'ann',
  reopenedAt: null,
};

it('lists groups by what the API filters and sorts by', async () => {
  answers['GET /api/v1/failures'] = {
    items: [group, { ...group, status: 'OPEN', haveSucceeded: true, sameMessage: true }],
    page: 0,
    size: 20,
    totalItems: 1,
    totalPages: 1,
  };
  const { code, out } = await yardmaster(
    'failures',
    'list',
    '--status',
    'OPEN,RESOLVED',
    '--workflow',
    'pay',
    '--environment',
    'prod',
    '--node',
    'charge',
    '--code',
    'TASK_ERROR',
    '--q',
    'card',
    '--sort',
    'count,desc',
    '--size',
    '5',
  );
  expect(asked.map(({ line }) => line)).toEqual([
    'GET /api/v1/failures?size=5&sort=count,desc&status=OPEN&status=RESOLVED&workflowId=pay&environment=prod&node=charge&code=TASK_ERROR&q=card',
  ]);
  expect([code, out]).toEqual([0, expect.stringContaining('card <n> refused')]);
  expect(out).toMatch(/OPEN, recovered.*card 4111 refused/);
});

it('shows a group with what sets its jobs apart', async () => {
  answers[`GET /api/v1/failures/${group.id}`] = {
    ...group,
    causes: [
      { kind: 'input', path: 'country', value: 'FR', failures: 0.875, successes: 0.02 },
      { kind: 'missing', path: 'items', value: '', failures: 1, successes: 0, fewRuns: { failures: 3, successes: 7 } },
    ],
    jobs: [{ id: 'j', status: 'FAILED', createdAt: TIME, message: 'card 4111 refused' }],
    standing: { jobs: 12, succeeded: 9, running: 1, failed: 2 },
  };
  const { out } = await yardmaster('failures', 'show', group.id);
  for (const text of [
    'RESOLVED by ann',
    'prod 11, none 1',
    'aaaaaaaaaa 12',
    'input country',
    'of 12 jobs 9 succeeded, 1 run, 2 failed',
    '87.5%',
    '2%',
    '3 of 3',
    '0 of 7',
    'card 4111 refused',
  ])
    expect(out).toContain(text);
});

it('decides about a group, and retries its jobs', async () => {
  for (const decision of ['resolve', 'ignore', 'reopen']) {
    answers[`POST /api/v1/failures/${group.id}/${decision}`] = group;
    expect((await yardmaster('failures', decision, group.id, '--json')).out).toBe(JSON.stringify(group));
  }
  answers[`POST /api/v1/failures/${group.id}/retry`] = { operationId: 'o' };
  answers['GET /api/v1/operations/o'] = {
    operationId: 'o',
    kind: 'retry',
    status: 'DONE',
    total: 12,
    done: 12,
    failed: 0,
    createdAt: TIME,
    finishedAt: TIME,
    createdBy: 'ann',
    filter: { failureGroup: group.id },
  };
  expect((await yardmaster('failures', 'retry', group.id)).out).toBe('operation o');
  expect((await yardmaster('failures', 'retry', group.id, '--wait')).out).toContain('12 of 12 jobs');
  answers[`GET /api/v1/failures/${group.id}`] = group;
  answers['POST /api/v1/jobs/bulk/rerun'] = { operationId: 'r' };
  expect((await yardmaster('failures', 'rerun', group.id)).out).toContain('operation r started');
  expect(asked.at(-1)?.line).toBe('POST /api/v1/jobs/bulk/rerun');
});

it('gives an event labels, whatever is in them', async () => {
  await yardmaster('event', 'send', 'pay', 'dev', '--api-key', 'k', '--label', 'team=a,b', '--label', 'share=50%');
  expect(asked[0]?.labels).toBe('team=a%2Cb,share=50%25');
});

it('says which name of a metric is unknown, where nothing was found', async () => {
  answers['GET /api/v1/metrics/series'] = { series: [] };
  answers['GET /api/v1/metrics/names'] = {
    items: [{ measurement: 'task_metrics', fields: [{ name: 'timer_run_ms', type: 'float' }] }],
  };
  expect((await yardmaster('metrics', 'series', 'tasks', 'timer_run_ms')).out).toBe(
    'metric "tasks" not found; measurements: task_metrics',
  );
  expect((await yardmaster('metrics', 'series', 'task_metrics', 'timer')).out).toBe(
    'task_metrics has no field "timer"; fields: timer_run_ms',
  );
  expect((await yardmaster('metrics', 'series', 'task_metrics', 'timer_run_ms')).out).toBe(
    'no data points in this time range',
  );
});
