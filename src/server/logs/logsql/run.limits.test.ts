import { describe, expect, it } from 'vitest';
import type { ScanHints } from '../store/port.ts';
import { blockOf, runOptions, sourceOf } from './blocks.fixture.ts';
import { hintsOf } from './filter/hints.ts';
import { readFilter, readQuery } from './parse.ts';
import { runQuery } from './run.ts';
import type { RunOptions } from './run-context.ts';

const NOW = Date.UTC(2025, 0, 2);
const blocks = Array.from({ length: 50 }, (_, b) =>
  blockOf(
    b + 1,
    Array.from({ length: 200 }, (__, i) => ({
      _time: new Date(NOW - 86_400_000 + (b * 200 + i) * 1000).toISOString().replace('.000Z', 'Z'),
      _msg: `line ${b * 200 + i} ${'x'.repeat(100)}`,
      id: String(b * 200 + i),
    })),
  ),
);
const options = runOptions(NOW);
const run = (query: string, more: Partial<RunOptions> = {}) =>
  [...runQuery(readQuery(query), sourceOf(blocks), { ...options, ...more })].filter((page) => page !== null);
const lines = (pages: Uint8Array[]): string[] =>
  Buffer.concat(pages)
    .toString()
    .split('\n')
    .filter((line) => line !== '');

describe('pipes that make much of little', () => {
  const little = (query: string) => () => [
    ...runQuery(readQuery(query), sourceOf([blockOf(1, [{ _time: '2025-01-01T00:00:00Z', _msg: 'x'.repeat(1024) }])]), {
      ...options,
      stateBytes: 64 * 1024 * 1024,
    }),
  ];
  const tooLarge = (message: string) =>
    expect.objectContaining({ code: 'QUERY_TOO_LARGE', message: expect.stringContaining(message) });
  /** A field of two million characters. */
  const grown = `* | format "<_msg>" as a${' | format "<a><a>" as a'.repeat(11)}`;

  it.each([
    ['format', `format "${'<a>'.repeat(4000)}" as b`],
    ['replace', `replace ("x", "${'y'.repeat(4000)}") at a`],
    ['replace, so many times', `replace ("x", "${'y'.repeat(4000)}") at a limit 1000000`],
    ['replace_regexp', `replace_regexp ("x", "${'y'.repeat(4000)}") at a`],
    ['pack_json', 'format "<a>" as b | format "<a>" as c | pack_json as d'],
    ['pack_logfmt', 'format "<a>" as b | format "<a>" as c | pack_logfmt as d'],
  ])('are refused before a value is made that is too long: %s', (_, pipe) => {
    expect(little(`${grown} | ${pipe}`)).toThrow(tooLarge('a value of more than'));
  });

  it('are refused where each of many adds a value that is not', () => {
    const more = Array.from({ length: 40 }, (_, i) => ` | format "${i}<a>" as b${i}`).join('');
    expect(little(grown + more)).toThrow(tooLarge('needs more than 64 MB'));
  });

  it('are run as long as they hold little at a time', () => {
    const more = Array.from({ length: 40 }, (_, i) => ` | format "${i}<id>" as b${i}`).join('');
    expect(lines(run(`*${more} | fields b39`, { stateBytes: 16 * 1024 * 1024 }))).toHaveLength(10_000);
  });
});

describe('a run', () => {
  it('gives pages of at most 256 KB, and all rows', () => {
    const pages = run('*');
    expect(pages.length).toBeGreaterThan(3);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect(lines(pages)).toHaveLength(10_000);
  });

  it('cuts one row that is longer than a page', () => {
    const long = 'ü'.repeat(400_000);
    const pages = [
      ...runQuery(readQuery('*'), sourceOf([blockOf(1, [{ _time: '2025-01-01T00:00:00Z', _msg: long }])]), options),
    ].filter((page) => page !== null);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect((JSON.parse(Buffer.concat(pages).toString()) as { _msg: string })._msg).toBe(long);
  });

  it('asks between the parts of a filter whether it is to end, however many look at one block', () => {
    for (const word of ['or', 'and']) {
      let asked = 0;
      const query = Array.from({ length: 300 }, (_, i) => (word === 'or' ? `"nothing ${i}"` : `-"nothing ${i}"`)).join(
        ` ${word} `,
      );
      const source = sourceOf(blocks.slice(0, 1));
      for (const _ of runQuery(readQuery(query), source, { ...options, cancelled: () => (asked++, false) }));
      expect(asked).toBeGreaterThan(300);
    }
  });

  it('reads no further than it has to for the newest rows', () => {
    let read = 0;
    const source = sourceOf(blocks);
    const counted = {
      blocks: function* (hints: ScanHints, order: 'asc' | 'desc') {
        for (const block of source.blocks(hints, order)) {
          read++;
          yield block;
        }
      },
    };
    const pages = [...runQuery(readQuery('* | fields id'), counted, { ...options, limit: 5, offset: 2 })].filter(
      (page) => page !== null,
    );
    expect(lines(pages).map((line) => (JSON.parse(line) as { id: string }).id)).toEqual([
      '9997',
      '9996',
      '9995',
      '9994',
      '9993',
    ]);
    expect(read).toBeLessThanOrEqual(2);
  });

  it('joins filters and the time given beside the query', () => {
    const from = NOW - 86_400_000 + 100_000;
    expect(lines(run('line', { from, to: from + 10_000, extraFilters: ['id:>103', '-id:=105'] }))).toHaveLength(5);
    expect(() => run('*', { extraFilters: ['a |'] })).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }));
  });

  it.each([
    '* | sort by (_msg)',
    '* | stats by (id) count()',
    '* | uniq by (_msg)',
    '* | top 3 by (_msg)',
    '* | stats uniq_values(_msg)',
    '* | stats count_uniq(_msg)',
    '* | stats values(_msg)',
    '* | stats by (id) row_any()',
    '_msg:in(* | fields _msg)',
    '* | stream_context before 100000',
    '* | join by (id) (*)',
  ])('%s is refused where it would hold too much', (query) => {
    expect(() => run(query, { stateBytes: 100_000 })).toThrow(expect.objectContaining({ code: 'QUERY_TOO_LARGE' }));
  });

  it.each([
    '* | sort by (id desc) | limit 2',
    '* | sort by (_time desc) | limit 2',
    '* | sort by (_time desc)',
    '* | sort by (id) desc',
  ])('keeps no more of %s than are asked for', (query) => {
    expect(
      lines(run(query, { stateBytes: 20_000, limit: 2 })).map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(['9999', '9998']);
  });

  it('sorts by time without keeping rows', () =>
    expect(
      lines(run('* | sort by (_time) | fields id', { stateBytes: 1000 })).map(
        (line) => (JSON.parse(line) as { id: string }).id,
      ),
    ).toEqual(Array.from({ length: 10_000 }, (_, i) => String(i))));

  it('keeps no more than a sort with a limit needs', () => {
    expect(
      lines(run('* | sort by (id desc) limit 3 | fields id', { stateBytes: 20_000 })).map(
        (line) => (JSON.parse(line) as { id: string }).id,
      ),
    ).toEqual(['9999', '9998', '9997']);
  });

  it('ends when it is cancelled, or takes too long', () => {
    let asked = 0;
    expect(() => run('*', { cancelled: () => ++asked > 3 })).toThrow(
      expect.objectContaining({ code: 'QUERY_CANCELLED' }),
    );
    expect(() => run('*', { timeoutMs: -1 })).toThrow(expect.objectContaining({ code: 'QUERY_TIMEOUT' }));
  });

  it('lets its driver breathe while nothing matches', () => {
    expect(
      [...runQuery(readQuery('nothing'), sourceOf(blocks), options)].filter((page) => page === null).length,
    ).toBeGreaterThanOrEqual(50);
    for (const query of [
      'nothing | stats count()',
      'id:in(nothing | fields id) id:=1',
      'nothing | join by (id) (* | fields id)',
      'nothing | union (nothing)',
    ]) {
      expect(
        [...runQuery(readQuery(query), sourceOf(blocks), options)].filter((page) => page === null).length,
        query,
      ).toBeGreaterThanOrEqual(50);
    }
  });
});

describe('hints', () => {
  const of = (text: string) => hintsOf(readFilter(text), BigInt(NOW) * 1_000_000n);
  it.each<[string, Partial<ScanHints>]>([
    ['a:=b c', { equal: [{ field: 'a', anyOf: ['b'] }], words: ['c'] }],
    ['a:in(b, c)', { equal: [{ field: 'a', anyOf: ['b', 'c'] }] }],
    ['a:=b or a:=c', { equal: [{ field: 'a', anyOf: ['b', 'c'] }] }],
    ['a:=b or c', { equal: [], words: [] }],
    ['(x y) or (z x)', { words: ['x'] }],
    ['-a:=b -c', { equal: [], words: [] }],
    ['a:=""', { equal: [] }],
    ['"foo bar"*', { words: ['foo'] }],
    ['*"oo bar ba"*', { words: ['bar'] }],
    ['~"x foo .*bar"', { words: ['foo'] }],
    ['größe-1', { words: ['gr', 'e', '1'] }],
    ['f:word', { words: [] }],
    ['_time:1h', { from: NOW - 3_600_000, to: NOW }],
    ['_time:[2025-01-01Z, 2025-01-01T00:00:00.5Z)', { from: NOW - 86_400_000, to: NOW - 86_400_000 + 500 }],
    ['_time:<=2025-01-01T00:00:00.123456789Z', { from: null, to: NOW - 86_400_000 + 124 }],
    ['_time:1h or _time:2h', { from: NOW - 7_200_000, to: NOW }],
  ])('%s', (text, expected) => expect(of(text)).toMatchObject(expected));
});
