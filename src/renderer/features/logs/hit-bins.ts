import type { LogHits } from '../../../contract/logs.ts';
import { LOG_LEVELS } from '../../../contract/vocabulary.ts';

const STEPS = [
  '1s',
  '2s',
  '5s',
  '10s',
  '30s',
  '1m',
  '2m',
  '5m',
  '10m',
  '30m',
  '1h',
  '3h',
  '6h',
  '12h',
  '1d',
  '7d',
  '30d',
] as const;
const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const stepMs = (step: string): number => Number.parseInt(step, 10) * (UNITS[step.at(-1) ?? ''] ?? 0);

/** The finest step that gives at most `most` bars for a stretch of time. */
export const stepFor = (lengthMs: number, most = 90): string =>
  STEPS.find((step) => lengthMs / stepMs(step) <= most) ?? '30d';

export interface Bins {
  /** Starts of the bars, seconds since the epoch, without gaps. */
  readonly times: readonly number[];
  readonly series: readonly { readonly level: string; readonly values: readonly number[]; readonly total: number }[];
  readonly total: number;
}

/** The answer of `logs/hits` as stacked bars from `from` to `to` (ms): levels in their order of weight, others after them. */
export function hitBins(hits: LogHits, step: string, from: number, to: number): Bins {
  const width = stepMs(step);
  const first = Math.floor(from / width) * width;
  const count = Math.max(1, Math.ceil((to - first) / width));
  const levels = new Map<string, number[]>();
  for (const hit of hits.hits) {
    const level = hit.fields['level'] ?? '';
    let values = levels.get(level);
    if (!values) levels.set(level, (values = new Array<number>(count).fill(0)));
    for (const [i, at] of hit.timestamps.entries()) {
      const slot = Math.floor((Date.parse(at) - first) / width);
      if (slot >= 0 && slot < count) values[slot] = (values[slot] ?? 0) + (hit.values[i] ?? 0);
    }
  }
  const known: readonly string[] = LOG_LEVELS;
  const order = (level: string): number =>
    known.includes(level) ? known.indexOf(level) : known.length + (level === '' ? 1 : 0);
  const series = [...levels]
    .map(([level, values]) => ({ level, values, total: values.reduce((sum, n) => sum + n, 0) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => order(b.level) - order(a.level) || (a.level < b.level ? -1 : 1));
  return {
    times: Array.from({ length: count }, (_, i) => (first + i * width) / 1000),
    series,
    total: series.reduce((sum, one) => sum + one.total, 0),
  };
}
