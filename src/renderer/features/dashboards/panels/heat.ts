import { itemAt } from '../../../../lib/item-at.ts';
import type { Lines } from './panel-data.ts';

export interface Heat {
  /** Lower bound of each row, rising; the last is open above. */
  readonly bounds: readonly number[];
  /** Counts by column (time) and row. */
  readonly cells: readonly (readonly number[])[];
  readonly most: number;
}

const ROWS = 12;

/** How many values lie in each band, at each time. Bands grow by the same factor, as durations spread. */
export function heatMapCells({ times, lines }: Pick<Lines, 'times' | 'lines'>): Heat {
  let least = Infinity;
  let greatest = 0;
  for (const { values } of lines)
    for (const value of values) {
      if (value === null) continue;
      if (value > 0) least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  if (greatest === 0)
    return {
      bounds: [0],
      cells: times.map((_, i) => [lines.filter(({ values }) => values[i] !== null).length]),
      most: Math.max(1, lines.length),
    };
  const factor = Math.max(1.1, (greatest / least) ** (1 / (ROWS - 1)));
  const bounds = [0, ...Array.from({ length: ROWS - 1 }, (_, i) => least * factor ** i)];
  const cells = times.map(() => Array.from({ length: bounds.length }, () => 0));
  let most = 1;
  for (const { values } of lines)
    values.forEach((value, i) => {
      if (value === null) return;
      const found = bounds.findLastIndex((bound) => value >= bound * (1 - 1e-9));
      const column = itemAt(cells, i);
      most = Math.max(most, (column[Math.max(0, found)] = (column[Math.max(0, found)] ?? 0) + 1));
    });
  return { bounds, cells, most };
}
