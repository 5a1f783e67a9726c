import type uPlot from 'uplot';
import type { ChartUnit } from './chart-props.ts';
import { formatBytes, formatRoundDuration } from './Duration.tsx';
import { formatRound, formatShare } from './number-text.ts';

/** Steps of the time axis, in seconds; its labels have no parts of a second. */
export const WHOLE_SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
  2_592_000, 31_536_000,
];

/** Whole numbers of KiB, MiB and so on. */
const BYTES = Array.from({ length: 50 }, (_, power) => 2 ** power);
const decimal = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i).flatMap((power) =>
    [1, 2, 5].map((step) => Number(`${step}e${power}`)),
  );
const SECONDS = [...decimal(-6, -1), 1, 2, 5, ...WHOLE_SECONDS.slice(3), ...decimal(8, 10)];
const MILLISECONDS = [...decimal(-3, 2), ...SECONDS.filter((step) => step >= 1).map((step) => step * 1000)];
const COUNTS = decimal(0, 15);

/** Steps of the axis of values by their unit; undefined: by tens, as they come. Of what is counted there are no parts, but of a share of one. */
export function valueSteps(unit: ChartUnit | undefined): uPlot.Axis.Incrs | undefined {
  if (unit === 'bytes' || unit === 'bytesPerSecond') return BYTES;
  if (unit === 'ms') return MILLISECONDS;
  if (unit === 'seconds') return SECONDS;
  if (unit === 'count') return (_u, _axis, _least, most) => (most >= 1 ? COUNTS : [...decimal(-9, -1), ...COUNTS]);
  return undefined;
}

/** A round value at its axis: `1.5 s`, `10 min`, `96 MiB`, `0.05/s`, `50%`. */
export function tickText(unit: ChartUnit | undefined, value: number): string {
  if (unit === 'ms') return formatRoundDuration(value);
  if (unit === 'seconds') return formatRoundDuration(value * 1000);
  if (unit === 'bytes') return formatBytes(value, formatRound);
  if (unit === 'bytesPerSecond') return `${formatBytes(value, formatRound)}/s`;
  if (unit === 'perSecond') return `${formatRound(value)}/s`;
  return unit === 'percent' ? formatShare(value, 3, 0) : formatRound(value);
}

const isValue = (value: number | null | undefined): boolean => value !== null && value !== undefined;

/** Values that stand further apart than `gap` (in times of the axis) are not joined: stretches of the canvas without a line. */
export function tickGaps(u: uPlot, series: number, first: number, last: number, gap: number): uPlot.Series.Gaps {
  const found: uPlot.Series.Gaps = [];
  let before: number | null = null;
  for (let i = first; i <= last; i++) {
    // uPlot's type of a column allows for typed arrays, which are not used here.
    if (!isValue((u.data[series] as (number | null | undefined)[])[i])) continue;
    const at = u.data[0][i] ?? 0;
    if (before !== null && at - before > gap) found.push([u.valToPos(before, 'x', true), u.valToPos(at, 'x', true)]);
    before = at;
  }
  return found;
}

/** The places of values that no line joins to another: they are drawn as points. */
export function isolatedPoints(
  times: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  gap: number,
): number[] {
  const places: number[] = [];
  for (let i = 0; i < times.length; i++) if (isValue(values[i])) places.push(i);
  const far = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined || (times[b] ?? 0) - (times[a] ?? 0) > gap;
  return places.filter((place, i) => far(places[i - 1], place) && far(place, places[i + 1]));
}
