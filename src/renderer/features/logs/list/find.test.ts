import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../../contract/logs.ts';
import { createChunkBuilder } from './chunk.ts';
import { findMatches, matchesIn, patternFor } from './find.ts';
import { splitByMatches } from './highlight.ts';

const chunkOf = (records: readonly Partial<LogRecord>[]) => {
  const builder = createChunkBuilder(0);
  for (const record of records) builder.add({ _time: '2026-01-01T00:00:00.000Z', _msg: '', ...record } as LogRecord);
  return builder.sealed();
};
const what = (text: string, more: Partial<{ matchCase: boolean; regex: boolean; columns: string[] }> = {}) => ({
  text,
  matchCase: false,
  regex: false,
  columns: [],
  ...more,
});
const places = (records: readonly Partial<LogRecord>[], text: string, more: Parameters<typeof what>[1] = {}) => {
  const asked = what(text, more);
  return [...matchesIn(chunkOf(records), patternFor(asked) as RegExp, asked.columns)];
};

describe('finding in lines', () => {
  const records = [
    { _msg: 'Order A-1 shipped', level: 'INFO' },
    { _msg: 'no stock', level: 'ERROR', order: 'A-1' },
    { _msg: 'a.b', level: 'INFO', source: 'shelf' },
  ];
  it('looks at the message and the level, in any case or in the one that was typed', () => {
    expect(places(records, 'order')).toEqual([0]);
    expect(places(records, 'order', { matchCase: true })).toEqual([]);
    expect(places(records, 'error')).toEqual([1]);
  });
  it('looks at columns that are shown, and at no others', () => {
    expect(places(records, 'A-1')).toEqual([0]);
    expect(places(records, 'A-1', { columns: ['order'] })).toEqual([0, 1]);
    expect(places(records, 'shelf', { columns: ['source'] })).toEqual([2]);
  });
  it('takes text by the letter, and patterns where they are asked for', () => {
    expect(places(records, 'a.b')).toEqual([2]);
    expect(places(records, '^no|shipped$', { regex: true })).toEqual([0, 1]);
    expect(() => patternFor(what('(', { regex: true }))).toThrow(SyntaxError);
    expect(places(records, 'x*', { regex: true })).toEqual([]);
  });
  it('finds just the lines that hold the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.', '(') }), { minLength: 1, maxLength: 30 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '.', '('), minLength: 1, maxLength: 3 }),
        (messages, text) => {
          expect(
            places(
              messages.map((_msg) => ({ _msg })),
              text,
              { matchCase: true },
            ),
          ).toEqual(messages.flatMap((message, i) => (message.includes(text) ? [i] : [])));
        },
      ),
    );
  });
});

describe('going from match to match', () => {
  it('knows place and number of each, over chunks, also when the first ones went and the last ones are kept back', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 9 })), { maxLength: 6 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (all, first, end) => {
          const parts = all.map((list, i) => ({
            first: i * 10,
            places: Uint32Array.from(list.toSorted((a, b) => a - b)),
          }));
          const numbers = parts
            .flatMap((part) => [...part.places].map((place) => part.first + place))
            .filter((number) => number >= first && number < end);
          const found = findMatches(parts, first, end);
          expect(found.count).toBe(numbers.length);
          expect(numbers.map((_, i) => found.at(i))).toEqual(numbers);
          for (let number = 0; number < 60; number++) {
            const expected = numbers.findIndex((one) => one >= number);
            expect(found.indexOf(number)).toBe(expected < 0 ? numbers.length : expected);
          }
        },
      ),
    );
  });
});

describe('marks', () => {
  it('put the pieces together to the same text, matches of the find bar before those of the query', () => {
    expect(splitByMatches('is busy now', { needles: ['busy'], find: /now/g })).toEqual([
      { text: 'is ', hit: null },
      { text: 'busy', hit: 'query' },
      { text: ' ', hit: null },
      { text: 'now', hit: 'find' },
    ]);
    expect(splitByMatches('is busy', { needles: ['busy'], find: /is b/g })?.map(({ hit }) => hit)).toEqual([
      'find',
      null,
    ]);
    expect(splitByMatches('calm', { needles: ['busy'], find: null })).toBeNull();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1 }), { maxLength: 3 }),
        (text, needles) =>
          void expect(
            (splitByMatches(text, { needles, find: /ab?/g }) ?? [{ text }]).map((piece) => piece.text).join(''),
          ).toBe(text),
      ),
    );
  });
});
