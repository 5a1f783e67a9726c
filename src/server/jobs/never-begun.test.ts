import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { started } from '../testing/fake-worker.ts';
import { openRig, workflow } from '../testing/rig.ts';

const one = () => workflow({ a: { retries: 1, retryBackoffSeconds: 1 } }, ['input>a', 'a>output']);

it('a worker found silent once all is closed leaves nothing going round', async () => {
  const rig = await openRig({ mayReport: true });
  const worker = await rig.worker();
  const jobId = await rig.submit(one());
  worker.report(started(await worker.lease()));
  await expect.poll(async () => (await rig.tasks(jobId))[0]?.state).toBe('RUNNING');
  await rig.close();
  rig.clock.advance(20_000);
  await rig.look().catch(() => {});
  const told = rig.errors.length;
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(rig.errors.length).toBe(told);
});
