import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainNumberOf } from '../../../lib/logsql/numbers.ts';
import { decimalIn } from './decimals.ts';

const text = fc.oneof(
  fc.stringMatching(/^-?[0-9]{0,10}[.]?[0-9]{0,10}$/),
  fc.constantFrom('a', '+1', '1e5', '1.2.3', '1_0', '--1', '0x1f', '1 ', '-'),
);

it('reads decimal numbers to the last bit, and none that is another one', () => {
  fc.assert(
    fc.property(
      text,
      fc.stringMatching(/^[0-9.]{0,3}$/),
      fc.stringMatching(/^[0-9.]{0,3}$/),
      (number, before, after) => {
        const found = decimalIn(Buffer.from(before + number + after), before.length, before.length + number.length);
        const isPlain = /^-?[0-9]+([.][0-9]+)?$/.test(number) && number.replace(/[-.]/g, '').length <= 15;
        expect(found).toBe(isPlain ? Number(number) : Number.NaN);
        if (isPlain) expect(found).toBe(plainNumberOf(number));
      },
    ),
    { numRuns: 2000 },
  );
});
