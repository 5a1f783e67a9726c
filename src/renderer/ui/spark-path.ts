/** Units of the height of the highest bar. */
export const FULL = 20;
const STEP = 3;
const WIDTH = 2;

/** Units: the least that happened is still seen. */
export const barHeight = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(2, round((FULL * count) / most));

/**
 * All bars of a line as one path: an element for each would be half of the elements in a row of a list. `from`: units from the lower edge at
 * which a bar begins; one of no height is left out.
 */
export const barsPath = (bars: readonly { readonly from: number; readonly height: number }[]): string =>
  bars
    .map(({ from, height }, index) =>
      height > 0 ? `M${index * STEP} ${round(FULL - from)}h${WIDTH}v${-height}h${-WIDTH}z` : '',
    )
    .join('');

const round = (units: number): number => Math.round(units * 100) / 100;
