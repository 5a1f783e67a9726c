import { afterEach, describe, expect, it } from 'vitest';
import { done } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';

let rig: Rig;
afterEach(() => rig.close());

const one = () => workflow({ a: {} }, ['input>a', 'a>output']);

async function run(count: number, output: string): Promise<string> {
  const jobId = await rig.submit(
    one(),
    Array.from({ length: count }, (_, i) => ({ i })),
  );
  const worker = await rig.worker({ capacity: 300 });
  for (let i = 0; i < count; i++) worker.report(done(await worker.lease(), output));
  return jobId;
}

describe('the output of a job', () => {
  it('that is too large is told as a failure, to who waits and to who asks later; its tasks have theirs', async () => {
    rig = await openRig({ limits: { jobOutputBytes: 50_000 } });
    const jobId = await run(5, 'x'.repeat(20_000));
    const failure = {
      taskId: '',
      node: '',
      taskCode: 'OUTPUT_TOO_LARGE',
      taskMessage: expect.stringContaining('50000 bytes'),
    };
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject({ status: 'COMPLETED', outputText: null, failure });
    expect(await rig.jobs.result(jobId)).toMatchObject({ outputText: null, failure });
    expect(JSON.parse(await rig.jobs.outputText(jobId))).toMatchObject({ output: null, error: failure });
    expect(JSON.parse(String(await rig.jobs.eventStatusJson(jobId, 'flow', 'dev')))).toMatchObject({
      status: 'COMPLETED',
      output: null,
      error: failure,
    });
    expect((await rig.tasks(jobId))[0]?.output).toBe('x'.repeat(20_000));
  });

  it('that is long is left to a thread, for who waits and who asks later', async () => {
    rig = await openRig({ limits: { heavyAnswerBytes: 10_000 } });
    const jobId = await run(3, 'x'.repeat(4000));
    const apart = { status: 'COMPLETED', outputText: null, outputApart: true, failure: null };
    expect(await rig.jobs.wait(jobId, 60)).toMatchObject(apart);
    expect(await rig.jobs.result(jobId)).toMatchObject(apart);
    const output = Array.from({ length: 3 }, () => 'x'.repeat(4000));
    expect(JSON.parse(Buffer.from(await rig.jobs.outputJson(jobId)).toString())).toEqual(output);
    const status = await rig.jobs.eventStatusJson(jobId, 'flow', 'dev');
    expect(status).toBeInstanceOf(Uint8Array);
    expect(JSON.parse(Buffer.from(status).toString())).toMatchObject({
      jobId,
      status: 'COMPLETED',
      output,
      error: null,
    });
  });

  it('within the limit is whole, also of more replicas than are read at once', async () => {
    rig = await openRig();
    const jobId = await run(2300, 'x');
    expect((await rig.jobs.wait(jobId, 60)).status).toBe('COMPLETED');
    expect(await rig.jobs.outputText(jobId)).toBe(`{"output":[${Array(2300).fill('"x"').join(',')}],"error":null}`);
  });
});
