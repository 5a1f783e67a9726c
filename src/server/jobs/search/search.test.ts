import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobFilter } from '../../../contract/jobs.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { parseJson } from '../../../lib/json.ts';
import { openForReading, type ThreadHandle } from '../../store/sqlite/handle.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { openIndex } from './index-file.ts';
import { createIndexer, GAP_TIMEOUT_MS, INDEX_DELAY_MS } from './indexer.ts';
import { FIRST_TASK } from './job-inputs.ts';
import { createSearch, searchLimits } from './search.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let rig: Rig;
let handle: ThreadHandle;
let searchFile: string;
const flow = workflow({ a: {} }, ['input>a', 'a>output']);
const straight = workflow({}, ['input>output']);
beforeEach(async () => {
  rig = await openRig();
  handle = openForReading(rig.file);
  searchFile = join(temporaryFolder('ym-search'), 'search.db');
});
afterEach(async () => {
  handle.close();
  await rig.close();
});

const LATER = Date.now() + 3_600_000;
/** Indexes the jobs that there are: all, or as many as it can take in no time. */
function index(jobs = Infinity): void {
  const db = openIndex(searchFile, () => true);
  const indexer = createIndexer({ read: handle.read, index: db, limits: LIMITS, now: () => LATER });
  let done = 0;
  while (done < jobs) {
    const step = indexer.step(jobs === Infinity ? 10_000 : 0);
    done += step.jobs;
    if (!step.more || step.jobs === 0) break;
  }
  db.close();
}

/** Ids of the jobs found, in the order of creation. */
function find(filter: JobFilter, limits = searchLimits(LIMITS)): string[] {
  return handle.snapshot(() => {
    const found = createSearchOnce(limits)(filter);
    if (!found) throw new Error('nothing was searched');
    const ids = handle.read
      .query<{ id: string }>('SELECT j.id FROM temp.found f JOIN job j ON j.seq = f.seq ORDER BY j.seq')
      .all()
      .map(({ id }) => id);
    expect(found.total).toBe(ids.length);
    return ids;
  });
}
let search: ReturnType<typeof createSearch> | null = null;
const createSearchOnce = (limits: ReturnType<typeof searchLimits>) =>
  (search ??= createSearch(handle, searchFile, limits));
beforeEach(() => (search = null));

const value = fc.oneof(
  fc.constantFrom('red', 'Red Apple', 'green-pear', '42', 'true', '', 'ünïcode', 'a=b'),
  fc.constantFrom(42, 1.5, 0, -7),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('9007199254740993', '9007199254740992').map((digits) => parseJson(digits)),
);
const name = fc.constantFrom('id', 'colour', 'x.y', 'items');
const input = fc.dictionary(
  name,
  fc.oneof(
    value,
    fc.array(fc.oneof(value, fc.dictionary(name, value, { maxKeys: 2 })), { maxLength: 3 }),
    fc.dictionary(name, value, { maxKeys: 3 }),
  ),
  { maxKeys: 4 },
);
const labels = fc.dictionary(fc.constantFrom('team', 'region'), fc.constantFrom('a', 'b', ''), { maxKeys: 2 });
const jobs = fc.array(
  fc.record({ inputs: fc.array(input, { minLength: 0, maxLength: 3 }), labels, straight: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
);
const fieldAsk = fc.tuple(
  fc.constantFrom('id', 'colour', "['x.y']", 'items', 'items.id', 'items[*].colour', '$.id', 'colour.id'),
  fc.constantFrom(
    'red',
    'Red Apple',
    '42',
    '1.5',
    '1.50',
    'true',
    'null',
    '',
    'a=b',
    '0',
    '-7',
    '9007199254740993',
    '9007199254740992',
    'ünïcode',
  ),
);
const ask = fc
  .record({
    label: fc.array(fc.constantFrom('team', 'team=a', 'region=b', 'region=', 'none'), { maxLength: 2 }),
    input: fc.array(
      fieldAsk.map((pair) => pair.join('=')),
      { maxLength: 2 },
    ),
    text: fc.option(fc.constantFrom('red', 'apple red', 'PEAR', '42', 'ünïcode', '9007199254740993'), {
      nil: undefined,
    }),
  })
  .filter(({ label, input: fields, text }) => label.length + fields.length > 0 || text !== undefined);

type Leaf = { path: string; text: string; string: boolean };
/** All values of an input with their paths, elements of arrays under the path of the array: the plain way. */
function leaves(json: unknown, path: string[] = []): Leaf[] {
  if (Array.isArray(json)) return json.flatMap((item) => leaves(item, path));
  if (json !== null && typeof json === 'object' && !('rawJSON' in json))
    return Object.entries(json).flatMap(([key, inner]) => leaves(inner, [...path, key]));
  return [
    {
      path: path.join('/'),
      text: typeof json === 'string' ? json : JSON.stringify(json),
      string: typeof json === 'string',
    },
  ];
}
const PATHS: Record<string, string> = {
  id: 'id',
  colour: 'colour',
  "['x.y']": 'x.y',
  items: 'items',
  'items.id': 'items/id',
  'items[*].colour': 'items/colour',
  '$.id': 'id',
  'colour.id': 'colour/id',
};

/** Whether a job is to be found, decided without any of the code under test. */
function wanted(
  job: { inputs: unknown[]; labels: Record<string, string> },
  { label, input: fields, text }: { label: string[]; input: string[]; text: string | undefined },
): boolean {
  const all = job.inputs.flatMap((one) => leaves(one));
  const words = new Set(all.flatMap(({ text: own }) => own.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  return (
    label.every((one) =>
      one.includes('=') ? job.labels[one.split('=')[0] as string] === one.split('=')[1] : one in job.labels,
    ) &&
    fields.every((one) => {
      const key = Object.keys(PATHS)
        .filter((prefix) => one.startsWith(`${prefix}=`))
        .sort((a, b) => b.length - a.length)[0] as string;
      const asked = one.slice(key.length + 1);
      return all.some(
        ({ path, text: own, string }) =>
          path === PATHS[key] && (string ? own === asked : own === asked || (asked === '1.50' && own === '1.5')),
      );
    }) &&
    (text === undefined ||
      text
        .toLowerCase()
        .split(' ')
        .every((word) => words.has(word)))
  );
}

describe('finds exactly the jobs that a plain evaluation finds', () => {
  it.each([
    ['by the index', Infinity],
    ['without it', 0],
    ['half by the index', 4],
  ] as const)('%s', async (_name, indexed) => {
    await fc.assert(
      fc.asyncProperty(jobs, fc.array(ask, { minLength: 1, maxLength: 5 }), async (made, asks) => {
        const before = rig.store.read.query<{ n: number | null }>('SELECT max(seq) AS n FROM job').get()?.n ?? 0;
        const ids: string[] = [];
        for (const job of made)
          ids.push(await rig.submit(job.straight ? straight : flow, job.inputs, { labels: job.labels }));
        index(indexed === Infinity ? Infinity : indexed === 0 ? 0 : indexed);
        for (const one of asks) {
          const { text, ...rest } = one;
          const expected = ids.filter((_id, i) => wanted(made[i] as never, { ...one, text }));
          const own = new Set(ids);
          expect(
            find({ ...rest, ...(text === undefined ? {} : { text }) }).filter((id) => own.has(id)),
            JSON.stringify(one),
          ).toEqual(expected);
        }
        expect(before).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 25 },
    );
  });
});

it('keeps integers beyond 2^53 apart', async () => {
  const id = await rig.submit(flow, [parseJson('{"n":9007199254740993}')]);
  index();
  expect(find({ input: ['n=9007199254740993'] })).toEqual([id]);
  expect(find({ input: ['n=9007199254740992'] })).toEqual([]);
});

it('reads long inputs, and those of replicas', async () => {
  const id = await rig.submit(flow, [{ pad: 'x'.repeat(50_000), n: 1 }, { n: 2 }]);
  index();
  expect(find({ input: ['n=1', 'n=2'] })).toEqual([id]);
});

it('goes on where it was, and finds what came since without it', async () => {
  const first = await rig.submit(flow, [{ n: 1 }]);
  index();
  const second = await rig.submit(flow, [{ n: 1 }]);
  expect(find({ input: ['n=1'] })).toEqual([first, second]);
  index();
  expect(find({ input: ['n=1'] })).toEqual([first, second]);
});

it('says up to when it is complete where too many are not indexed yet', async () => {
  index();
  for (let i = 0; i < 5; i++) {
    rig.clock.advance(1000);
    await rig.submit(flow, [{ n: 1 }]);
  }
  const found = handle.snapshot(() =>
    createSearch(handle, searchFile, { ...searchLimits(LIMITS), searchScan: 3 })({ input: ['n=1'] }),
  );
  expect(found).toEqual({ total: 3, excluded: null, searchedTo: new Date(rig.clock.now() - 1000).toISOString() });
});

it('refuses a search that finds more than the limit', async () => {
  for (let i = 0; i < 3; i++) await rig.submit(flow, [{ n: 1 }]);
  index();
  expect(() =>
    handle.snapshot(() =>
      createSearch(handle, searchFile, { ...searchLimits(LIMITS), searchMatches: 2 })({ input: ['n=1'] }),
    ),
  ).toThrow('more than 2 jobs');
});

it('drops what was deleted', async () => {
  await rig.submit(flow, [{ n: 1 }]);
  await rig.submit(flow, [{ n: 1 }]);
  index();
  await rig.store.write((db) => db.statement('DELETE FROM job WHERE seq = 1').run());
  expect(find({ input: ['n=1'] })).toHaveLength(1);
  const db = openIndex(searchFile, () => true);
  const indexer = createIndexer({ read: handle.read, index: db, limits: LIMITS, now: () => LATER });
  expect([indexer.sweep(), indexer.sweep()]).toEqual([false, true]);
  expect(db.prepare('SELECT count(*) FROM doc_docsize').pluck().get()).toBe(1);
  db.close();
});

it('begins anew where the index is damaged, of another version, or of another database', async () => {
  const id = await rig.submit(flow, [{ n: 1 }]);
  index();
  const open = (belongs: boolean) => openIndex(searchFile, () => belongs);
  const indexed = (db: ReturnType<typeof openIndex>) => {
    const seq = db.prepare('SELECT seq FROM indexed').pluck().get();
    db.close();
    return seq;
  };
  expect(indexed(open(true))).toBe(1);
  expect(indexed(open(false))).toBe(0);
  index();
  for (const suffix of ['-wal', '-shm']) rmSync(searchFile + suffix, { force: true });
  writeFileSync(searchFile, 'no database at all, but long enough to look like one '.repeat(100));
  expect(indexed(open(true))).toBe(0);
  index();
  expect(find({ input: ['n=1'] })).toEqual([id]);
});

it('is found through the room, with a job that was made just now', async () => {
  const wantedId = await rig.submit(flow, [{ customer: { id: 7 } }], { labels: { team: 'a' } });
  await rig.submit(flow, [{ customer: { id: 8 } }], { labels: { team: 'a' } });
  const list = (filter: JobFilter) => rig.jobs.list({ page: 0, size: 10, sort: 'createdAt,desc', ...filter });
  expect(await list({ input: ['customer.id=7'], label: ['team'] })).toMatchObject({
    totalItems: 1,
    items: [{ id: wantedId, labels: { team: 'a' } }],
  });
  expect(await list({ label: ['team=a'], status: ['COMPLETED'] })).toMatchObject({ totalItems: 0 });
  expect((await list({ label: ['team=a'], status: ['RUNNING'] })).totalItems).toBe(2);
  await expect(list({ input: ['nonsense'] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(
    await rig.jobs.operations.dryRun({
      kind: 'kill',
      target: { filter: { input: ['customer.id=7'] } },
      nonRetryable: false,
    }),
  ).toMatchObject({ count: 1, eligible: 1 });
  const pieces: string[] = [];
  for await (const piece of rig.jobs.export({ filter: { label: ['team'] } }, 'ndjson'))
    pieces.push(Buffer.from(piece).toString());
  expect(pieces.join('').trim().split('\n')).toHaveLength(2);
});

it('reads the first task of a replica by its index, in order', () => {
  const plan = rig.store.read
    .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${FIRST_TASK}`)
    .all(1, 0)
    .map(({ detail }) => detail)
    .join(' | ');
  expect(plan).toContain('task_by_job (job=? AND replica=? AND item=?)');
  expect(plan).not.toContain('TEMP B-TREE');
});

it('waits for a job that was numbered before others and is written after them', async () => {
  for (let i = 0; i < 3; i++) await rig.submit(flow, [{ n: 1 }]);
  await rig.store.write((db) => db.statement('DELETE FROM job WHERE seq = 2').run());
  const db = openIndex(searchFile, () => true);
  let now = rig.clock.now() + INDEX_DELAY_MS;
  const indexer = createIndexer({ read: handle.read, index: db, limits: LIMITS, now: () => now });
  expect(indexer.step(1000)).toEqual({ jobs: 1, more: false });
  now += GAP_TIMEOUT_MS;
  expect(indexer.step(1000)).toEqual({ jobs: 1, more: false });
  expect(indexer.state().seq).toBe(3);
  db.close();
});
