import { afterAll, beforeAll, expect, it } from 'vitest';
import { fakeMetrics } from '../../testing/http.fake.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { granted, letPersonIn, makeProject } from '../../testing/person.fixture.ts';

let h: Harness;
let be: ReturnType<typeof letPersonIn>['be'];
let asked: unknown[] = [];
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
