import type { Tone } from './status.ts';

export interface ChartSeries {
  label: string;
  values: readonly (number | null)[];
  tone?: Tone;
  /** A CSS variable's name, such as `--accent`, where no tone fits. */
  color?: string;
  fill?: boolean;
}
/** `percent`: 0 to 1. */
export type ChartUnit = 'ms' | 'seconds' | 'bytes' | 'bytesPerSecond' | 'count' | 'perSecond' | 'percent';
/** An upright line at something that happened. */
export interface ChartAnnotation {
  /** Seconds since the epoch. */
  at: number;
  label: string;
  tone: Tone;
}
export interface ChartProps {
  /** Accessible name: what is drawn. */
  label: string;
  /** Seconds since the epoch, rising; one for each value. */
  times: readonly number[];
  series: readonly ChartSeries[];
  /** Pixels. */
  height?: number;
  unit?: ChartUnit;
  bars?: boolean;
  /** Seconds without a value over which no line is drawn, though a shorter time without one is passed over; absent: each time without one breaks the line. */
  gap?: number;
  /** Each series is drawn on top of the ones before it. */
  stacked?: boolean;
  /** What the time axis shows, in seconds; absent: from the first value to the last. */
  range?: readonly [from: number, to: number] | undefined;
  /** What the other axis shows at least. */
  bounds?: { min?: number | undefined; max?: number | undefined };
  marks?: readonly ChartAnnotation[];
  /** Level lines. */
  levels?: readonly { value: number; tone: Tone }[];
  /** Charts of the same name share a cursor. */
  sync?: string;
  /** The legend is a table with the last, least, greatest and mean value of each series. */
  stats?: boolean;
  /** Without a cursor the legend tells the sum of each series, not its last value. `label` has to tell them as well. */
  totals?: boolean;
  /** Dragging over the chart chose this range. */
  onZoom?(fromSeconds: number, toSeconds: number): void;
}
