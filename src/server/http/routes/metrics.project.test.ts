import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeMetrics } from '../../testing/metrics.fake.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
let asked: unknown[] = [];
let within: unknown[] = [];
beforeAll(async () => {
  const metrics = fakeMetrics();
  h = await startHarness({
    services: {
      metrics: {
        ...metrics,
        async series(query) {
          asked.push(query.filters);
          return metrics.series(query);
        },
        names(ids) {
          within.push(ids);
          return metrics.names();
        },
        tags(query) {
          within.push(query.within);
          return metrics.tags(query);
        },
        tagValues(query) {
          within.push(query.within);
          return metrics.tagValues(query);
        },
        query(query) {
          within.push(query.within);
          return metrics.query(query);
        },
      },
    },
  });
  await makeProject(h, 'shop', 'orders');
  await h.publish('returns');
  await makeProject(h, 'bank', 'accounts');
  ({ be } = letPersonIn(h));
});
afterAll(() => h.close());

async function filters(rest = ''): Promise<unknown> {
  asked = [];
  const answer = await h.app.inject({
    url: `/api/v1/metrics/series?measurement=job_metrics&field=timer_total_ms${rest}`,
    headers: { authorization: 'Bearer person' },
  });
  return answer.statusCode === 200 ? asked[0] : answer.json().code;
}

it('charts of a person limited to projects hold series of workflows of these alone', async () => {
  be([granted('viewer', 'shop')]);
  expect(await filters('&environment=dev')).toEqual({ environment: ['dev'], workflow_id: ['orders'] });
  expect(await filters('&workflow_id=orders&workflow_id=accounts')).toEqual({ workflow_id: ['orders'] });
  // No value at all: nothing is found.
  expect(await filters('&workflow_id=accounts')).toEqual({ workflow_id: [] });
  be([granted('viewer', null)]);
  expect(await filters('&workflow_id=accounts')).toEqual({ workflow_id: ['accounts'] });
  be([]);
  expect(await filters()).toBe('FORBIDDEN');
});

it.each([
  ['names', ''],
  ['tags', ''],
  ['tag-values', '?tag=node'],
  ['', ''],
  // A tag of that name in the query narrows, and widens nothing.
  ['', '?workflow_id=accounts&within=accounts'],
])('%s%s are of workflows of their projects alone', async (path, query) => {
  const ask = async () => {
    within = [];
    const { statusCode } = await h.app.inject({
      url: `/api/v1/metrics${path === '' ? '' : `/${path}`}${query}`,
      headers: { authorization: 'Bearer person' },
    });
    return [statusCode, ...within];
  };
  be([granted('viewer', 'shop')]);
  expect(await ask()).toEqual([200, ['orders']]);
  be([granted('viewer', null)]);
  expect(await ask()).toEqual([200, null]);
  be([]);
  expect(await ask()).toEqual([403]);
});
