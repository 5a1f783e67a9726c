import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Report } from '../../../../contract/worker-protocol.ts';
import { parseJson } from '../../../../lib/json.ts';
import { done, failed, items, type FakeWorker } from '../../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../../testing/engine.fixture.ts';
import type { Runnable } from '../../../workflows/port.ts';

let rig: Rig;
let worker: FakeWorker;
beforeEach(async () => {
  rig = await openRig();
  worker = await rig.worker({ capacity: 50 });
});
afterEach(() => rig.close());

const since = (report: Report, startedAt: number): Report => Object.assign(report, { startedAt });
const shop = (more: object = {}) =>
  workflow(
    { parse: {}, charge: { type: 'http' }, mail: {} },
    ['input>parse', 'parse>charge', 'charge>mail', 'mail>output'],
    { ...more },
  );
/** A run whose nodes make these outputs; an `Error` fails its node for good. Each takes as long as `tookMs` says. */
async function run(
  flow: Runnable,
  inputs: unknown[],
  outputs: Record<string, unknown>,
  tookMs: Record<string, number> = {},
): Promise<string> {
  const jobId = await rig.submit(flow, inputs);
  for (let replica = 0; replica < inputs.length; replica++) {
    const lease = await worker.lease();
    for (const { id, node, attempt } of [lease, ...lease.chain.map((next) => ({ ...next, attempt: 1 }))]) {
      const at = rig.clock.now();
      rig.clock.advance(tookMs[node] ?? 0);
      const output = outputs[node];
      if (output instanceof Error) {
        worker.report(
          since(
            failed(
              { id, attempt },
              { code: 'NON_RETRYABLE', message: output.message, retryable: false },
              rig.clock.now(),
            ),
            at,
          ),
        );
        break;
      }
      worker.report(since(done({ id, attempt }, output, undefined, rig.clock.now()), at));
    }
  }
  await rig.jobs.wait(jobId, 60);
  return jobId;
}
const ok = { parse: { order: 7 }, charge: { status: 200, body: 'ok' }, mail: 'sent' };

it('says in one sentence what set a failed run apart from one that went well, across commits', async () => {
  const well = await run(shop(), [{ order: 7 }], ok);
  const failedRun = await run(shop({ name: 'Other commit' }), [{ order: 7 }], {
    ...ok,
    charge: new Error('POST https://pay.example/charge answered 402 Payment Required: no funds'),
  });
  const found = await rig.jobs.compare.tasks(failedRun, well);
  expect(found.message).toBe('charge returned 402 instead of 200.');
  expect(found.ended).toMatchObject({
    node: 'charge',
    differs: ['state'],
    here: { state: 'FAILED' },
    there: { state: 'COMPLETED' },
  });
  expect(found.here.commit).not.toBe(found.there.commit);
  expect(found.tasks).toMatchObject({ here: 2, there: 3, differing: 2 });
  expect(found.tasks.items.map(({ node, differs }) => [node, ...differs])).toEqual([
    ['charge', 'state'],
    ['mail', 'only-there'],
  ]);
  expect((await rig.jobs.compare.tasks(well, failedRun)).message).toBe('charge returned 200 instead of 402.');
});

it('names the first output that differs, to the digit, and which inputs do', async () => {
  const before = await run(shop(), [{ order: 1 }, parseJson('{"order":12345678901234567890}')], {
    ...ok,
    parse: parseJson('{"total":0.10000000000000000001}'),
  });
  const after = await run(shop(), [{ order: 1 }, parseJson('{"order":12345678901234567891}')], {
    ...ok,
    parse: parseJson('{"total":0.10000000000000000002}'),
  });
  const found = await rig.jobs.compare.tasks(after, before);
  expect(found.message).toBe('parse returned 0.10000000000000000002 for $.total instead of 0.10000000000000000001.');
  expect(found.inputs).toEqual({ differing: 1, replicas: [1] });
  const values = await rig.jobs.compare.values(
    { job: before, of: 'input', node: null, replica: 1 },
    { job: after, of: 'input', node: null, replica: 1 },
  );
  expect(values.changes).toEqual([
    { op: 'changed', path: '$.order', before: '12345678901234567890', after: '12345678901234567891' },
  ]);
});

it('holds the items of lists together, and tells where time went', async () => {
  const each = workflow(
    { each: { type: 'forEach', config: { items: '$', node: { type: 'transform', config: { expression: '$' } } } } },
    ['input>each', 'each>output'],
  );
  const list = async (outputs: number[], tookMs: number) => {
    const jobId = await rig.submit(each, [{}]);
    worker.report(
      items(
        await worker.lease(),
        outputs.map(() => 'x'),
      ),
    );
    for (const output of outputs) {
      const lease = await worker.lease();
      const at = rig.clock.now();
      rig.clock.advance(tookMs);
      worker.report(since(done(lease, output, undefined, rig.clock.now()), at));
    }
    await rig.jobs.wait(jobId, 60);
    return jobId;
  };
  const [slow, quick] = [await list([1, 2, 4], 500), await list([1, 2, 3, 4], 100)];
  const found = await rig.jobs.compare.tasks(slow, quick);
  expect(
    found.tasks.items.filter(({ differs }) => differs.length > 0).map(({ item, differs }) => [item, ...differs]),
  ).toEqual([
    [3, 'only-there'],
    [2, 'output'],
  ]);
  const [node] = found.nodes;
  expect([node?.here?.runMs, node?.there?.runMs]).toEqual([1500, 400]);
  expect(found.workers).toEqual([
    { workerId: worker.id, here: expect.any(Number) as number, there: expect.any(Number) as number },
  ]);
  expect((await rig.jobs.compare.tasks(slow, slow)).message).toBe('Every task ended with the same status and output.');
});

it('knows the same value written otherwise, and says when it did not look at all of it', async () => {
  const [a, b] = [
    await run(shop(), [1], { ...ok, parse: { a: 1, b: 2 } }),
    await run(shop(), [1], { ...ok, parse: { b: 2, a: 1 } }),
  ];
  expect((await rig.jobs.compare.tasks(a, b)).first).toBeNull();
  await rig.close();
  rig = await openRig({ limits: { compareBytes: 1 } });
  worker = await rig.worker({ capacity: 50 });
  const [c, d] = [await run(shop(), [1], ok), await run(shop(), [1], { ...ok, parse: { order: 8 }, mail: 'other' })];
  expect(await rig.jobs.compare.tasks(c, d)).toMatchObject({ complete: false });
  await expect(rig.jobs.compare.tasks(c, 'none')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});

it('tells lines that one run alone wrote, whatever their numbers and ids are', async () => {
  const text = (rows: object[]) =>
    new Uint8Array(new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  const here = text([
    { level: 'INFO', _msg: 'order 17 charged in 20 ms', n: '1', first: '2026-01-01T00:00:00Z' },
    { level: 'INFO', _msg: 'retrying', n: '4', first: '2026-01-01T00:00:01Z' },
    {
      level: 'ERROR',
      _msg: 'no funds on card 0198c0de-0000-7000-8000-000000000001',
      n: '2',
      first: '2026-01-01T00:00:02Z',
    },
  ]);
  const there = text([
    { level: 'INFO', _msg: 'order 9 charged in 1500 ms', n: '1', first: '2026-01-02T00:00:00Z' },
    { level: 'INFO', _msg: 'retrying', n: '1', first: '2026-01-02T00:00:01Z' },
    { level: 'INFO', _msg: 'mail sent', n: '1', first: '2026-01-02T00:00:02Z' },
  ]);
  const found = await rig.jobs.compare.logs(here, there);
  expect(found.items.map(({ pattern, here: ours, there: theirs }) => [pattern, ours, theirs])).toEqual([
    ['no funds on card <id>', 2, 0],
    ['mail sent', 0, 1],
    ['retrying', 4, 1],
  ]);
  expect(found).toMatchObject({ lines: { here: 7, there: 3 }, alike: 1 });
});
