import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRawNumber, parseJson, withPlainNumbers } from './json.ts';

describe('parseJson', () => {
  it.each(['12345678901234567890', '-9007199254740993', '[1e400]', '{"a":0.1234567890123456789}', '{"id":9007199254740993,"n":1}'])('writes %s back to the letter', (text) => {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  });

  it('leaves numbers that a double holds plain', () => {
    expect(parseJson('[1, 1.5, 1e3, 9007199254740991, 1234567890.123456]')).toEqual([1, 1.5, 1000, 9007199254740991, 1234567890.123456]);
    expect(isRawNumber(parseJson('18446744073709551615'))).toBe(true);
    expect(withPlainNumbers(parseJson('{"a":[18446744073709551615]}'))).toEqual({ a: [18446744073709551615] });
  });

  it('equals JSON.parse for all that JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }));
  });

  it('keeps any integer', () => {
    fc.assert(fc.property(fc.bigInt(), (n) => {
      expect(JSON.stringify(parseJson(`[${n}]`))).toBe(`[${n}]`);
    }));
  });

  it('refuses what is no JSON', () => {
    expect(() => parseJson('{"a":12345678901234567890')).toThrow(SyntaxError);
  });
});
