import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import { openRig, workflow, type Rig } from '../../../testing/engine.fixture.ts';
import { createReads } from './reads.ts';
import type { Reads } from '../port.ts';

let rig: Rig;
let reads: Reads;
const said: string[] = [];
const open = (limits = {}) =>
  createReads({
    file: rig.file,
    searchFile: join(dirname(rig.file), 'search.db'),
    limits: { ...LIMITS, ...limits },
    anyJob: () => true,
    log: (line) => void said.push(line),
  });
beforeEach(async () => {
  rig = await openRig();
  for (let i = 0; i < 3; i++) await rig.submit(workflow({ a: {} }, ['input>a', 'a>output']), [{ i }]);
  reads = open();
});
afterEach(async () => {
  await reads.close();
  await rig.close();
});

const query = { page: 0, size: 10, sort: 'createdAt,desc' };

it('reads the same lists as the room itself', async () => {
  const here = await rig.jobs.list(query);
  expect(await reads.call('list', [query])).toEqual(here);
  expect(JSON.parse(await reads.text('list', [query]))).toEqual(here);
  const [job] = here.items;
  expect(await reads.call('tasks', [job?.id ?? '', { page: 0, size: 10 }, {}])).toEqual(
    JSON.parse(await rig.jobs.tasksText(job?.id ?? '', { page: 0, size: 10 }, () => null)),
  );
});

it('tells the fault of a read, and goes on', async () => {
  await expect(reads.call('tasks', ['none', { page: 0, size: 10 }, {}])).rejects.toMatchObject({
    code: 'JOB_NOT_FOUND',
  });
  expect((await reads.call('list', [query])).totalItems).toBe(3);
});

it('refuses more than may wait', async () => {
  await reads.close();
  reads = open({ readQueue: 2 });
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => reads.call('list', [query])));
  expect(calls.map((call) => (call.status === 'fulfilled' ? 'done' : (call.reason as { code: string }).code))).toEqual([
    'done',
    'done',
    'done',
    'OVERLOADED',
    'OVERLOADED',
  ]);
});

it('lets no list wait for what takes long', async () => {
  await reads.close();
  reads = open({ readQueue: 1 });
  const [here, there] = (await rig.jobs.list(query)).items.map(({ id }) => id);
  const compared = Array.from({ length: 3 }, () => reads.call('compare', [here ?? '', there ?? '']));
  const settled = Promise.allSettled(compared);
  // Where the others would have to wait behind these, there would be no place left.
  expect((await reads.call('list', [query])).totalItems).toBe(3);
  expect(
    (await settled).map((call) => (call.status === 'fulfilled' ? 'done' : (call.reason as { code: string }).code)),
  ).toEqual(['done', 'done', 'OVERLOADED']);
  expect(reads.stats().waiting).toBe(0);
});

it('ends the thread of a read that nobody waits for any more, and reads on with another', async () => {
  await reads.close();
  reads = createReads({
    file: rig.file,
    searchFile: join(dirname(rig.file), 'search.db'),
    limits: LIMITS,
    anyJob: () => true,
    log: () => {},
    graceMs: 0,
  });
  const gone = new AbortController();
  // A thread that has yet to start takes longer than no grace at all.
  const abandoned = reads.call('list', [query], gone.signal);
  const next = reads.call('list', [query]);
  await new Promise(setImmediate);
  gone.abort();
  await expect(abandoned).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect((await next).totalItems).toBe(3);
});

it('gives up at once what nobody waits for in the queue', async () => {
  const gone = new AbortController();
  const first = reads.call('list', [query]);
  const second = reads.call('list', [query], gone.signal);
  gone.abort();
  await expect(second).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect((await first).totalItems).toBe(3);
  await expect(reads.call('list', [query], gone.signal)).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(reads.stats().waiting).toBe(0);
});

it('rejects what waits when it closes', async () => {
  const calls = [reads.call('list', [query]), reads.call('list', [query])];
  const settled = Promise.allSettled(calls);
  await reads.close();
  expect((await settled).map(({ status }) => status)).toContain('rejected');
  await expect(reads.call('list', [query])).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});

it('indexes what was written by now before it searches, and tells how far it is', async () => {
  expect((await reads.call('list', [{ ...query, input: ['i=1'] }])).totalItems).toBe(1);
  await expect.poll(() => reads.stats().search).toMatchObject({ bytes: expect.any(Number) as number });
  expect(said).toEqual([]);
});
