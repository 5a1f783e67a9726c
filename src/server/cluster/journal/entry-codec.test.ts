import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteWriter } from '../../../lib/bytes.ts';
import type { Value } from '../../store/port.ts';
import { decodeEntry, encodeEntry, MIGRATION, writeOperation } from './entry-codec.ts';

const hashOf = (number: number) => number.toString(16).padStart(16, '0');
const value: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(-0, 2 ** 52, -(2 ** 52), 2 ** 53, NaN, Infinity),
  fc.string({ unit: 'grapheme' }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.uint8Array({ maxLength: 40 }),
);
const turns = fc.array(
  fc.array(fc.record({ number: fc.integer({ min: 1, max: 300 }), args: fc.array(value, { maxLength: 6 }) }), {
    maxLength: 8,
  }),
  { minLength: 1, maxLength: 8 },
);

function encode(first: number, given: readonly { number: number; args: Value[] }[][]) {
  const used = [...new Set(given.flat().map(({ number }) => number))];
  const bytes = given.map((operations) => {
    const to = new ByteWriter(8);
    for (const { number, args } of operations) writeOperation(to, number, args);
    return to.done();
  });
  return encodeEntry(
    used.map((number) => ({ number, hash: hashOf(number) })),
    first,
    bytes,
  );
}

/** Bytes alone, whatever holds them. */
const plain = (decoded: ReturnType<typeof decodeEntry>) =>
  decoded.map(({ number, operations }) => ({
    number,
    operations: operations.map((operation) =>
      'args' in operation
        ? { ...operation, args: operation.args.map((v) => (v instanceof Uint8Array ? new Uint8Array(v) : v)) }
        : operation,
    ),
  }));

it('gives back every turn with its statements and arguments, as they were', () => {
  return fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 50 }), turns, async (first, given) => {
      expect(plain(decodeEntry(await encode(first, given)))).toEqual(
        given.map((operations, i) => ({
          number: first + i,
          operations: operations.map(({ number, args }) => ({ hash: hashOf(number), args })),
        })),
      );
    }),
  );
});

it('refuses an entry of which any bit differs', () => {
  return fc.assert(
    fc.asyncProperty(turns, fc.nat(), fc.integer({ min: 0, max: 7 }), async (given, at, bit) => {
      const entry = await encode(1, given);
      const index = at % entry.length;
      entry[index] = (entry[index] ?? 0) ^ (1 << bit);
      expect(() => decodeEntry(entry)).toThrow();
    }),
  );
});

it('carries a migration as its schema', async () => {
  const to = new ByteWriter(8);
  writeOperation(to, MIGRATION, [22]);
  expect(decodeEntry(await encodeEntry([], 7, [to.done()]))).toEqual([{ number: 7, operations: [{ schema: 22 }] }]);
});
