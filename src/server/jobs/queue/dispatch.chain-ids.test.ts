import { expect, it } from 'vitest';
import { chainTaskId } from './dispatch.ts';

const START = '0199aaaa-bbbb-7ccc-8ddd-';

it('counts on in the last 48 bits of the ID, also beyond its last digits, and back', () => {
  const steps = [
    ['000000000000', 1, '000000000001'],
    ['0123456789ab', 5, '0123456789b0'],
    ['000000fffffe', 1, '000000ffffff'],
    ['000000ffffff', 1, '000001000000'],
    ['00ffffffffff', 2, '010000000001'],
    ['ffffffffffff', 1, '000000000000'],
    ['000001000000', -1, '000000ffffff'],
    ['000000000000', -1, 'ffffffffffff'],
  ] as const;
  for (const [tail, by, then] of steps) expect(chainTaskId(START + tail, by)).toBe(START + then);
});
