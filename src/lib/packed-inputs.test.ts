import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonTextOf, JsonSource, packTexts, unpackChunk } from './packed-inputs.ts';

it('gives back every text, from anywhere', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.nat(20), (values, from) => {
      const texts = values.map((value) => JSON.stringify(value));
      const packed = packTexts(texts);
      expect(packed.length).toBe(texts.length);
      expect(packed.chunks.flatMap((chunk) => unpackChunk(chunk))).toEqual(texts);
      const [chunk] = packed.chunks;
      if (chunk) expect(unpackChunk(chunk, from, 3)).toEqual(texts.slice(from, from + 3));
    }),
  );
});

it('ends a piece at a thousand texts, or 256 KiB', () => {
  expect(packTexts(Array(2500).fill('{}')).chunks.map(({ count }) => count)).toEqual([1000, 1000, 500]);
  expect(packTexts(Array(3).fill(JSON.stringify('x'.repeat(200_000)))).chunks.map(({ count }) => count)).toEqual([
    2, 1,
  ]);
});

it('gives each piece a buffer of its own, which can be moved to another thread', () => {
  for (const { texts } of packTexts(['1', '2']).chunks) expect(texts.buffer.byteLength).toBe(texts.byteLength);
});

it('writes a text that stands for a value as it is', () => {
  expect([jsonTextOf(new JsonSource('{"n":1e400}')), jsonTextOf(undefined), jsonTextOf({ a: 1 })]).toEqual([
    '{"n":1e400}',
    'null',
    '{"a":1}',
  ]);
});
