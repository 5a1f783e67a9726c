import fc from 'fast-check';
import { expect, it } from 'vitest';
import { numberOf } from '../../../../lib/logsql/numbers.ts';
import { numberReader } from './numbers.ts';

/** What logs have as numbers, and what only looks like one. */
const text = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.maxSafeInteger().map(String),
  fc.stringMatching(/^-?[0-9]{0,18}(\.[0-9]{0,17})?$/),
  fc.constantFrom('', '-', '.', '5.', '.5', '-0', '0.1.2', '1e3', '0x1f', '1_000', '5m', '1.2.3.4', '１２', '3KB'),
);

it('a number in the bytes of a text is the one that the text says', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
      const ends = new Uint32Array(texts.length);
      let end = 0;
      texts.forEach((one, i) => (ends[i] = end += Buffer.byteLength(one)));
      const read = numberReader({ kind: 'text', bytes: Buffer.from(texts.join('')), ends });
      expect(texts.map((_, row) => read(row))).toEqual(texts.map((one) => Number(numberOf(one) ?? Number.NaN)));
    }),
    { numRuns: 1000 },
  );
});
