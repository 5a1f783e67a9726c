import { beforeAll, describe, expect, it } from 'vitest';
import { blockParts, type StoredBlock } from './block.ts';
import { search } from '../read/search.ts';
import { createTimeSlice } from '../read/time-slice.ts';
import { recordWriter } from '../read/records.ts';
import { openSource } from '../read/source.ts';
import { batch, emptyFolder, writerOf } from '../store.fixture.ts';

/** How often parts of blocks are read and unpacked: what makes a query dear. */
const START = Date.UTC(2026, 0, 1);
const BLOCKS = 12;
const ROWS = 1200;
const COLUMNS = ['_msg', 'trace', 'path', 'code'] as const;
/** Of one block: more than what lies in its head. */
const lines = (block: number) =>
  Array.from({ length: ROWS }, (_, i) => ({
    _time: START + (block * ROWS + i) * 10,
    trace: `${block}-${i}`.repeat(6),
    path: `/a/${(i * 7919) % 997}/${block}`,
    code: (i * 31) % 611,
    _msg: `line ${i} of ${block} ${'abcdefgh'.repeat(20)}`,
  }));
const ALL = { from: null, to: null, equal: [], words: [] };

let folder: string;
beforeAll(() => {
  folder = emptyFolder();
  const writer = writerOf(folder);
  for (let block = 0; block < BLOCKS; block++) writer.insert([batch(lines(block))]);
  writer.close();
});

/** A source that counts what is unpacked. */
function counting(cacheBytes: number) {
  let unpacked = 0;
  const source = openSource(
    folder,
    cacheBytes,
    () => {},
    (db) => {
      const parts = blockParts(db);
      return {
        head: parts.head,
        part(id) {
          unpacked++;
          return parts.part(id);
        },
      };
    },
  );
  /** What a query unpacks. */
  const during = async (query: () => unknown): Promise<number> => {
    const before = unpacked;
    await query();
    return unpacked - before;
  };
  const eachBlock = (use: (block: StoredBlock) => void) => {
    const snapshot = source.snapshot();
    for (const block of snapshot.blocks(ALL, 'asc')) use(block);
    snapshot.release();
  };
  const found = async (query: string, limit: number, order: 'asc' | 'desc' = 'desc') => {
    const snapshot = source.snapshot();
    const text = await search(
      { query, limit, order },
      START,
      snapshot,
      createTimeSlice(30_000, Infinity),
      (record) => record,
    );
    snapshot.release();
    return (JSON.parse(text) as { records: Record<string, unknown>[] }).records;
  };
  return { source, during, eachBlock, found };
}
const columnsOf = (block: StoredBlock) => COLUMNS.map((name) => block.column(name));

describe('a block at hand', () => {
  it('is unpacked once by a query that goes through it row by row, however small the cache', async () => {
    const { eachBlock, during, source } = counting(1);
    const once = await during(() => eachBlock(columnsOf));
    expect(once).toBeGreaterThan(BLOCKS * 2);
    const rowByRow = await during(() =>
      eachBlock((block) => {
        for (let row = 0; row < block.rows; row += 50) {
          columnsOf(block);
          recordWriter(block)(row);
        }
      }),
    );
    // Arrival numbers and times have parts of their own.
    expect(rowByRow).toBeLessThanOrEqual(once + BLOCKS);
    source.close();
  });
});

describe('a page of a search', () => {
  it('unpacks each of its blocks once, though it has a row of every one of them', async () => {
    const { found, during, source } = counting(1);
    let records: Record<string, unknown>[] = [];
    const unpacked = await during(async () => (records = await found('code:=0', 10_000)));
    expect(records).toHaveLength(BLOCKS * 2);
    // Times and the column of the filter to find them, and all columns to write them.
    expect(unpacked).toBeLessThanOrEqual(BLOCKS * (2 * (COLUMNS.length + 3)));
    const times = records.map(({ _time }) => String(_time));
    expect(times).toEqual(times.toSorted().reverse());
    source.close();
  });
});

describe('a scan of everything', () => {
  const MB = 1024 * 1024;

  it('finds a part of itself again where all of it has no room', async () => {
    const { eachBlock, during, source } = counting(1.5 * MB);
    const first = await during(() => eachBlock(columnsOf));
    for (let again = 0; again < 4; again++) expect(await during(() => eachBlock(columnsOf))).toBeLessThan(first * 0.75);
    source.close();
  });

  it('pushes out nothing that the page of an operator asks for every few seconds', async () => {
    const { eachBlock, found, during, source } = counting(1.5 * MB);
    const page = () => found('*', 100);
    await page();
    expect(await during(page)).toBe(0);
    for (let scans = 0; scans < 3; scans++) eachBlock(columnsOf);
    expect(await during(page)).toBe(0);
    source.rest();
    expect(await during(page)).toBeGreaterThan(0);
    source.close();
  });
});
