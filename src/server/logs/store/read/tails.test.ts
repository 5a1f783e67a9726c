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
