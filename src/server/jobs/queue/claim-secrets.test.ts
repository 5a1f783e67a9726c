import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LeasedSecret } from '../../../contract/worker-protocol.ts';
import type { SecretRun, SecretUse } from '../../secrets/port.ts';
import { knownCommit, openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import type { FakeWorker } from '../../testing/worker.fake.ts';

let rig: Rig;
let worker: FakeWorker;
/** What the room of secrets is asked, and says. */
let asked: (SecretRun & { names: readonly string[] })[];
let uses: SecretUse[];
let allows: (run: SecretRun) => boolean;

beforeEach(async () => {
  asked = [];
  uses = [];
  allows = () => true;
  rig = await openRig({
    secrets: {
      lease: (names) => Object.fromEntries(names.map((name): [string, LeasedSecret] => [name, { value: `v-${name}` }])),
      refusal(_db, names, run) {
        asked.push({ ...run, names });
        return allows(run) ? null : `secret ${names.join()} is not for this run`;
      },
      recordUses: (_db, taken) => void uses.push(...taken),
      redactor: { text: (text) => text, json: (text) => text, value: (value) => value },
      watch: () => {},
    },
  });
  worker = await rig.worker();
});
afterEach(() => rig.close());

const uses1 = (name: string) => ({ type: 'code', config: { source: `return ctx.secrets.${name}` } });
const seen = () => JSON.stringify(worker.frames);
const done = (lease: { id: string; attempt: number }, output: unknown = 1) =>
  worker.report({ e: 'done', id: lease.id, attempt: lease.attempt, startedAt: Date.now(), at: Date.now(), output });
const ended = (jobId: string) => rig.jobs.wait(jobId, 10);

it('a task gets the secrets that its own node names, not those of the nodes behind it', async () => {
  const flow = workflow({ a: uses1('A'), b: uses1('B'), c: {} }, ['input>a', 'a>b', 'b>c', 'c>output']);
  const job = await rig.submit(flow);
  const a = await worker.lease();
  expect([a.secrets, a.chain]).toEqual([{ A: { value: 'v-A' } }, []]);
  done(a);
  const b = await worker.lease();
  expect([b.secrets, b.chain.map(({ node }) => node)]).toEqual([{ B: { value: 'v-B' } }, ['c']]);
  expect(uses.map(({ jobId, node, names }) => [jobId, node, names])).toEqual([
    [job, 'a', ['A']],
    [job, 'b', ['B']],
  ]);
});

it('a task whose job may not have them fails once, and no worker hears of it', async () => {
  allows = () => false;
  const job = await rig.submit(workflow({ a: { ...uses1('A'), retries: 3 } }, ['input>a', 'a>output']));
  await ended(job);
  expect(await rig.tasks(job)).toMatchObject([
    {
      state: 'FAILED',
      attempt: 1,
      retryAt: null,
      error: { code: 'SECRET_FORBIDDEN', message: 'secret A is not for this run', retryable: false },
    },
  ]);
  expect(seen()).not.toContain('v-A');
  expect(worker.frames.some(({ t }) => t === 'run')).toBe(false);
  expect(uses).toEqual([]);
  // Its place at the worker is free again.
  expect(rig.workerPool.worker(worker.id)?.load).toBe(0);
});

it('is asked by what the master knows of the job: a rerun on another version, and a retry, are asked anew', async () => {
  const published = workflow({ a: uses1('A') }, ['input>a', 'a>output']);
  const edited = workflow({ a: uses1('A'), z: {} }, ['input>a', 'a>z', 'z>output']);
  allows = ({ commit }) => commit === published.commit;
  const rerun = await rig.submit(knownCommit(edited.commit), [{}], { kind: 'batch', environment: 'prod' });
  await ended(rerun);
  expect(asked).toEqual([
    { workflowId: 'flow', environment: 'prod', commit: edited.commit, kind: 'batch', names: ['A'] },
  ]);
  await rig.jobs.retry(rerun);
  await expect.poll(() => asked.length).toBe(2);
  await expect
    .poll(async () => (await rig.tasks(rerun))[0])
    .toMatchObject({
      state: 'FAILED',
      attempt: 2,
      error: { code: 'SECRET_FORBIDDEN' },
    });
  expect(seen()).not.toContain('v-A');
});

it('a child is asked as the job that it is, with its own workflow, version and environment', async () => {
  const inner = workflow({ a: uses1('A') }, ['input>a', 'a>output'], { workflowId: 'inner' });
  const outer = workflow(
    { call: { type: 'workflow', config: { workflowId: 'inner', environment: 'staging' } } },
    ['input>call', 'call>output'],
    { workflowId: 'outer' },
  );
  await rig.submit(outer, [{}], { kind: 'draft', environment: null });
  await worker.lease();
  expect(asked).toEqual([
    { workflowId: 'inner', environment: 'staging', commit: inner.commit, kind: 'child', names: ['A'] },
  ]);
});

it('items of a list get them, the task that makes the list does not; an item that may not fails alone', async () => {
  const flow = workflow({ each: { type: 'forEach', config: { items: '$', node: uses1('A'), onError: 'collect' } } }, [
    'input>each',
    'each>output',
  ]);
  const job = await rig.submit(flow);
  const list = await worker.lease();
  expect(list.secrets).toBeUndefined();
  let answers = 0;
  allows = () => ++answers !== 2;
  worker.report({
    e: 'items',
    id: list.id,
    attempt: 1,
    startedAt: Date.now(),
    at: Date.now(),
    first: 0,
    items: [1, 2, 3],
    more: false,
  });
  const items = [await worker.lease(), await worker.lease()];
  expect(items.map(({ item, secrets }) => [item, secrets])).toEqual([
    [0, { A: { value: 'v-A' } }],
    [2, { A: { value: 'v-A' } }],
  ]);
  for (const item of items) done(item, 'fine');
  await ended(job);
  expect((await rig.tasks(job)).map(({ item, state, error }) => [item, state, error?.code])).toEqual([
    [0, 'COMPLETED', undefined],
    [1, 'FAILED', 'SECRET_FORBIDDEN'],
    [2, 'COMPLETED', undefined],
  ]);
});
