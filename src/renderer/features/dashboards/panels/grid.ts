import type { CSSProperties } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';

/** Pixels of the grid that panels lie on. */
export const GRID_ROW_PX = 32;
export const GRID_GAP_PX = 10;
const HEAD = 32;

/** Pixels for what is drawn in a panel of so many rows. */
export const bodyHeight = (rows: number): number => rows * GRID_ROW_PX + (rows - 1) * GRID_GAP_PX - HEAD - 2;
export const gridPosition = ({ grid: { x, y, w, h } }: Panel): CSSProperties => ({
  gridColumn: `${x + 1} / span ${w}`,
  gridRow: `${y + 1} / span ${h}`,
  display: 'grid',
  minWidth: 0,
  '--rows': h,
});
