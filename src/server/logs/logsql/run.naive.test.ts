import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filter, Query } from '../../../lib/logsql/ast.ts';
import { printQuery } from '../../../lib/logsql/print.ts';
import { filterOf, pipe, word } from '../../../lib/logsql/queries.fixture.ts';
import { blockOf, runOptions, sourceOf, type TestRow, timeOf } from './blocks.fixture.ts';
import { naivePipe, type PlainRow } from './naive-pipes.fixture.ts';
import { naive } from './naive.fixture.ts';
import { readQuery } from './parse.ts';
import { runQuery } from './run.ts';
import type { RunOptions } from './run-context.ts';

const NOW = Date.UTC(2025, 0, 1, 0, 0, 20);
const options = runOptions(NOW);

const message = fc
  .array(fc.oneof(word, fc.constantFrom('errors', 'jobs', 'xerr', 'größer', 'Error', 'ab', '²', 'job-12')), {
    maxLength: 4,
  })
  .chain((parts) => fc.constantFrom(' ', '', '-', ', ').map((by) => parts.join(by)));
const row: fc.Arbitrary<TestRow> = fc
  .record({
    at: fc.nat(200),
    ns: fc.constantFrom('', '.5', '.123456', '.123456789'),
    _msg: message,
    level: fc.constantFrom('ERROR', 'INFO', 'error', ''),
    n: fc.oneof(word, fc.nat(20).map(String), fc.constant('')),
    // Sums of these are exact.
    m: fc.oneof(fc.nat(20).map(String), fc.constantFrom('', '-3', '0.5', '-0.25', '12.75')),
    'long name': word,
  })
  .map(({ at, ns, ...rest }) => ({
    ...rest,
    _time: `${new Date(NOW - 20_000 + Math.floor(at / 10) * 1000).toISOString().slice(0, 19)}${ns}Z`,
  }));
/** Rows in blocks that overlap in time; fields in any of the five forms. */
const blocks = fc.record({
  parts: fc.array(fc.array(row, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  forms: fc.record({
    text: fc.subarray(['_msg', 'level', 'n', 'long name']),
    templates: fc.subarray(['_msg', 'n', 'm', 'long name']),
    numbers: fc.subarray(['n', 'm']),
  }),
});

const output = (
  query: Query,
  parts: readonly (readonly TestRow[])[],
  forms: Readonly<Record<'text' | 'templates' | 'numbers', readonly string[]>>,
  more: Partial<RunOptions> = {},
): TestRow[] => {
  const source = sourceOf(
    parts.map((rows, i) => blockOf(i + 1, rows, new Set(forms.text), new Set(forms.templates), new Set(forms.numbers))),
  );
  return [...runQuery(query, source, { ...options, ...more })].flatMap((page) =>
    page === null
      ? []
      : Buffer.from(page)
          .toString()
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as TestRow),
  );
};
const bare = (rows: readonly TestRow[]): string[] =>
  rows
    .map((one) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(one)
            .filter(([name, value]) => name !== '_time' && value !== '')
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      ),
    )
    .toSorted();
const queryOf = (filter: Filter): Query => ({ options: [], filter, pipes: [] });

describe('filters over columns', () => {
  it('let through what a look at each row lets through', () => {
    fc.assert(
      fc.property(blocks, filterOf, ({ parts, forms }, filter) => {
        const expected = parts.flat().filter((one) => naive(filter, one, BigInt(NOW) * 1_000_000n));
        expect(bare(output(queryOf(filter), parts, forms)), printQuery(queryOf(filter))).toEqual(bare(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('give the newest rows first, or the oldest', () => {
    fc.assert(
      fc.property(
        blocks,
        filterOf,
        fc.nat(10),
        fc.nat(5),
        fc.constantFrom('asc' as const, 'desc' as const),
        ({ parts, forms }, filter, limit, offset, order) => {
          const instant = (one: TestRow): bigint =>
            BigInt(timeOf(one._time).ms) * 1_000_000n + BigInt(timeOf(one._time).ns);
          const times = parts
            .flat()
            .filter((one) => naive(filter, one, BigInt(NOW) * 1_000_000n))
            .map(instant)
            .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          if (order === 'desc') times.reverse();
          expect(output(queryOf(filter), parts, forms, { limit, offset, order }).map(instant)).toEqual(
            times.slice(offset, offset + limit),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('give the first rows by time and more, and read no more blocks than they need', () => {
    fc.assert(
      fc.property(
        blocks,
        filterOf,
        fc.integer({ min: 1, max: 10 }),
        fc.nat(5),
        fc.constantFrom('', ' desc'),
        ({ parts, forms }, filter, limit, offset, way) => {
          const query = (cut: string) =>
            readQuery(
              `${printQuery(queryOf(filter))} | sort by (_time${way}, n${way}, _msg, level, m, "long name")${cut}`,
            );
          // Without a limit all rows are sorted.
          const all = output(query(''), parts, forms);
          expect(output(query(` offset ${offset} limit ${limit}`), parts, forms)).toEqual(
            all.slice(offset, offset + limit),
          );
        },
      ),
      { numRuns: 300 },
    );
    const hours = Array.from({ length: 20 }, (_, i) =>
      blockOf(i, [{ _time: new Date(NOW - i * 3_600_000).toISOString(), n: `${i}` } as TestRow]),
    );
    const read: number[] = [];
    const source = {
      *blocks(...args: Parameters<ReturnType<typeof sourceOf>['blocks']>) {
        for (const block of sourceOf(hours).blocks(...args)) {
          read.push(block.id);
          yield block;
        }
      },
    };
    const pages = [...runQuery(readQuery('* | sort by (_time desc, n desc) limit 2 | fields n'), source, options)];
    expect(Buffer.concat(pages.filter((page) => page !== null)).toString()).toBe('{"n":"0"}\n{"n":"1"}\n');
    // One more tells that no row of it is of the same instant.
    expect(read.length).toBeLessThanOrEqual(4);
  });

  it('count in groups as a look at each row does', () => {
    fc.assert(
      fc.property(
        blocks,
        filterOf,
        fc.subarray(['level', 'n', 'm', 'gone'], { minLength: 1 }),
        ({ parts, forms }, filter, by) => {
          const groups = new Map<string, { n: number; sum: number; seen: Set<string> }>();
          for (const one of parts.flat().filter((each) => naive(filter, each, BigInt(NOW) * 1_000_000n))) {
            const key = JSON.stringify([one._time.slice(0, 18), ...by.map((name) => one[name] ?? '')]);
            const group = groups.get(key) ?? { n: 0, sum: Number.NaN, seen: new Set() };
            groups.set(key, group);
            group.n++;
            if (one['m'] !== '') group.sum = (Number.isNaN(group.sum) ? 0 : group.sum) + Number(one['m']);
            if (one['long name'] !== '') group.seen.add(one['long name'] as string);
          }
          const query = readQuery(
            `${printQuery(queryOf(filter))} | stats by (_time:10s, ${by.join(', ')}) count() c, sum(m) s, count_uniq("long name") u`,
          );
          const got = output(query, parts, forms).map((one) => [
            JSON.stringify([one._time.slice(0, 18), ...by.map((name) => one[name] ?? '')]),
            one['c'],
            one['s'],
            one['u'],
          ]);
          const expected = [...groups].map(([key, { n, sum, seen }]) => [
            key,
            String(n),
            String(sum),
            String(seen.size),
          ]);
          expect(got.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('pipes over columns', () => {
  /** The sum of floats depends on their order; of equal values any may stand for the others. */
  const loose = (rows: readonly PlainRow[]): string[] =>
    rows
      .map((one) =>
        JSON.stringify(
          Object.entries(one)
            .filter(([name, value]) => value !== '' && name !== '_time')
            .map(([name, value]) => [name, /^(?:sum|avg)/.test(name) ? Number(value).toPrecision(9) : value])
            .toSorted(),
        ),
      )
      .filter((text) => text !== '[]');
  const ordered = (parts: readonly (readonly TestRow[])[]): TestRow[] => {
    const nanos = (one: TestRow): number => timeOf(one._time).ms * 1e6 - NOW * 1e6 + timeOf(one._time).ns;
    return parts
      .map((rows) => rows.toSorted((a, b) => nanos(a) - nanos(b)))
      .toSorted((a, b) => timeOf((a[0] as TestRow)._time).ms - timeOf((b[0] as TestRow)._time).ms)
      .flat();
  };

  it('give what the same pipes over plain rows give', () => {
    fc.assert(
      fc.property(
        blocks,
        filterOf,
        fc.array(pipe, { minLength: 1, maxLength: 3 }),
        ({ parts, forms }, filter, pipes) => {
          const passes = (one: Filter, given: PlainRow) => naive(one, given as TestRow, BigInt(NOW) * 1_000_000n);
          const start: PlainRow[] = ordered(parts).filter((one) => passes(filter, one));
          const expected = pipes.reduce((rows, one) => naivePipe(one, rows, passes), start);
          const query: Query = { options: [], filter, pipes };
          expect(loose(output(query, parts, forms)), printQuery(query)).toEqual(loose(expected));
        },
      ),
      { numRuns: 600 },
    );
  });
});
