import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Tokens } from '../blocks/bloom.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import { createAnswers } from './answers.ts';
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
const messageOf = (i: number) => (i % 50 === 7 ? 'seldom seen' : 'often seen');

test('no block that has the words is left out, however they are spread', () => {
  const blocks = fc.array(fc.constantFrom('a b', 'a', 'b', 'c'), { maxLength: 200 });
  const runs = fc
    .array(fc.tuple(fc.constantFrom('a b', 'a', 'b', 'c'), fc.integer({ min: 1, max: 60 })), { maxLength: 8 })
    .map((spans) => spans.flatMap(([message, n]) => Array.from({ length: n }, () => message)));
  fc.assert(
    fc.property(fc.oneof(blocks, runs), (messages) => {
      const { file, rows } = filed(messages);
      const answers = createAnswers(1e6);
      for (let query = 0; query < 2; query++) {
        const may = mayMatch(hintsFor('a', 'b'), answers);
        const passed = rows.filter((row) => may(file, row)).map(({ id }) => messages[id]);
        expect(passed.filter((message) => message === 'a b')).toEqual(messages.filter((message) => message === 'a b'));
      }
    }),
  );
});

test('a word that few blocks have is looked up in each, once, and finds these alone', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => messageOf(i)));
  const answers = createAnswers(1e6);
  const found = () => {
    const may = mayMatch(hintsFor('seldom'), answers);
    return rows.filter((row) => may(file, row)).map(({ id }) => id);
  };
  const expected = rows.filter(({ id }) => messageOf(id).startsWith('seldom')).map(({ id }) => id);
  expect(found()).toEqual(expected);
  expect(reads()).toBe(500);
  expect(found()).toEqual(expected);
  expect(reads()).toBe(500);
});

test('a word that all blocks have is looked up in few of them', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => messageOf(i)));
  const may = mayMatch(hintsFor('seen'), createAnswers(1e6));
  expect(rows.every((row) => may(file, row))).toBe(true);
  expect(reads()).toBeLessThan(125);
});

test('a word that is no longer common is soon looked up in every block again, and hardly taken for common twice', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => (i < 250 ? 'here' : 'gone')));
  const may = mayMatch(hintsFor('here'), createAnswers(1e6));
  expect(rows.filter((row) => may(file, row)).length).toBeLessThan(258);
  expect(reads()).toBeLessThan(350);
  const phases = filed(Array.from({ length: 4000 }, (_, i) => (i % 100 < 80 ? 'here' : 'gone')));
  const mayHere = mayMatch(hintsFor('here'), createAnswers(1e6));
  const passed = phases.rows.filter((row) => mayHere(phases.file, row));
  expect(passed.filter(({ id }) => id % 100 >= 80).length).toBeLessThanOrEqual(7);
});

test('what was asked for longest ago is forgotten first, and a term asked for now never half', () => {
  const { file, rows, reads } = filed(Array.from({ length: 500 }, (_, i) => messageOf(i)));
  const answers = createAnswers(2500);
  const ask = (word: string) => {
    const may = mayMatch(hintsFor(word), answers);
    const before = reads();
    for (const row of rows) may(file, row);
    return reads() - before;
  };
  expect(['one', 'two', 'one', 'three', 'one', 'two'].map(ask)).toEqual([500, 500, 0, 500, 0, 500]);
});
