import type { ReactNode } from 'react';
import css from './SparkBars.module.css';
import { barHeight, barsPath, FULL } from './spark-path.ts';

/** Counts over time as bars in a line of text. `label` says in words what they show. */
export function SparkBars({
  counts,
  label,
  tone,
}: {
  counts: readonly number[];
  label: string;
  tone: 'fail' | 'plain';
}): ReactNode {
  const most = Math.max(1, ...counts);
  return (
    <svg
      className={css['bars']}
      data-tone={tone}
      viewBox={`0 0 ${counts.length * 3} ${FULL}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-hint={label}
    >
      <path d={barsPath(counts.map((count) => ({ from: 0, height: barHeight(count, most) })))} />
    </svg>
  );
}

/** Bars of what went well, with what failed on top of it. */
export function OutcomeBars({
  bars,
  label,
}: {
  bars: readonly { readonly succeeded: number; readonly failed: number }[];
  label: string;
}): ReactNode {
  const most = Math.max(1, ...bars.map(({ succeeded, failed }) => succeeded + failed));
  const parts = bars.map(({ succeeded, failed }) => {
    // What failed is seen, however much went well.
    const bad = barHeight(failed, most);
    return { good: Math.min(barHeight(succeeded, most), FULL - bad), bad };
  });
  return (
    <svg
      className={css['bars']}
      data-tone="outcome"
      viewBox={`0 0 ${bars.length * 3} ${FULL}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-hint={label}
    >
      <path d={barsPath(parts.map(({ good }) => ({ from: 0, height: good })))} />
      <path d={barsPath(parts.map(({ good, bad }) => ({ from: good, height: bad })))} data-failed />
    </svg>
  );
}
