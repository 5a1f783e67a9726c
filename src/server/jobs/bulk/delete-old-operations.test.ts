import { expect, it } from 'vitest';
import { openRig } from '../../testing/engine.fixture.ts';
import { deleteOldOperations } from './delete-old-operations.ts';

it('keeps operations that ended for a time, and so many of them', async () => {
  const rig = await openRig();
  const limits = { operationRetentionDays: 30, operationRetentionCount: 2 };
  const started: string[] = [];
  for (let i = 0; i < 4; i++) {
    const { operationId } = await rig.jobs.operations.submit(
      { kind: 'kill', target: { ids: [`x${i}`] }, nonRetryable: false },
      'ann',
    );
    await expect.poll(async () => (await rig.jobs.operations.get(operationId)).status).not.toBe('RUNNING');
    started.push(operationId);
    rig.clock.advance(1000);
  }
  const listed = async () =>
    (await rig.jobs.operations.list({ page: 0, size: 20 })).items.map(({ operationId }) => operationId);
  await deleteOldOperations(rig.store, limits, rig.clock.now());
  expect(await listed()).toEqual([started[3], started[2]]);
  await deleteOldOperations(rig.store, limits, rig.clock.now() + 31 * 86_400_000);
  expect(await listed()).toEqual([]);
  for (const table of ['operation_chunk', 'operation_result'])
    expect(rig.store.read.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
  await rig.close();
});
