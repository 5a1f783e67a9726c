import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOf, type TestRow, timeOf } from '../../logsql/blocks.fixture.ts';
import type { StoredBlock } from '../blocks/block.ts';
import type { Snapshot } from './source.ts';
import { hits, type HitsQuery } from './hits.ts';

const START = Date.UTC(2025, 0, 1);
const MINUTE = 60_000;

const row: fc.Arbitrary<TestRow> = fc
  .record({
    // Many on the ends of steps.
    at: fc.oneof(
      fc.nat(10 * MINUTE),
      fc.nat(10).map((n) => n * MINUTE),
      fc.nat(10).map((n) => n * MINUTE - 1),
    ),
    level: fc.constantFrom('ERROR', 'INFO', ''),
    trace: fc.nat(20).map(String),
  })
  .map(({ at, ...rest }) => ({ ...rest, source: 'a', _msg: '', _time: new Date(START + at).toISOString() }));

/** Counts of the series by value, of the buckets that have some. */
async function counted(
  query: HitsQuery,
  parts: readonly (readonly TestRow[])[],
  text: readonly string[],
): Promise<Record<string, number>> {
  const blocks = parts.map((rows, i) => blockOf(i + 1, rows, new Set(text)) as StoredBlock);
  const snapshot: Pick<Snapshot, 'blocks'> = { blocks: () => blocks };
  const found = await hits(query, START, snapshot as Snapshot, { step: async () => {} });
  return Object.fromEntries(
    found.hits.flatMap(({ fields, timestamps, values }) =>
      timestamps.flatMap((time, i) =>
        values[i] === 0 ? [] : [[`${time} ${Object.values(fields)[0] ?? ''}`, values[i] ?? 0] as const],
      ),
    ),
  );
}

describe('hits', () => {
  it('are what a look at each row counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 4 }),
        fc.subarray(['level', 'trace']),
        fc.constantFrom(undefined, 'level', 'trace', 'source', 'missing', '_time'),
        fc.constantFrom('', 'level:ERROR', 'trace:<10', 'missing:""', `_time:>=2025-01-01T00:05:00Z`),
        fc.constantFrom(1000, MINUTE, 60 * MINUTE),
        async (parts, text, field, filter, stepMs) => {
          const expected: Record<string, number> = {};
          for (const one of parts.flat()) {
            const { ms } = timeOf(one._time);
            if (filter === 'level:ERROR' && one['level'] !== 'ERROR') continue;
            if (filter === 'trace:<10' && Number(one['trace']) >= 10) continue;
            if (filter.startsWith('_time') && ms < START + 5 * MINUTE) continue;
            const value = field === undefined || field === '_time' ? '' : (one[field] ?? '');
            const key = `${new Date(Math.floor(ms / stepMs) * stepMs).toISOString()} ${value}`;
            expected[key] = (expected[key] ?? 0) + 1;
          }
          const query = { query: filter, stepMs, ...(field === undefined ? {} : { field }) };
          expect(await counted(query, parts, text)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
