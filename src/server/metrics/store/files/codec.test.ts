import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';
import {
  decodeNumbers,
  decodeTexts,
  decodeTimes,
  encodeBig,
  encodeNumbers,
  encodeTexts,
  encodeTimes,
  openSection,
  putSection,
  takeSection,
} from './codec.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -99999, max: 99999 }).map((n) => n / 100),
  fc.constantFrom(-0, 0, 2 ** 53, -(2 ** 51), 2 ** 51 + 1, 1e308, 5e-324, 0.1 + 0.2),
);
const same = (a: ArrayLike<unknown>, b: ArrayLike<unknown>) =>
  a.length === b.length && Array.from(a).every((one, i) => Object.is(one, b[i]));

describe('a column comes out as it went in', () => {
  it('of numbers, bit by bit', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(number), fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 300 })), (list) =>
        same(decodeNumbers(encodeNumbers(Float64Array.from(list)), list.length), list),
      ),
    );
  });
  it('of whole numbers of 64 bits', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (list) =>
        same(decodeNumbers(encodeBig(BigInt64Array.from(list)), list.length), list),
      ),
    );
  });
  it('of times, regular or not', () => {
    const at = fc.integer({ min: -9_223_372_036_854, max: 9_223_372_036_854 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(at).map((list) => list.sort((a, b) => a - b)),
          fc
            .tuple(at, fc.nat(1e6), fc.nat(500))
            .map(([start, stepMs, n]) => Array.from({ length: n }, (_, i) => start + i * stepMs)),
        ),
        (list) => same(decodeTimes(encodeTimes(Float64Array.from(list)), list.length), list),
      ),
    );
  });
  it('of texts and of ids', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.string({ unit: codePoint })), fc.array(fc.uuid())), (list) =>
        same(decodeTexts(encodeTexts(list), list.length), list),
      ),
    );
  });
});

it('keeps numbers of few decimals small', () => {
  const steps = Float64Array.from({ length: 1000 }, (_, i) => Math.round(5000 + 100 * Math.sin(i / 20)) / 100);
  expect(encodeNumbers(steps).length).toBeLessThan(1100);
  expect(encodeTimes(Float64Array.from({ length: 1000 }, (_, i) => 1.7e12 + i * 10_000)).length).toBeLessThan(20);
});

it('refuses bytes that are cut short', () => {
  const bytes = encodeNumbers(Float64Array.from({ length: 100 }, (_, i) => i * i));
  expect(() => decodeNumbers(bytes.subarray(0, 50), 100)).toThrow(RangeError);
});

it('writes whole numbers up to 2^52 of either sign, and sections that are opened again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
      fc.uint8Array({ maxLength: 500 }),
      (list, bytes) => {
        const out = new ByteWriter(1);
        for (const one of list) out.zigzag(one);
        putSection(out, bytes);
        putSection(out, new Uint8Array(1000));
        const reader = new ByteReader(out.done());
        for (const one of list) expect(reader.zigzag()).toBe(one);
        expect([...openSection(takeSection(reader))]).toEqual([...bytes]);
        expect(openSection(takeSection(reader)).length).toBe(1000);
        expect(reader.more).toBe(false);
      },
    ),
  );
});
