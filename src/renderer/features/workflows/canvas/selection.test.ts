import { describe, expect, it } from 'vitest';
import { isHandledByFocus } from './selection.ts';

/** What has the focus, by the elements that it is in. */
const within = (...names: readonly string[]): Pick<Element, 'closest'> => ({
  closest: (selectors: string) =>
    selectors.split(', ').some((one) => names.includes(one) || names.includes(one.replace(/\[.*/, '')))
      ? ({} as Element)
      : null,
});

describe('a key of the canvas', () => {
  it('is left to a button: Enter presses it, also while a node is selected', () => {
    expect([
      isHandledByFocus(within('button'), 'enter'),
      isHandledByFocus(within('a'), 'enter'),
      isHandledByFocus(within('summary'), 'enter'),
      isHandledByFocus(within('div'), 'enter'),
    ]).toEqual([true, true, true, false]);
    expect([isHandledByFocus(within('button'), 'delete'), isHandledByFocus(within('div'), 'a')]).toEqual([
      false,
      false,
    ]);
  });

  it.each(['aside', '[data-own-keys]'])(
    'is left to what lies beside or over it (%s): Delete there takes no node away',
    (around) => {
      expect(
        ['delete', 'backspace', 'a', 'enter'].map((key) => isHandledByFocus(within('button', around), key)),
      ).toEqual([true, true, true, true]);
    },
  );
});
