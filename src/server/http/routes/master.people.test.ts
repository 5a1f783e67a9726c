import { afterAll, beforeAll, expect, it } from 'vitest';
import { granted } from '../../testing/person.fixture.ts';
import { oneStep, openTwoProjects, type TwoProjects } from '../../testing/two-projects.fixture.ts';

let opened: TwoProjects;
let h: TwoProjects['h'];
let rig: TwoProjects['rig'];
let be: TwoProjects['be'];
beforeAll(async () => {
  opened = await openTwoProjects();
  ({ h, rig, be } = opened);
});
afterAll(() => opened.close());

async function overview(token = 'person') {
  const answer = await h.app.inject({ url: '/api/v1/overview', headers: { authorization: `Bearer ${token}` } });
  return answer.json();
}

it('counts what somebody limited to projects reaches, and shows no workers', async () => {
  await rig.submit(oneStep('orders'), [{}, {}]);
  const killed = await rig.submit(oneStep('orders'), [{}]);
  for (let i = 0; i < 5; i++) await rig.submit(oneStep('accounts'), [{}]);
  await rig.jobs.kill(killed, 'ann');
  await expect.poll(async () => (await rig.jobs.get(killed)).status).toBe('FAILED');
  be([granted('viewer', 'shop')]);
  const own = await overview();
  expect(own).toMatchObject({
    jobs: { running: 1, failedLastHour: 0, createdLastHour: 2, throughputPerMinute: 0.2, p95Ms: expect.any(Number) },
    tasks: { ready: 2, scheduled: 0, running: 0, retrying: 0 },
  });
  expect(own).not.toHaveProperty('workers');
  expect(own.publications.map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual(['orders']);

  // The same for all projects: what is counted as it happens.
  be([granted('viewer', 'shop'), granted('viewer', 'bank'), granted('viewer', 'default')]);
  const all = await overview(h.tokens.viewer);
  const each = await overview();
  expect(each.jobs).toEqual({ ...all.jobs, p95Ms: expect.any(Number) });
  expect([each.tasks, each.failures, each.publications]).toEqual([all.tasks, all.failures, all.publications]);
  expect(all).toHaveProperty('workers');
});
