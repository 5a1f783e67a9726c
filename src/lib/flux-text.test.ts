import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fluxText } from './flux-text.ts';

it('quotes what would end a string or be looked up', () => {
  expect(fluxText('a "b" \\ ${c} $d \n\u0001')).toBe(String.raw`"a \"b\" \\ \${c} $d \n\x01"`);
});

it('never ends before its end', () => {
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(/^"(?:[^"\\]|\\.)*"$/su.test(fluxText(value))).toBe(true);
    }),
  );
});
