import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { done } from '../../testing/worker.fake.ts';
import { openRig, submission, workflow } from '../../testing/engine.fixture.ts';

const MANY = 300;

it('keeps a job while a rerun still takes over from it what had finished', async () => {
  const rig = await openRig({ limits: { jobRetentionDays: 1, retentionStepMs: 4 } });
  const worker = await rig.worker({ capacity: 500 });
  const flow = workflow({ a: {}, b: {}, last: {} }, ['input>a', 'input>b', 'a>last', 'b>last', 'last>output']);
  const source = await rig.submit(
    flow,
    Array.from({ length: MANY }, (_, n) => ({ n })),
  );
  while ((await rig.jobs.get(source)).finishedAt === null) {
    if (worker.untaken === 0) await nextTurn();
    else worker.report(done(await worker.lease(), 1));
  }
  rig.clock.advance(2 * 86_400_000);
  worker.beat();
  const inputs = await rig.jobs.inputs(source, 'last');
  const lineage = { rerunOf: source, rerunNode: 'last', parentTaskId: null, parentJobId: null, depth: 0 };
  const { jobId } = await rig.jobs.rerun({ ...submission(flow, inputs, { kind: 'batch' }), lineage });
  await rig.tidy();
  await expect
    .poll(async () => (await rig.jobs.tasks(jobId, { page: 0, size: 1, node: 'last' })).totalItems)
    .toBe(MANY);
  // Two nodes were taken over for each replica, and nothing of them runs anew.
  expect((await rig.jobs.get(jobId)).taskCounters).toMatchObject({ completedTasks: 2 * MANY });
  await rig.tidy();
  await expect(rig.jobs.get(source)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  await rig.close();
});
