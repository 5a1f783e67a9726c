import { expect, it } from 'vitest';
import { openSource } from './source.ts';
import { batch, emptyFolder, writerOf } from '../store.fixture.ts';
import { createTails } from './tails.ts';

it('gives a follower what came in pieces that whoever reads them is not held by, in the order of arrival', () => {
  const folder = emptyFolder();
  const writer = writerOf(folder);
  const source = openSource(folder, 1e6, () => {});
  const given: (readonly string[])[] = [];
  const tails = createTails(source, (_ids, records) => void given.push(records));
  tails.add(1, {}, 0);
  const long = (n: number) => ({ n, _msg: 'x'.repeat(n === 5 ? 600_000 : 60_000) });
  writer.insert([
    batch(Array.from({ length: 20 }, (_, n) => long(n))),
    batch(Array.from({ length: 1200 }, (_, n) => ({ n: n + 20 }))),
  ]);
  tails.poll();
  for (const records of given) {
    expect(records.length).toBeLessThanOrEqual(500);
    expect(records.length === 1 || records.join('').length <= 256 * 1024).toBe(true);
  }
  expect(given.flat().map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(
    Array.from({ length: 1220 }, (_, n) => n),
  );
  writer.close();
  source.close();
});

it.each(['the same', 'different'])(
  'gives many followers of %s no more of a burst than fits, each as much, and says how much it left out',
  (kind) => {
    const LINES = 1000;
    const FOLLOWERS = 300;
    const most = kind === 'the same' ? 16 : 4;
    const folder = emptyFolder();
    const writer = writerOf(folder);
    const source = openSource(folder, 1e6, () => {});
    const given = new Map<number, { texts: string[]; missed: number }>();
    const tails = createTails(source, (ids, records, missed) => {
      for (const id of ids) {
        const one = given.get(id) ?? { texts: [], missed: 0 };
        given.set(id, { texts: [...one.texts, ...records], missed: one.missed + missed });
      }
    });
    for (let id = 0; id < FOLLOWERS; id++) tails.add(id, kind === 'the same' ? {} : { query: `* or never${id}` }, 0);
    const insert = (count: number) =>
      writer.insert([batch(Array.from({ length: count }, (_, n) => ({ n, _msg: 'x'.repeat(1000) })))]);
    insert(LINES);
    tails.poll();
    expect(given.size).toBe(FOLLOWERS);
    let characters = 0;
    for (const { texts, missed } of given.values()) {
      characters += texts.join('').length;
      expect(texts.length).toBeGreaterThan(10);
      expect(texts.length + missed).toBe(LINES);
      expect(texts.map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(texts.map((_, n) => n));
    }
    expect(characters).toBeLessThanOrEqual(most * 1024 * 1024);
    // What comes then is given again.
    given.clear();
    insert(2);
    tails.poll();
    expect([...given.values()].map(({ texts, missed }) => [texts.length, missed])).toEqual(
      Array.from({ length: FOLLOWERS }, () => [2, 0]),
    );
    writer.close();
    source.close();
  },
);

it('makes each text once for all who follow the same, and gives each of them all that came', () => {
  const folder = emptyFolder();
  const writer = writerOf(folder);
  const source = openSource(folder, 1e6, () => {});
  const given: { ids: readonly number[]; count: number; missed: number }[] = [];
  const tails = createTails(source, (ids, records, missed) => void given.push({ ids, count: records.length, missed }));
  for (let id = 0; id < 50; id++) tails.add(id, { query: 'line' }, 0);
  // What 50 followers of 2,000 lines a second are given at one time.
  for (let turn = 0; turn < 3; turn++) {
    writer.insert([batch(Array.from({ length: 400 }, (_, n) => ({ n, _msg: `line ${n} ${'x'.repeat(200)}` })))]);
    tails.poll();
  }
  expect(given).toEqual(
    Array.from({ length: 3 }, () => ({ ids: Array.from({ length: 50 }, (_, id) => id), count: 400, missed: 0 })),
  );
  writer.close();
  source.close();
});
