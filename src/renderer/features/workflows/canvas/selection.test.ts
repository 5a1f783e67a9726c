import { describe, expect, it } from 'vitest';
import { isKept } from './selection.ts';

/** What has the focus, by the elements that it is in. */
const within = (...names: readonly string[]): Pick<Element, 'closest'> => ({
  closest: (selectors: string) =>
    selectors.split(', ').some((one) => names.includes(one.replace(/\[.*/, ''))) ? ({} as Element) : null,
});

describe('a key of the canvas', () => {
  it('is left to a button: Enter presses it, also while a node is selected', () => {
    expect([
      isKept(within('button'), 'enter'),
      isKept(within('a'), 'enter'),
      isKept(within('summary'), 'enter'),
      isKept(within('div'), 'enter'),
    ]).toEqual([true, true, true, false]);
    expect([isKept(within('button'), 'delete'), isKept(within('div'), 'a')]).toEqual([false, false]);
  });

  it('is left to the settings beside it: Delete there takes no node away', () => {
    expect(['delete', 'backspace', 'a', 'enter'].map((key) => isKept(within('button', 'aside'), key))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
