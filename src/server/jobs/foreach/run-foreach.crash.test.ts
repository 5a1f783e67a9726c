import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { items } from '../../testing/worker.fake.ts';
import { openRig, workflow } from '../../testing/engine.fixture.ts';

it('a list goes on after a crash between two turns in which items failed at once', async () => {
  let rig = await openRig();
  const worker = await rig.worker();
  const call = { type: 'workflow', config: { workflowId: 'gone', environment: 'dev' } };
  const jobId = await rig.submit(
    workflow(
      { each: { type: 'forEach', config: { items: 'list', node: call, concurrency: 500, onError: 'collect' } } },
      ['input>each', 'each>output'],
    ),
  );
  const fan = () => rig.store.read.query<Record<string, number | string>>('SELECT * FROM fan_out').get();
  worker.report(
    items(
      await worker.lease(),
      Array.from({ length: 200 }, (_, n) => ({ n })),
    ),
  );
  while (fan()?.['phase'] !== 'run' || fan()?.['active'] !== 0 || fan()?.['failed'] === 0) await nextTurn();
  const file = rig.crash();
  await rig.close();
  rig = await openRig({ file, clock: rig.clock });
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'FAILED', finishedAt: expect.any(Number) });
  expect(await rig.jobs.get(jobId)).toMatchObject({ taskCounters: { failedTasks: 200 } });
  await rig.close();
});
