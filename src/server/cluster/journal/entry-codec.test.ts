import { constants, crc32, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

/** An entry whose content is this, compressed. */
function entryOf(body: Uint8Array): Uint8Array {
  const entry = new Uint8Array(6 + body.length);
  entry.set([1, 1]);
  new DataView(entry.buffer).setUint32(2, crc32(body), true);
  entry.set(body, 6);
  return entry;
}

describe('an entry that unpacks to far more than it is', () => {
  const MIB = 1024 * 1024;
  const zeros = zstdCompressSync(Buffer.alloc(80 * MIB), { pledgedSrcSize: 80 * MIB });

  it('is refused by the size that it states, before that takes the memory', () => {
    const before = process.memoryUsage().arrayBuffers;
    expect(() => decodeEntry(entryOf(zeros), 64 * MIB)).toThrow(
      /says that it holds 83886080, and the limit is 67108864/,
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB);
  });

  it('is refused where it states less than it holds, or nothing', () => {
    const lying = Buffer.from(zeros);
    // Its size stands in the four bytes behind the magic number, the descriptor and the window.
    lying.writeUInt32LE(1000, zeros.indexOf(Buffer.from([0, 0, 0, 5])));
    expect(lying).not.toEqual(zeros);
    expect(() => decodeEntry(entryOf(lying), 64 * MIB)).toThrow();
    const silent = Buffer.from(
      zstdCompressSync(Buffer.alloc(80 * MIB), { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } }),
    );
    expect(() => decodeEntry(entryOf(silent), 64 * MIB)).toThrow('more than the 67108864 that it may');
  });

  it('is damaged where it is no zstd at all', () => {
    expect(() => decodeEntry(entryOf(Buffer.from('nothing of that')), MIB)).toThrow(RangeError);
    expect(() => decodeEntry(entryOf(zeros.subarray(0, 5)), MIB)).toThrow(RangeError);
  });
});

it('is read where one change is large', async () => {
  const to = new ByteWriter(8);
  writeOperation(to, 1, [new Uint8Array(3 * 1024 * 1024)]);
  const entry = await encodeEntry([{ number: 1, hash: hashOf(1) }], 1, [to.done()]);
  expect(decodeEntry(entry)).toHaveLength(1);
  expect(() => decodeEntry(entry, 1024 * 1024)).toThrow('journalUnpackedBytes');
});

it('carries a migration as its schema', async () => {
  const to = new ByteWriter(8);
  writeOperation(to, MIGRATION, [22]);
  expect(decodeEntry(await encodeEntry([], 7, [to.done()]))).toEqual([{ number: 7, operations: [{ schema: 22 }] }]);
});
