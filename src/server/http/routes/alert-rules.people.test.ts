import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlertSources } from '../../alerts/sources.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { fakeLogs } from '../../testing/http.fake.ts';
import { fakeMetrics } from '../../testing/metrics.fake.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
const asked: unknown[] = [];
beforeAll(async () => {
  const [logs, metrics] = [fakeLogs(), fakeMetrics()];
  const series: AlertSources['series'] = async (query) => {
    asked.push(query.filters);
    return metrics.series(query);
  };
  h = await startHarness({
    alertSeries: series,
    services: {
      logs: {
        ...logs,
        async hits(query) {
          asked.push(query.within);
          return logs.hits(query);
        },
        run(run, signal) {
          asked.push(run.extraFilters);
          return logs.run(run, signal);
        },
      },
    },
  });
  await makeProject(h, 'shop', 'orders');
  await makeProject(h, 'bank', 'accounts');
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, token = 'person') {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await h.app.inject({ method, url: `/api/v1/alerts${url}`, headers, ...(payload && { payload }) });
  return answer.body === '' ? null : answer.json();
}
const METRICS = {
  source: 'metrics',
  measurement: 'task_metrics',
  field: 'counter_error_count',
  aggregate: 'sum',
  filters: { workflow_id: ['accounts', 'orders'] },
};
const LOGS = { source: 'logs', query: 'level:ERROR' };
const draft = (name: string, more: object = {}) => ({
  name,
  query: METRICS,
  threshold: { op: 'gt', value: 1 },
  ...more,
});
const names = async () => (await call('GET', '/rules?size=100')).items.map(({ name }: { name: string }) => name);

it('rules of a project are made, seen and changed by who may there, and by nobody else of another', async () => {
  be([granted('admin', 'shop')]);
  expect((await call('POST', '/rules', draft('everything'))).code).toBe('FORBIDDEN');
  expect((await call('POST', '/rules', draft('theirs', { project: 'bank' }))).code).toBe('PROJECT_NOT_FOUND');
  const { id, project } = await call('POST', '/rules', draft('ours', { project: 'shop' }));
  expect(project).toBe('shop');
  expect(await names()).toEqual(['ours']);
  expect((await call('PATCH', `/rules/${id}`, { project: 'bank' })).code).toBe('PROJECT_NOT_FOUND');
  expect(await call('PATCH', `/rules/${id}`, { enabled: false })).toMatchObject({ enabled: false, project: 'shop' });
  be([granted('viewer', 'shop')]);
  expect(await names()).toEqual(['ours']);
  expect((await call('PATCH', `/rules/${id}`, { enabled: true })).code).toBe('FORBIDDEN');
  be([granted('admin', 'bank')]);
  expect(await names()).toEqual([]);
  for (const method of ['GET', 'PATCH', 'DELETE'] as const)
    expect((await call(method, `/rules/${id}`, method === 'PATCH' ? {} : undefined)).code).toBe('ALERT_RULE_NOT_FOUND');
  // Built-in ones are about everything.
  expect((await call('GET', '/rules/builtin-workers-down')).code).toBe('ALERT_RULE_NOT_FOUND');
  const admin = { authorization: `Bearer ${h.tokens.admin}` };
  const refused = await h.app.inject({ method: 'DELETE', url: '/api/v1/projects/shop', headers: admin });
  expect(refused.json().detail).toContain('1 alert rules');
  be([granted('admin', 'shop')]);
  expect(await call('DELETE', `/rules/${id}`)).toBe(null);
});

it('look at what workflows of the project write alone, whatever the query says', async () => {
  be([granted('admin', 'shop')]);
  const preview = async (body: object) => {
    asked.length = 0;
    const answer = await call('POST', '/preview', { threshold: { op: 'gt', value: 1 }, ...body });
    return answer.code ?? asked[0];
  };
  expect(await preview({ query: METRICS, project: 'shop' })).toEqual({ workflow_id: ['orders'] });
  expect(await preview({ query: LOGS, project: 'shop' })).toEqual(['orders']);
  const stats = { source: 'logs', query: '* | union (*) | stats count() n' };
  expect(await preview({ query: stats, project: 'shop' })).toEqual(['workflow_id:in("orders")']);
  expect(await preview({ query: METRICS })).toBe('FORBIDDEN');
  expect(await preview({ query: LOGS, project: 'bank' })).toBe('PROJECT_NOT_FOUND');
  // Whatever project it names: a signal is about all of them.
  for (const signal of ['failureRate', 'workersLost', 'approvalsWaiting', 'schedulesLate'])
    expect(await preview({ query: { source: 'engine', signal }, project: 'shop' })).toBe('FORBIDDEN');
  await h.services.access.roles.set(
    'counter',
    { actions: ['metrics.read'] },
    { name: 't', role: 'admin', address: null },
  );
  be([granted('counter', 'shop')]);
  expect(await preview({ query: METRICS, project: 'shop' })).toEqual({ workflow_id: ['orders'] });
  expect(await preview({ query: LOGS, project: 'shop' })).toBe('PROJECT_NOT_FOUND');
});
