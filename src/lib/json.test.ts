import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRawNumber, parseJson, withPlainNumbers } from './json.ts';

describe('parseJson', () => {
  it.each([
    '12345678901234567890',
    '-9007199254740993',
    '[1e400]',
    '{"a":0.1234567890123456789}',
    '{"id":9007199254740993,"n":1}',
    '[1,-12345678.123456789,2]',
    '-1e400',
  ])('writes %s back to the letter', (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it.each(['[ -1e400]', '{"a":\t1e400}', '[0,\n1e400]', '[[1e400]]', ' 1e400', '\r\n12345678901234567890'])(
    'finds the number in %j',
    (text) => {
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(/\s/g, ''));
    },
  );

  it('leaves numbers that a double holds plain', () => {
    expect(parseJson('[1, 1.5, 1e3, 9007199254740991, 1234567890.123456]')).toEqual([
      1, 1.5, 1000, 9007199254740991, 1234567890.123456,
    ]);
    expect(isRawNumber(parseJson('18446744073709551615'))).toBe(true);
    expect(withPlainNumbers(parseJson('{"a":[18446744073709551615]}'))).toEqual({ a: [18446744073709551615] });
  });

  it('equals JSON.parse for all that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
    );
  });

  it('keeps any integer', () => {
    fc.assert(
      fc.property(fc.bigInt(), (n) => {
        expect(JSON.stringify(parseJson(`[${n}]`))).toBe(`[${n}]`);
      }),
    );
  });

  it('refuses what is no JSON', () => {
    for (const text of [
      '{"a":12345678901234567890',
      '{12345678901234567890:1}',
      '[012345678901234567890]',
      '[12345678901234567890.]',
      '[-]',
      '[12345678901234567890 1]',
      '[1.e400]',
      '["a"12345678901234567890]',
    ])
      expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('leaves texts alone that look like numbers, and keeps keys', () => {
    const text = '{"__proto__":12345678901234567890,"a\\"1e400":"12345678901234567890","z":[1e400,-1.5e-400,"\\\\"]}';
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it('does to any text what a reviver with the source would do', () => {
    const token = fc.oneof(
      fc.constantFrom(
        '12345678901234567890',
        '1e400',
        '-0',
        '0.1',
        '1e3',
        '1.0',
        '-12345678901234567',
        '0.30000000000000004',
        '100000000000000000000',
        '"x"',
        '"1e5"',
        'true',
        '{}',
        '[]',
        '01',
        '1.',
        '-',
      ),
      fc.double().map(String),
      fc.bigInt().map(String),
    );
    const text = fc
      .array(
        fc
          .tuple(fc.constantFrom('', ' ', '\n'), token, fc.constantFrom(',', ', ', ' ,\t'))
          .map((parts) => parts.join('')),
      )
      .map((items) => `[${items.join('')}12345678901234567890]`);
    fc.assert(
      fc.property(text, (source) => {
        let expected: string | null = null;
        try {
          const lossless = JSON as unknown as {
            parse(
              text: string,
              reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
            ): unknown;
            rawJSON(token: string): unknown;
          };
          expected = JSON.stringify(
            lossless.parse(source, (_key, value, context) =>
              typeof value === 'number' && context.source !== undefined && !same(value, context.source)
                ? lossless.rawJSON(context.source)
                : value,
            ),
          );
        } catch {
          expect(() => parseJson(source)).toThrow(SyntaxError);
          return;
        }
        expect(JSON.stringify(parseJson(source))).toBe(expected);
      }),
    );
  });
});

/** True where a double holds the number of the token, by exact arithmetic. */
function same(value: number, token: string): boolean {
  if (!Number.isFinite(value)) return false;
  const exact = (text: string): [bigint, number] => {
    const [, sign = '', int = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
    let digits = BigInt(sign + int + fraction);
    let power = Number(exponent) - fraction.length;
    while (digits !== 0n && digits % 10n === 0n) {
      digits /= 10n;
      power++;
    }
    return [digits, digits === 0n ? 0 : power];
  };
  const [a, b] = exact(String(value));
  const [c, d] = exact(token);
  return a === c && b === d;
}
