import { afterEach, beforeEach, expect, it } from 'vitest';
import { done, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import type { PayloadOf } from './port.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 8 });
});
afterEach(() => rig.close());

const flow = () => workflow({ a: {} }, ['input>a', 'a>output']);
const long = (text: string) => `${text} ${'ü'.repeat(80_000)}`;
/** A job whose node gives back what it is given. */
async function run(inputs: unknown[]): Promise<{ job: string; tasks: string[] }> {
  const job = await rig.submit(flow(), inputs);
  for (let i = 0; i < inputs.length; i++) {
    const lease = await worker.lease();
    worker.report(done(lease, lease.input));
  }
  await rig.jobs.wait(job, 60);
  return { job, tasks: (await rig.tasks(job)).map(({ id }) => id) };
}
const text = async (of: PayloadOf): Promise<unknown> => JSON.parse(Buffer.from(await rig.jobs.payload(of)).toString());
const isText = async (of: PayloadOf): Promise<boolean> => typeof (await rig.jobs.payload(of)) === 'string';

it('gives short payloads as texts, and long ones as bytes that were read in the thread', async () => {
  const few = await run([{ n: 1 }]);
  const [fewTask = ''] = few.tasks;
  for (const ask of [
    { task: fewTask, of: 'input' },
    { task: fewTask, of: 'output' },
    { job: few.job, of: 'output' },
    { job: few.job, of: 'input', node: null, replica: 0 },
  ] as const)
    expect(await isText(ask)).toBe(true);
  const inputs = Array.from({ length: 3 }, (_, i) => ({ n: long(`${i}`) }));
  const { job, tasks } = await run(inputs);
  const [task = ''] = tasks;
  for (const ask of [
    { task, of: 'input' },
    { task, of: 'output' },
    { job, of: 'output' },
    { job, of: 'input', node: null, replica: null },
    { job, of: 'input', node: 'a', replica: 2 },
  ] as const)
    expect(await isText(ask)).toBe(false);
  expect(await text({ task, of: 'output' })).toEqual(inputs[0]);
  expect(await text({ job, of: 'output' })).toEqual({ output: inputs, error: null });
  expect(await text({ job, of: 'input', node: null, replica: null })).toEqual(inputs);
  expect(await text({ job, of: 'input', node: 'a', replica: 2 })).toEqual(inputs[2]);
});

it('says what it does not know, wherever it reads', async () => {
  const { job } = await run([{ n: long('0') }]);
  await expect(rig.jobs.payload({ task: 'none', of: 'output' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  await expect(rig.jobs.payload({ job: 'none', of: 'output' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  await expect(rig.jobs.payload({ job: 'none', of: 'input', node: null, replica: null })).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  await expect(rig.jobs.payload({ job, of: 'input', node: 'none', replica: null })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/node' }],
  });
  await expect(rig.jobs.payload({ job, of: 'input', node: null, replica: 1 })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ pointer: '/replica' }],
  });
});

it('compares long payloads without reading them here, up to their limit', async () => {
  const { tasks } = await run([
    { n: long('0'), m: 1 },
    { n: long('1'), m: 1 },
  ]);
  const [a = '', b = ''] = tasks;
  const found = await rig.jobs.compare.values({ task: a, of: 'output' }, { task: b, of: 'output' });
  expect(found.changes).toMatchObject([{ op: 'changed', path: '$.n' }]);
  await expect(
    rig.jobs.compare.values({ task: a, of: 'output' }, { task: 'none', of: 'output' }),
  ).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
});
