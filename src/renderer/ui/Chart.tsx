import { useEffect, useState } from 'react';
import { SkeletonBlock } from './Skeletons.tsx';
import type { ChartProps } from './chart-props.ts';

type Drawn = typeof import('./ChartCore.tsx').ChartCore;
let core: Drawn | null = null;
const load = () => import('./ChartCore.tsx').then((module) => (core = module.ChartCore));

/** Pixels of the line below a chart that names its series. */
export const LEGEND_HEIGHT = 18;

/** Fetches what charts are drawn with while the values of the first one are on their way. */
export const preloadCharts = (): void => void load().catch(() => undefined);

/**
 * Series over time. uPlot comes when the first chart is drawn. Not by `Suspense`: React holds back for 300 ms what was waited
 * for, so that parts do not pop in one by one; a chart has its place from the start.
 */
export function Chart(props: ChartProps) {
  const height = props.height ?? 180;
  const [Core, setCore] = useState<Drawn | null>(() => core);
  const [fault, setFault] = useState<Error | null>(null);
  useEffect(() => {
    if (Core === null)
      load().then(
        (found) => setCore(() => found),
        (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
      );
  }, [Core]);
  // To the page's own words for what went wrong.
  if (fault !== null) throw fault;
  return Core === null ? (
    <SkeletonBlock height={props.stats === true ? height : height + LEGEND_HEIGHT} />
  ) : (
    <Core {...props} height={height} />
  );
}
