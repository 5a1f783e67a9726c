import { lazy, Suspense } from 'react';
import { SkeletonBlock } from './Skeletons.tsx';
import type { Tone } from './status.ts';

export interface ChartSeries {
  label: string;
  values: readonly (number | null)[];
  tone?: Tone;
  /** A CSS variable's name, such as `--accent`, where no tone fits. */
  color?: string;
  fill?: boolean;
}
export interface ChartProps {
  /** Accessible name: what is drawn. */
  label: string;
  /** Seconds since the epoch, rising; one for each value. */
  times: readonly number[];
  series: readonly ChartSeries[];
  /** Pixels. */
  height?: number;
  unit?: 'ms' | 'bytes' | 'count' | 'percent';
  bars?: boolean;
  /** Each series is drawn on top of the ones before it. */
  stacked?: boolean;
  /** Dragging over the chart chose this range. */
  onZoom?(fromSeconds: number, toSeconds: number): void;
}

const Core = lazy(() => import('./ChartCore.tsx').then((module) => ({ default: module.ChartCore })));

/** Series over time. uPlot comes when the first chart is drawn. */
export function Chart(props: ChartProps) {
  const height = props.height ?? 180;
  return (
    <Suspense fallback={<SkeletonBlock height={height} />}>
      <Core {...props} height={height} />
    </Suspense>
  );
}
