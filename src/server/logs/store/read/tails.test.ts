import { expect, it } from 'vitest';
import { openSource } from './source.ts';
import { batch, emptyFolder, writerOf } from '../store.fixture.ts';
import { createTails } from './tails.ts';

it('gives a follower what came in pieces that whoever reads them is not held by, in the order of arrival', () => {
  const folder = emptyFolder();
  const writer = writerOf(folder);
  const source = openSource(folder, 1e6, () => {});
  const given: (readonly string[])[] = [];
  const tails = createTails(source, (_id, records) => void given.push(records));
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

it('gives many followers no more of a burst than fits, each as much, and says how much it left out', () => {
  const LINES = 1000;
  const FOLLOWERS = 300;
  const folder = emptyFolder();
  const writer = writerOf(folder);
  const source = openSource(folder, 1e6, () => {});
  const given = new Map<number, { texts: string[]; missed: number }>();
  const tails = createTails(source, (id, records, missed) => {
    const one = given.get(id) ?? { texts: [], missed: 0 };
    given.set(id, { texts: [...one.texts, ...records], missed: one.missed + missed });
  });
  for (let id = 0; id < FOLLOWERS; id++) tails.add(id, {}, 0);
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
  expect(characters).toBeLessThanOrEqual(4 * 1024 * 1024);
  // What comes then is given again.
  given.clear();
  insert(2);
  tails.poll();
  expect([...given.values()].map(({ texts, missed }) => [texts.length, missed])).toEqual(
    Array.from({ length: FOLLOWERS }, () => [2, 0]),
  );
  writer.close();
  source.close();
});
