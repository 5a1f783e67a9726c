import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 5 });
});
afterEach(() => rig.close());

const calling = () =>
  workflow(
    { call: { type: 'workflow', config: { workflowId: 'called', environment: 'dev' } } },
    ['input>call', 'call>output'],
    { workflowId: 'calling' },
  );

it('whoever may read one side of a call alone is not shown the ID of the other', async () => {
  workflow({ a: {} }, ['input>a', 'a>output'], { workflowId: 'called' });
  const parent = await rig.submit(calling(), [{ n: 1 }]);
  const { jobId: child } = await worker.lease();
  const children = async (within?: readonly string[]) =>
    (await rig.jobs.tasks(parent, { page: 0, size: 10, ...(within && { within }) })).items.map(
      ({ childJobId }) => childJobId,
    );
  expect([await children(), await children(['calling', 'called']), await children(['calling'])]).toEqual([
    [child],
    [child],
    [null],
  ]);

  const [task] = (await rig.jobs.tasks(parent, { page: 0, size: 10 })).items;
  const parents = async (within?: readonly string[]) =>
    (await rig.jobs.list({ page: 0, size: 10, sort: 'createdAt,asc', ...(within && { within }) })).items.map(
      ({ id, parentTaskId }) => [id, parentTaskId],
    );
  const both = [
    [parent, null],
    [child, task?.id],
  ];
  expect([await parents(), await parents(['calling', 'called']), await parents(['called'])]).toEqual([
    both,
    both,
    [[child, null]],
  ]);

  const exported: Buffer[] = [];
  for await (const piece of rig.jobs.export({ filter: { within: ['called'] } }, 'ndjson'))
    exported.push(Buffer.from(piece as Uint8Array));
  expect(JSON.parse(Buffer.concat(exported).toString())).toMatchObject({ id: child, parentTaskId: null });
});
