import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { parseJson } from './json.ts';

describe('canonical JSON', () => {
  it('sorts keys by code unit at every level, integer-like ones too, and ends in a newline', () => {
    expect(canonicalJson({ b: { 10: 1, 9: 2, a: [] }, a: {}, ä: null })).toBe(
      '{\n  "a": {},\n  "b": {\n    "10": 1,\n    "9": 2,\n    "a": []\n  },\n  "ä": null\n}\n',
    );
  });

  it('keeps numbers to the letter', () => {
    expect(canonicalJson(parseJson('{"n":12345678901234567890}'))).toBe('{\n  "n": 12345678901234567890\n}\n');
  });

  it('means the same value, and does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()))).toBe(text);
      }),
    );
  });
});
