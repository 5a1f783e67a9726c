import { afterEach, beforeEach, expect, it } from 'vitest';
import { SNAPSHOT_SECONDS } from '../../../contract/operations.ts';
import type { Operation } from '../../../contract/operations.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { createSnapshots } from './snapshots.ts';
import type { Target } from './port.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const flow = (workflowId = 'flow') => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });
const KILL = { kind: 'kill', nonRetryable: false } as const;
const submitted = async (count: number, workflowId = 'flow'): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await rig.submit(flow(workflowId)));
  return ids;
};
const dryRun = (target: Target) => rig.jobs.operations.dryRun({ ...KILL, target });
const start = (snapshot: string) => rig.jobs.operations.submit({ ...KILL, target: { snapshot } }, 'ann');
const ended = async ({ operationId }: Operation): Promise<Operation> => {
  await expect.poll(async () => (await rig.jobs.operations.get(operationId)).status).not.toBe('RUNNING');
  return rig.jobs.operations.get(operationId);
};
const codes = async ({ operationId }: Operation) =>
  Object.fromEntries(
    (await rig.jobs.operations.results(operationId, { page: 0, size: 500 })).items.map(({ jobId, code }) => [
      jobId,
      code,
    ]),
  );
const chunks = () => rig.store.read.query<{ n: number }>('SELECT count(*) AS n FROM operation_chunk').get()?.n;

it('an operation on a snapshot touches the jobs that were counted, and none that came later', async () => {
  const before = await submitted(11);
  const { count, eligible, snapshot } = await dryRun({ filter: { workflowId: 'flow' } });
  expect({ count, eligible }).toEqual({ count: 11, eligible: 11 });
  const later = await submitted(5);
  const operation = await start(snapshot);
  expect(operation).toMatchObject({ total: 11, filter: { workflowId: 'flow' } });
  expect(await ended(operation)).toMatchObject({ status: 'DONE', done: 11, failed: 0 });
  for (const id of before) expect((await rig.jobs.get(id)).status).toBe('FAILED');
  for (const id of later) expect((await rig.jobs.get(id)).status).toBe('RUNNING');
});

it('a job that has changed since says STATE_CHANGED; one that was left out says why', async () => {
  const [left = '', changed = '', open = ''] = await submitted(3);
  await rig.jobs.kill(left, 'ann');
  const { snapshot, ineligible } = await dryRun({ ids: [left, changed, open, 'unknown'] });
  expect(ineligible).toEqual([
    { reason: 'TERMINAL', count: 1 },
    { reason: 'NOT_FOUND', count: 1 },
  ]);
  await rig.jobs.kill(changed, 'ann');
  const operation = await start(snapshot);
  await ended(operation);
  expect(await codes(operation)).toEqual({
    [left]: 'TERMINAL',
    [changed]: 'STATE_CHANGED',
    [open]: null,
    unknown: 'NOT_FOUND',
  });
});

it('a rerun on a snapshot leaves alone what was rerun since', async () => {
  const [first = '', second = ''] = await submitted(2);
  for (const id of [first, second]) await rig.jobs.kill(id, 'ann');
  const rerun = { kind: 'rerun', choice: { commit: null, completed: false, again: false } } as const;
  const dry = await rig.jobs.operations.dryRun({ ...rerun, target: { filter: {} } });
  expect(dry).toMatchObject({ count: 2, eligible: 2 });
  await ended(await rig.jobs.operations.submit({ ...rerun, target: { ids: [first] } }, 'bob'));
  const operation = await rig.jobs.operations.submit({ ...rerun, target: { snapshot: dry.snapshot } }, 'ann');
  await ended(operation);
  expect(await codes(operation)).toEqual({ [first]: 'STATE_CHANGED', [second]: null });
});

it('an export of a snapshot holds its jobs alone, newest first', async () => {
  const ids = await submitted(3);
  const { snapshot } = await dryRun({ filter: {} });
  const chosen = await dryRun({ ids: [ids[0] ?? '', ids[2] ?? ''] });
  await submitted(2);
  const exported = async (id: string) => {
    let text = '';
    for await (const piece of rig.jobs.export({ snapshot: id }, 'ndjson')) text += Buffer.from(piece).toString();
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
  };
  expect(await exported(snapshot)).toEqual(ids.toReversed());
  expect(await exported(chosen.snapshot)).toEqual([ids[2], ids[0]]);
});

it('a snapshot is valid for its time, outlives a restart, and is deleted afterwards', async () => {
  await submitted(2);
  const { snapshot } = await dryRun({ filter: {} });
  const { file } = rig.store;
  await rig.close();
  rig = await openRig({ file });
  expect(await ended(await start(snapshot))).toMatchObject({ total: 2 });
  rig.clock.advance(SNAPSHOT_SECONDS * 1000);
  for (const id of [snapshot, 'unknown']) await expect(start(id)).rejects.toMatchObject({ code: 'SNAPSHOT_EXPIRED' });
  await expect(rig.jobs.export({ snapshot }, 'csv').next()).rejects.toMatchObject({ code: 'SNAPSHOT_EXPIRED' });
  const kept = chunks() ?? 0;
  rig.clock.advance(61_000);
  await createSnapshots({ store: rig.store, limits: rig.limits, now: rig.clock.now }).clean();
  expect(chunks()).toBe(kept - 1);
});

it('keeps so many snapshots: the oldest go first', async () => {
  await submitted(1);
  const made: string[] = [];
  for (let i = 0; i < 4; i++) made.push((await dryRun({ filter: {} })).snapshot);
  await createSnapshots({ store: rig.store, limits: { ...rig.limits, bulkSnapshots: 2 }, now: rig.clock.now }).clean();
  for (const id of made.slice(0, 2)) await expect(start(id)).rejects.toMatchObject({ code: 'SNAPSHOT_EXPIRED' });
  expect(await ended(await start(made[3] ?? ''))).toMatchObject({ total: 1 });
});

it('a snapshot that is deleted while it is copied starts nothing; parts that a crash left go with the next start', async () => {
  await submitted(1);
  const { snapshot } = await dryRun({ filter: {} });
  await dryRun({ filter: {} });
  const snapshots = createSnapshots({ store: rig.store, limits: rig.limits, now: rig.clock.now });
  const row = snapshots.find(snapshot);
  await rig.store.write((db) => db.statement('DELETE FROM job_snapshot WHERE seq = ?').run(row.seq));
  await expect(snapshots.copy(row, 99, true)).rejects.toMatchObject({ code: 'SNAPSHOT_EXPIRED' });
  expect(chunks()).toBe(3);
  const { file } = rig;
  await rig.close();
  rig = await openRig({ file });
  await expect.poll(chunks).toBe(1);
});
