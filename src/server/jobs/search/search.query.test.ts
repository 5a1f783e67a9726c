import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { withQuery } from '../../../lib/job-query/with-query.ts';
import { openForReading, type ThreadHandle } from '../../store/sqlite/handle.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { snapshotTargets } from '../bulk/scan-queries.ts';
import { readCounts } from '../queries/job-filter.ts';
import { listJobs, openLists } from '../queries/list-jobs.ts';
import { openIndex } from './index-file.ts';
import { createIndexer } from './indexer.ts';
import { createSearch, searchLimits, usesSearchIndex } from './search.ts';
import type { Search } from './port.ts';

let rig: Rig;
let handle: ThreadHandle;
let searchFile: string;
let search: Search;
const flow = workflow({ a: {} }, ['input>a', 'a>output']);
const LATER = Date.now() + 3_600_000;
const INPUTS: readonly { readonly input: unknown; readonly labels?: Record<string, string> }[] = [
  { input: { country: 'DE', amount: 5, customer: { name: 'Ada Smith', mail: null } }, labels: { team: 'pay' } },
  { input: { country: 'FR', amount: 50.5, day: '2026-02-01', items: [{ sku: 'x' }, { sku: 'y' }] } },
  { input: { amount: 500, day: '2026-03-01', customer: { name: 'Bob Smithson' } }, labels: { team: 'payroll' } },
  { input: { country: 'DE', amount: 'many', note: 'card refused' }, labels: { region: 'eu' } },
];

beforeEach(async () => {
  rig = await openRig();
  handle = openForReading(rig.file);
  searchFile = join(temporaryFolder('ym-search'), 'search.db');
  search = createSearch(handle, searchFile, searchLimits(LIMITS));
});
afterEach(async () => {
  handle.close();
  await rig.close();
});

function index(): void {
  const db = openIndex(searchFile, () => true);
  const indexer = createIndexer({ read: handle.read, index: db, limits: LIMITS, now: () => LATER });
  while (indexer.step(10_000).more);
  db.close();
}

async function submitAll(): Promise<string[]> {
  const ids: string[] = [];
  for (const { input, labels } of INPUTS) ids.push(await rig.submit(flow, [input], labels ? { labels } : {}));
  return ids;
}

/** Places of the jobs found, as the list and a bulk operation find them. */
function find(ids: readonly string[], query: string): number[] {
  const filter = withQuery({ query }, LATER);
  const lists = openLists(handle.read, () => readCounts(handle.read));
  return handle.snapshot(() => {
    const listed = listJobs(lists, { ...filter, page: 0, size: 100, sort: 'createdAt,asc' }, search(filter));
    const bulk = snapshotTargets(handle.read, search, { filter }, { kind: 'kill', nonRetryable: false }, 1000);
    expect(bulk.total).toBe(listed.totalItems);
    return listed.items.map(({ id }) => ids.indexOf(id));
  });
}

describe.each([['by the index'], ['without it']])('%s a query of inputs and labels', (way) => {
  it.each([
    ['input.country:DE', [0, 3]],
    ['input.country:DE,FR', [0, 1, 3]],
    ['-input.country:DE', [1, 2]],
    ['input.country:*', [0, 1, 3]],
    ['-input.country:*', [2]],
    ['input.customer:*', [0, 2]],
    ['input.customer.mail:*', [0]],
    ['input.customer.name:~smith', [0, 2]],
    ['input.customer.name:~"a smith"', [0]],
    ['-input.customer.name:~ada', [1, 2, 3]],
    ['input.amount:>5', [1, 2]],
    ['input.amount:>=5', [0, 1, 2]],
    ['input.amount:5..50.5', [0, 1]],
    ['input.amount:50.50', [1]],
    ['input.day:>2026-02-15', [2]],
    ['input.items.sku:y', [1]],
    ['label.team:pay', [0]],
    ['label.team:~pay', [0, 2]],
    ['label.team:*', [0, 2]],
    ['-label.team:*', [1, 3]],
    ['-label.team:pay label.team:*', [2]],
    ['refused', [3]],
    ['"card refused" -smith', [3]],
    ['input.country:DE -refused', [0]],
    ['input.country:DE label.region:eu attempts:1', [3]],
    ['-input.country:DE -input.country:FR', [2]],
    ['-input.note:~card input.amount:>1', [0, 1, 2]],
  ])('%s', async (query, wanted) => {
    if (way === 'without it') index();
    const ids = await submitAll();
    if (way === 'by the index') index();
    expect(find(ids, query)).toEqual(wanted);
  });
});

it('reads only the inputs that the rest of the query leaves, and says when these are too many', async () => {
  const ids = await submitAll();
  index();
  search = createSearch(handle, searchFile, { ...searchLimits(LIMITS), searchReads: 2 });
  expect(() => find(ids, 'input.amount:>1')).toThrow('inputs of more than 2 jobs');
  expect(find(ids, 'input.amount:>1 label.team:*')).toEqual([0, 2]);
});

it('leaves out what it has not looked at rather than take it for a match', async () => {
  index();
  const ids = await submitAll();
  search = createSearch(handle, searchFile, { ...searchLimits(LIMITS), searchScan: 2 });
  expect(find(ids, '-input.country:DE')).toEqual([1]);
});

it('tells queries that the index serves from those of the rows', () => {
  expect(
    ['duration:>5s', 'input.a:1', '-label.team:*', 'word', 'error:x'].map((query) => usesSearchIndex({ query })),
  ).toEqual([false, true, true, true, false]);
});
