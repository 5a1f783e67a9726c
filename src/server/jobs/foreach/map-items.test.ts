import { expect, it } from 'vitest';
import type { Lease } from '../../../contract/worker-protocol.ts';
import { done, items } from '../../testing/worker.fake.ts';
import { openRig, workflow } from '../../testing/engine.fixture.ts';

it('takes a list from its beginning that another worker evaluates anew, and refuses an end that does not fit', async () => {
  const each = {
    type: 'forEach',
    config: { items: 'list', node: { type: 'transform', config: { expression: '$' } } },
    retries: 1,
    retryBackoffSeconds: 1,
  };
  const rig = await openRig();
  const worker = await rig.worker();
  const jobId = await rig.submit(workflow({ each }, ['input>each', 'each>output']));
  const part = ({ id, attempt }: Lease, first: number, values: number[], more: boolean) => ({
    e: 'items' as const,
    id,
    attempt,
    startedAt: 1,
    at: 1,
    first,
    items: values,
    more,
  });
  const list = await worker.lease();
  worker.report(part(list, 0, [0, 1], true), part(list, 2, [2, 3], true), part(list, 3, [9], false));
  await expect
    .poll(async () => (await rig.tasks(jobId))[0]?.error?.message)
    .toBe('the worker reported the end of the list at item 4, after it had already sent 4 items');
  rig.clock.advance(2000);
  worker.beat();
  await rig.check();
  const again = await worker.lease();
  worker.report(part(again, 0, [0, 1], true), part(again, 2, [2, 3], true));
  // Not the same parts: its expression may give another list each time.
  worker.report(part(again, 0, [5], true), part(again, 1, [6], false));
  for (const item of [5, 6]) worker.report(done(await worker.lease(), item));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: '[[5,6]]' });
  await rig.close();
});

it('makes no task of an empty list', async () => {
  const rig = await openRig();
  const worker = await rig.worker();
  const each = { type: 'forEach', config: { items: 'list', node: { type: 'transform', config: { expression: '$' } } } };
  const jobId = await rig.submit(workflow({ each }, ['input>each', 'each>output']), [{ list: [] }]);
  worker.report(items(await worker.lease(), []));
  expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'EMPTY', outputText: '[[]]' });
  expect(await rig.tasks(jobId)).toEqual([]);
  await rig.close();
});
