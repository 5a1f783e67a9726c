import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tokens } from '../blocks/bloom.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import { createCache } from './cache.ts';
import { mayMatch } from './may-match.ts';

/** Blocks of these messages, and how many pieces of their filters were read. */
function filed(messages: readonly string[]) {
  const filters = messages.map((message) => {
    const tokens = new Tokens();
    const bytes = Buffer.from(message);
    tokens.addWords(bytes, 0, bytes.length);
    return tokens.pieces();
  });
  let reads = 0;
  const file = {
    piece(id: number) {
      reads++;
      return filters[Math.floor(id / PARTS)]?.[id % PARTS];
    },
  };
  const rows = filters.map((pieces, id) => ({ id, pieces: pieces.length }) as BlockRow);
  return { file, rows, reads: () => reads };
}
const hintsFor = (...words: string[]) => ({ from: null, to: null, equal: [], words });
const few = (i: number) => (i % 50 === 7 ? 'seldom seen' : 'often seen');

test('no block is passed by that has the words, however they are spread', () => {
  const blocks = fc.array(fc.constantFrom('a b', 'a', 'b', 'c'), { maxLength: 200 });
  const runs = fc
    .array(fc.tuple(fc.constantFrom('a b', 'a', 'b', 'c'), fc.integer({ min: 1, max: 60 })), { maxLength: 8 })
    .map((spans) => spans.flatMap(([message, n]) => Array.from({ length: n }, () => message)));
  fc.assert(
    fc.property(fc.oneof(blocks, runs), (messages) => {
      const { file, rows } = filed(messages);
      const cache = createCache(1e6);
      for (let query = 0; query < 2; query++) {
        const may = mayMatch(hintsFor('a', 'b'), cache);
        const passed = rows.filter((row) => may(file, row)).map(({ id }) => messages[id]);
        expect(passed.filter((message) => message === 'a b')).toEqual(messages.filter((message) => message === 'a b'));
      }
    }),
  );
});

test('a word that few blocks have is looked up in each, once, and finds these alone', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => few(i)));
  const cache = createCache(1e6);
  const found = () => {
    const may = mayMatch(hintsFor('seldom'), cache);
    return rows.filter((row) => may(file, row)).map(({ id }) => id);
  };
  const expected = rows.filter(({ id }) => few(id).startsWith('seldom')).map(({ id }) => id);
  expect(found()).toEqual(expected);
  expect(reads()).toBe(500);
  expect(found()).toEqual(expected);
  expect(reads()).toBe(500);
});

test('a word that all blocks have is looked up in few of them', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => few(i)));
  const may = mayMatch(hintsFor('seen'), createCache(1e6));
  expect(rows.every((row) => may(file, row))).toBe(true);
  expect(reads()).toBeLessThan(100);
});

test('a word that is common no more is soon looked up in each block again', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => (i < 250 ? 'here' : 'gone')));
  const may = mayMatch(hintsFor('here'), createCache(1e6));
  expect(rows.filter((row) => may(file, row)).length).toBeLessThan(258);
  expect(reads()).toBeLessThan(310);
});
