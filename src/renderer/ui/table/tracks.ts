import type { DataColumn } from './types.ts';

/** What the content of a column that grows is worth, as a multiple of its width. */
const WORTH = 2.5;

type Sized = Pick<DataColumn<never>, 'grow' | 'pin'> & {
  /** Pixels that it needs. */
  readonly width: number;
  /** Its width was chosen by the viewer and stays. */
  readonly fixed: boolean;
};

/**
 * The tracks of a grid for these columns. None is narrower than it needs. Where there is more room than that, first those whose
 * content is worth it take it, then all of them in proportion: no single one swallows what is left of a wide screen, and the
 * last one ends where the table ends. What can be done to a row (`pin: 'end'`) needs no more room on a wider screen.
 */
export function columnTracks(columns: readonly Sized[]): string[] {
  const tracks = columns.map(({ width, grow, pin, fixed }) =>
    fixed || pin === 'end'
      ? `${width}px`
      : `minmax(${width}px, ${Math.max(width, typeof grow === 'number' ? grow : grow ? Math.round(width * WORTH) : width)}fr)`,
  );
  // Nothing can grow: the rest of the row is empty rather than the rows shorter than the box.
  return tracks.every((track) => track.endsWith('px')) ? [...tracks, '1fr'] : tracks;
}
