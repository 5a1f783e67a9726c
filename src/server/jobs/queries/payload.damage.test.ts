import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { done, type FakeWorker } from '../../testing/worker.fake.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig({ mayReport: true });
  worker = await rig.worker({ capacity: 8 });
});
afterEach(() => rig.close());

const chain = () => workflow({ a: {}, b: {} }, ['input>a', 'a>b', 'b>output']);
const flow = () => workflow({ a: {} }, ['input>a', 'a>output']);
const long = 'x'.repeat(40_000);

/** Changes what is stored behind the master's back, as a disk does: what stands beside it stays. */
function spoil(sql: string, ...args: string[]): void {
  const db = new Database(rig.file);
  try {
    expect(db.prepare(sql).run(...args).changes).toBeGreaterThan(0);
  } finally {
    db.close();
  }
}

async function run(inputs: unknown[]) {
  const job = await rig.submit(flow(), inputs);
  for (let i = 0; i < inputs.length; i++) {
    const lease = await worker.lease();
    worker.report(done(lease, lease.input));
  }
  await rig.jobs.wait(job, 60);
  return { job, tasks: (await rig.tasks(job)).map(({ id }) => id) };
}
const damaged = (what: string) => ({ code: 'DATA_DAMAGED', message: expect.stringContaining(what) });

it.each([
  ['in the row of its task', { n: 'short' }],
  ['apart', { n: long }],
])(
  'refuses an output that stands %s, wherever it would be answered, and shows it in no list',
  async (_where, input) => {
    const { job, tasks } = await run([input]);
    const [task = ''] = tasks;
    if (input.n === long) spoil(`UPDATE payload SET text = replace(text, 'x"', 'y"')`);
    else spoil(`UPDATE task SET output = replace(output, 'short', 'shorT')`);
    await expect(rig.jobs.payload({ task, of: 'output' })).rejects.toMatchObject(damaged(`output of task ${task}`));
    await expect(rig.jobs.task(task)).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
    await expect(rig.jobs.outputText(job)).rejects.toMatchObject(damaged(`output of task ${task}`));
    await expect(rig.jobs.eventStatusJson(job, 'flow', 'dev')).rejects.toMatchObject({ code: expect.any(String) });
    const page = await rig.jobs.tasks(job, { page: 0, size: 10 });
    expect(page.items).toMatchObject([{ id: task, output: null }]);
    expect(page.warnings).toContainEqual(damaged(`output of task ${task}`));
    // What is whole is answered as before.
    if (input.n !== long) expect(JSON.parse(String(await rig.jobs.payload({ task, of: 'input' })))).toEqual(input);
  },
);

it('takes a payload that is gone for damaged, and not for null', async () => {
  const { job, tasks } = await run([{ n: long }, { n: 'b' }]);
  spoil('DELETE FROM payload');
  await expect(rig.jobs.payload({ task: tasks[0] ?? '', of: 'input' })).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
  await expect(rig.jobs.payload({ job, of: 'output' })).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
  await expect(rig.jobs.payload({ job, of: 'input', node: null, replica: null })).rejects.toMatchObject({
    code: 'DATA_DAMAGED',
  });
});

it('answers what an earlier version has written without a checksum', async () => {
  const { tasks } = await run([{ n: 1 }]);
  spoil('UPDATE task SET input_sum = NULL, output_sum = NULL');
  expect(JSON.parse(String(await rig.jobs.payload({ task: tasks[0] ?? '', of: 'output' })))).toEqual({ n: 1 });
});

it('gives no damaged input to who runs a job again, and says which it is', async () => {
  const { job, tasks } = await run([{ n: 'short' }]);
  spoil(`UPDATE task SET input = replace(input, 'short', 'shorT')`);
  await expect(rig.jobs.inputs(job, null)).rejects.toMatchObject(damaged(`input of task ${tasks[0]}`));
});

it('fails a task whose input was damaged while it waited, for good, and hands out all the others', async () => {
  await rig.close();
  rig = await openRig({ mayReport: true });
  const jobs: string[] = [];
  for (let n = 0; n < 4; n++) jobs.push(await rig.submit(chain(), [{ n: `number ${n}` }]));
  await rig.abandon();
  spoil(`UPDATE task SET input = replace(input, 'number 1', 'number 7')`);
  rig = await openRig({ file: rig.file, clock: rig.clock, mayReport: true });
  worker = await rig.worker({ capacity: 8 });
  worker.beat();
  for (let i = 0; i < 3; i++) {
    const lease = await worker.lease();
    const n = jobs.indexOf(lease.jobId);
    expect(lease.input).toEqual({ n: `number ${n}` });
    worker.report(done(lease, n), done({ id: lease.chain[0]?.id ?? '', attempt: 1 }, n));
    expect(await rig.jobs.wait(jobs[n] ?? '', 60)).toMatchObject({ status: 'COMPLETED' });
  }
  const [task] = await rig.jobs.tasks(jobs[1] ?? '', { page: 0, size: 1 }).then(({ items }) => items);
  expect(task).toMatchObject({
    state: 'FAILED',
    attempt: 1,
    error: { code: 'DATA_DAMAGED', retryable: false, message: expect.stringContaining(`input of task ${task?.id}`) },
  });
  await expect(rig.jobs.retryTask(task?.id ?? '')).rejects.toMatchObject(damaged(`input of task ${task?.id}`));
  // With all others of its job it is tried, and says the same.
  await rig.jobs.retry(jobs[1] ?? '');
  await expect.poll(async () => (await rig.tasks(jobs[1] ?? ''))[0]).toMatchObject({ state: 'FAILED', attempt: 2 });
});

it('fails what would be made of something damaged: a join, and the list of a forEach', async () => {
  const join = workflow({ a: {}, b: {}, c: {} }, ['input>a', 'input>b', 'a>c', 'b>c', 'c>output']);
  const job = await rig.submit(join, [{ n: 1 }]);
  const [a, b] = [await worker.lease(), await worker.lease()];
  worker.report(done(a, 'first'));
  await expect.poll(async () => (await rig.tasks(job)).map(({ state }) => state)).toContain('COMPLETED');
  spoil(`UPDATE task SET output = '"other"' WHERE output = '"first"'`);
  worker.report(done(b, 'second'));
  await expect
    .poll(async () => (await rig.tasks(job)).find(({ node }) => node === 'c'))
    .toMatchObject({
      state: 'FAILED',
      error: { code: 'DATA_DAMAGED', message: expect.stringContaining(`output of task ${a.id}`) },
    });
});
