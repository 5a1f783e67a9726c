import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, items, type FakeWorker } from '../../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 10 });
});
afterEach(() => rig.close());

it('an item waits for a place in its forEach', async () => {
  const each = {
    type: 'forEach',
    config: { items: 'list', node: { type: 'transform', config: { expression: '$' } }, concurrency: 2 },
  };
  const jobId = await rig.submit(workflow({ each }, ['input>each', 'each>output']), [{}]);
  worker.report(items(await worker.lease(), [1, 2, 3]));
  const first = await worker.lease();
  await worker.lease();
  const third = (await rig.tasks(jobId)).find(({ item }) => item === 2)?.id ?? '';
  const waits = {
    reason: 'CONCURRENCY_LIMIT',
    queue: null,
    scheduleTimeoutAt: null,
    limit: { scope: 'forEach', name: 'each', most: 2, used: 2 },
  };
  expect(await rig.jobs.why(third)).toMatchObject({
    ...waits,
    message:
      'The forEach node each runs at most 2 items at the same time, and 2 are running. Raise its concurrency to run more.',
  });
  worker.report(done(first, 1));
  expect((await worker.lease()).id).toBe(third);
  expect(await rig.jobs.why(third)).toMatchObject({ state: 'SCHEDULED', reason: 'RUNNING', limit: null });
});

it('a task waits for the job that it called', async () => {
  workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'sub' });
  const jobId = await rig.submit(
    workflow({ call: { type: 'workflow', config: { workflowId: 'sub', environment: 'dev' } } }, [
      'input>call',
      'call>output',
    ]),
    [{}],
    { priority: 7, keySeq: 3 },
  );
  const lease = await worker.lease();
  const [task] = await rig.tasks(jobId);
  expect(await rig.jobs.why(task?.id ?? '')).toMatchObject({
    state: 'RUNNING',
    reason: 'CHILD_RUNNING',
    childJobId: lease.jobId,
    message: `The task is waiting for child job ${lease.jobId} to finish. It uses no worker slot.`,
  });
  // What it called comes under the same priority and limits.
  expect(rig.store.read.query('SELECT priority, key_seq FROM job WHERE id = ?').get(lease.jobId)).toEqual({
    priority: 7,
    key_seq: 3,
  });
  worker.report(done(lease, 1));
  await rig.jobs.wait(jobId, 60);
  expect(await rig.jobs.why(task?.id ?? '')).toMatchObject({ reason: 'FINISHED' });
});
