import type { ReactNode } from 'react';
import css from './SparkBars.module.css';

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
      viewBox={`0 0 ${counts.length * 3} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-hint={label}
    >
      {counts.map((count, i) =>
        count === 0 ? null : (
          // The least that happened is still seen.
          <rect
            key={i}
            x={i * 3}
            width={2}
            y={20 - Math.max(2, (20 * count) / most)}
            height={Math.max(2, (20 * count) / most)}
          />
        ),
      )}
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
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (20 * count) / most));
  return (
    <svg
      className={css['bars']}
      data-tone="outcome"
      viewBox={`0 0 ${bars.length * 3} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      data-hint={label}
    >
      {bars.map(({ succeeded, failed }, i) => {
        // What failed is seen, however much went well.
        const bad = heightOf(failed);
        const good = Math.min(heightOf(succeeded), 20 - bad);
        return (
          <g key={i}>
            {good > 0 && <rect x={i * 3} width={2} y={20 - good} height={good} />}
            {bad > 0 && <rect x={i * 3} width={2} y={20 - good - bad} height={bad} data-failed />}
          </g>
        );
      })}
    </svg>
  );
}
