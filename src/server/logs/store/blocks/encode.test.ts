import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../lib/code-point.fixture.ts';
import { fieldSeed, hashOf, mayHold, pieceOf, wordHashes } from './bloom.ts';
import { ByteReader, ByteWriter, ChecksumError, seal, unseal } from './bytes.ts';
import { bytesAt, decodeArrivals, decodeFine, decodeHead, decodeTexts, decodeTimes, type Place } from './decode.ts';
import { encodeBlock, KIND, type BlockUse } from './encode.ts';
import { readerOf } from '../../logsql/frame.ts';
import { bytesOf, orderOf, Rows } from './rows.ts';

const value = fc.oneof(
  fc.constant(''),
  fc.constantFrom('INFO', 'ERROR', 'ä', '日本語', '-3', '12.5'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: codePoint, maxLength: 300 }).map((text) => text.toWellFormed()),
);
const row = fc.record({
  ms: fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  ns: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 999_999 })),
  values: fc.dictionary(fc.constantFrom('_msg', 'level', 'a.b', 'ключ', 'n'), fc.tuple(value, fc.boolean())),
});
type Row = { ms: number; ns: number; values: Record<string, [string, boolean]> };

function rowsFrom(given: readonly Row[], spare: Rows | null = null): Rows {
  const rows = new Rows(2, spare);
  given.forEach(({ ms, ns, values }, i) => {
    for (const [name, [text, bare]] of Object.entries(values)) rows.set(rows.field(bytesOf(name)), bytesOf(text), bare);
    rows.add(ms, ns, i + 1);
  });
  return rows;
}

/** The rows of an encoded block, as they went in. */
function decoded(given: readonly Row[], use: BlockUse): Row[] {
  const rows = rowsFrom(given);
  const block = encodeBlock(rows, orderOf(rows), 1, use);
  const head = decodeHead(block.head);
  const at = (place: Place) => bytesAt(place, (part) => block.columns[part]);
  const times = decodeTimes(at(head.times), head.rows);
  const fine = head.fine === null ? null : decodeFine(at(head.fine), head.rows);
  const arrivals = decodeArrivals(at(head.arrivals), head.rows);
  const out: (Row & { arrival: number })[] = Array.from({ length: head.rows }, (_, i) => ({
    ms: times[i] as number,
    ns: fine?.[i] ?? 0,
    values: {},
    arrival: arrivals[i] as number,
  }));
  for (const [name, one] of head.columns) {
    const { column, bare } = decodeTexts(one, at, head.rows);
    const read = readerOf(column);
    out.forEach((one, i) => {
      const text = read(i);
      const bit = column.kind === 'dictionary' ? (column.codes[i] as number) : i;
      if (text !== '')
        one.values[name] = [
          text,
          bare === true || (bare !== null && ((bare[bit >>> 3] as number) & (1 << (bit & 7))) !== 0),
        ];
    });
  }
  return out.sort((a, b) => a.arrival - b.arrival).map(({ ms, ns, values }) => ({ ms, ns, values }));
}

describe('a block', () => {
  it.each(['hot', 'batch', 'whole'] as const)('gives back every value of every row (%s)', (use) => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (given) => {
        const wanted = given.map(({ ms, ns, values }) => ({
          ms,
          ns,
          values: Object.fromEntries(Object.entries(values).filter(([, [text]]) => text !== '')),
        }));
        expect(decoded(given, use)).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  it('gives back many rows of few and of many values', () => {
    const given: Row[] = Array.from({ length: 5000 }, (_, i) => ({
      ms: 1000 + (i % 7),
      ns: 0,
      values: {
        few: [`v${i % 5}`, false],
        many: [`value ${i} ${'x'.repeat(i % 300)}`, i % 2 === 0],
        some: [`${i % 400}`, true],
        ...(i % 3 === 0 ? { gaps: ['g', false] as [string, boolean] } : {}),
      },
    }));
    for (const use of ['batch', 'whole'] as const) expect(decoded(given, use)).toEqual(given);
  });

  it('keeps texts that differ in their numbers as templates, where it is to stay', () => {
    const given: Row[] = Array.from({ length: 500 }, (_, i) => ({
      ms: i,
      ns: 0,
      values: {
        _msg: [
          `order ${i * 7919} of customer ${String(i % 90).padStart(3, '0')} ${'ä'.repeat(i % 3)} at ${1e12 + i}`,
          false,
        ],
      },
    }));
    const sizes = (['batch', 'whole'] as const).map((use) => {
      const rows = rowsFrom(given);
      const { head, columns } = encodeBlock(rows, orderOf(rows), 1, use);
      expect(decoded(given, use)).toEqual(given);
      return [head, ...columns].reduce((sum, { length }) => sum + length, 0);
    });
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 0.8);
  });

  it.each([
    ['whole numbers', (i: number) => `${i * 7919 - 500_000}`, true],
    ['numbers with a point', (i: number) => `${(i * 7919) / 8}`, true],
    ['amounts', (i: number) => `${i}.${String((i * 37) % 100).padStart(2, '0')}`, false],
    ['numbers here and there', (i: number) => (i % 3 === 0 ? '' : `${i}`), true],
  ])('keeps %s as numbers, where it is to stay', (_, text, isBare) => {
    const given: Row[] = Array.from({ length: 500 }, (_, i) => ({
      ms: i,
      ns: 0,
      values: text(i) === '' ? {} : { n: [text(i), isBare] },
    }));
    const rows = rowsFrom(given);
    const { head } = encodeBlock(rows, orderOf(rows), 1, 'whole');
    expect(decodeHead(head).columns.get('n')?.kind).toBe(KIND.decimal);
    expect(decoded(given, 'whole')).toEqual(given);
  });

  it('keeps numbers as texts where some of them were quoted', () => {
    const given: Row[] = Array.from({ length: 500 }, (_, i) => ({ ms: i, ns: 0, values: { n: [`${i}`, i > 9] } }));
    expect(decoded(given, 'whole')).toEqual(given);
  });

  it('may hold every word and value that it has, and not those of others', () => {
    const given: Row[] = Array.from({ length: 3000 }, (_, i) => ({
      ms: i,
      ns: 0,
      values: { _msg: [`order-${i} of “customer${i}” is done: ünder_${i}`, false], task: [`t-${i}`, false] },
    }));
    const rows = rowsFrom(given);
    const { bloom } = encodeBlock(rows, orderOf(rows), 1, 'batch');
    const may = (hash: number) => mayHold(bloom[pieceOf(hash, bloom.length)] as Buffer, hash);
    const found = (word: string) => wordHashes(bytesOf(word)).every(may);
    for (let i = 0; i < 3000; i++) {
      expect(found(`${i}`) && found(`customer${i}`) && found(`ünder_${i}`) && found('done')).toBe(true);
      expect(may(hashOf(`t-${i}`, fieldSeed('task')))).toBe(true);
    }
    const wrong = Array.from({ length: 5000 }, (_, i) => may(hashOf(`t-${i + 3000}`, fieldSeed('task')))).filter(
      Boolean,
    ).length;
    expect(wrong).toBeLessThan(5000 * 0.03);
  });
});

describe('sealed bytes', () => {
  it('come back as they were', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2000 }),
        (bytes) => void expect(unseal(seal(Buffer.from(bytes), 1))).toEqual(Buffer.from(bytes)),
      ),
    ));

  it('tell of every changed byte, and of every end that is missing', () => {
    const sealed = seal(
      Buffer.from('the same text, the same text, the same text, the same text, the same text, the same text'),
      1,
    );
    for (let at = 9; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => unseal(changed)).toThrow(ChecksumError);
      expect(() => unseal(sealed.subarray(0, at))).toThrow(ChecksumError);
    }
  });

  it('never bring anything but Damaged out of a head that is noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        try {
          const head = decodeHead(seal(Buffer.from(noise), 1));
          for (const column of head.columns.values())
            if (!('part' in column.place))
              decodeTexts(column, (place) => bytesAt(place, () => undefined), Math.min(head.rows, 1000));
        } catch (error) {
          expect(error).toBeInstanceOf(ChecksumError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

it('makes the same block in the room of earlier rows as in new room', () => {
  const few = fc.array(row, { minLength: 1, maxLength: 40 });
  const encoded = (rows: Rows) => encodeBlock(rows, orderOf(rows), 1, 'whole');
  fc.assert(
    fc.property(few, few, few, (first, second, given) => {
      const spare = rowsFrom(second, rowsFrom(first));
      // As of a line that could not be read.
      spare.set(spare.field('level'), 'WARN', false);
      expect(encoded(rowsFrom(given, spare))).toEqual(encoded(rowsFrom(given)));
    }),
  );
});

it('writes whole numbers of any size', () =>
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
      const out = new ByteWriter(1);
      for (const n of numbers) {
        out.int(Math.abs(n));
        out.signed(Math.trunc(n / 2));
      }
      const from = new ByteReader(out.done());
      for (const n of numbers) expect([from.int(), from.signed()]).toEqual([Math.abs(n), Math.trunc(n / 2) + 0]);
    }),
  ));
