import fc from 'fast-check';

const BEFORE_SURROGATES = 0xd800;
const SURROGATES = 0x800;

/**
 * The unit of strings of any code points: what `unit: 'binary'` of fast-check gives, which makes a table of all 1.1 million of them
 * first, in each process of tests (2 s of its processor, and a heap that every collection walks from then on).
 */
export const codePoint: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES).map(
  (n) => String.fromCodePoint(n < BEFORE_SURROGATES ? n : n + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text || !text.isWellFormed())
      throw new Error('no code point');
    return code < BEFORE_SURROGATES ? code : code - SURROGATES;
  },
);
