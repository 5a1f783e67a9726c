import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf } from '../../../../lib/logsql/numbers.ts';
import { ChecksumError } from './bytes.ts';
import { decimalBytes, decimalsOf, decimalText, decodeDecimals, textOfDecimals } from './decimal-column.ts';

/** The values as a column of numbers, read again from its bytes; null: they cannot be one. */
function column(texts: readonly string[]) {
  const present = texts.filter((text) => text !== '');
  let end = 0;
  let code = 0;
  const decimals = decimalsOf(
    {
      bytes: Buffer.from(present.join('')),
      ends: Uint32Array.from([0, ...present.map((text) => (end += text.length))]),
    },
    Uint32Array.from(texts, (text) => (text === '' ? 0 : ++code)),
  );
  return decimals === null ? null : decodeDecimals(decimalBytes(decimals), texts.length);
}

const textsOf = (read: NonNullable<ReturnType<typeof column>>): string[] => {
  const { bytes, ends } = textOfDecimals(read);
  return [...ends].map((end, row) => bytes.toString('latin1', ends[row - 1] ?? 0, end));
};

/** Numbers of at most 15 digits with `places` behind the point, at most or all of them. */
const decimals = fc.record({ places: fc.nat(14), isPadded: fc.boolean() }).chain(({ places, isPadded }) =>
  fc.array(
    fc.option(
      fc
        .oneof(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }))
        .map((n) => {
          const digits = String(Math.abs(n)).padStart(places + 1, '0');
          const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
          const kept = isPadded || places === 0 ? text : text.replace(/\.?0+$/, '');
          return n < 0 ? `-${kept}` : kept;
        })
        .filter((text) => text.replace(/[-.]/g, '').length <= 15),
      { nil: '' },
    ),
    { minLength: 1, maxLength: 40 },
  ),
);

describe('a column of numbers', () => {
  it('gives back each number and its text', () => {
    fc.assert(
      fc.property(
        decimals.filter((texts) => texts.some((text) => text !== '')),
        (texts) => {
          const read = column(texts);
          expect(read).not.toBeNull();
          if (read === null) return;
          expect(textsOf(read)).toEqual(texts);
          expect([...read.values].map((value) => decimalText(value, read))).toEqual(texts);
          expect([...read.values]).toEqual(texts.map((text) => Number(numberOf(text) ?? Number.NaN)));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('is made of no other texts', () => {
    const like = fc.stringMatching(/^-?[0-9]{0,3}\.?[0-9]{0,3}(e-?\d)?$/);
    const texts = fc.array(fc.oneof(like, fc.constantFrom('', '5', '0', 'x', '٣')), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(texts, (given) => {
        if (given.every((text) => text === '')) return;
        const read = column(given);
        if (read !== null) expect(textsOf(read)).toEqual(given);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['-0'],
    ['00'],
    ['01'],
    ['.5'],
    ['5.'],
    ['1e3'],
    ['+1'],
    ['-'],
    ['1.2.3'],
    ['1234567890123456'],
    ['0.1234567890123456'],
    ['99999999999999', '0.01'],
    ['1.50', '2.5'],
    ['1.0', '1'],
  ])('is not made of %s %s', (...texts) => expect(column(texts)).toBeNull());

  it.each([[['1.50', '2.25', '', '-0.75']], [['0.0000001', '0.2']], [['999999999999999', '-999999999999999', '0']]])(
    'is made of %j',
    (texts) => {
      const read = column(texts);
      expect(read && textsOf(read)).toEqual(texts);
    },
  );

  it('says so where its bytes are noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (noise, rows) => {
        try {
          const read = decodeDecimals(Buffer.from(noise), rows);
          expect(read.values.length).toBe(rows);
          textOfDecimals(read);
        } catch (error) {
          expect(error).toBeInstanceOf(ChecksumError);
        }
      }),
    );
  });
});
