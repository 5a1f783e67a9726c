import uPlot from 'uplot';
import type { ChartProps } from './chart-props.ts';
import { formatBytes, formatCount, formatDuration } from './Duration.tsx';
import { tickGaps, isolatedPoints, tickText, valueSteps, WHOLE_SECONDS } from './chart-axis.ts';
import { type Column, numbersIn, downsample } from './chart-downsample.ts';
import { formatNumber, formatShare, formatSignificant } from './number-text.ts';
import { formatClock, formatDay, timeZoneFor, type Zone } from './time-text.ts';

export const valueText = (unit: ChartProps['unit'], value: number | null | undefined): string => {
  if (value === null || value === undefined) return '–';
  if (unit === 'ms') return formatDuration(value);
  if (unit === 'seconds') return formatDuration(value * 1000);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'bytesPerSecond') return `${formatBytes(value)}/s`;
  if (unit === 'perSecond') return `${Number.isInteger(value) ? formatCount(value) : formatSignificant(value, 3)}/s`;
  if (unit === 'percent') return formatShare(value, 1);
  return Number.isInteger(value) ? formatCount(value) : formatNumber(value, 2);
};

/** A colour of the tokens as the canvas needs it: resolved now. */
const resolve = (host: Element, name: string): string => getComputedStyle(host).getPropertyValue(name).trim() || '#888';

/** Values summed up from the first column, for drawing them on top of each other; where nothing was measured counts as nothing. */
function stack(columns: readonly Column[]): Float64Array[] {
  const sums: Float64Array[] = [];
  for (const column of columns) {
    const below = sums.at(-1);
    const made = Float64Array.from(numbersIn(column));
    for (let i = 0; i < made.length; i++) {
      const own = made[i] ?? 0;
      made[i] = (Number.isNaN(own) ? 0 : own) + (below ? (below[i] ?? 0) : 0);
    }
    sums.push(made);
  }
  return sums;
}

/** The data as uPlot takes it, as dense as so many pixels can show. A stack is drawn from its top down, so that each lower part covers the one above. */
export function chartData({ times, series, stacked, range, bars }: ChartProps, width: number): uPlot.AlignedData {
  const all = series.map((one) => one.values);
  // Bars are few, and wide; what is stacked has to be summed up before it is thinned out, as peaks of parts need not meet.
  if (bars) return [times as number[], ...((stacked ? stackOnce(series).toReversed() : all) as (number | null)[][])];
  const [seen, columns] = downsample(times, stacked ? stackOnce(series).toReversed() : all, width, range);
  return [seen as number[], ...(columns as (number | null)[][])];
}

const stacks = new WeakMap<ChartProps['series'], Float64Array[]>();
/** A zoom draws the same stack many times. */
function stackOnce(series: ChartProps['series']): Float64Array[] {
  const found = stacks.get(series) ?? stack(series.map((one) => one.values));
  stacks.set(series, found);
  return found;
}

/** `latest` gives the props as they are at each drawing: the range and the marks move on without a new chart. */
export function chartOptions(
  host: Element,
  props: ChartProps,
  width: number,
  zone: Zone,
  latest: () => ChartProps = () => props,
): uPlot.Options {
  const { unit, bars = false, stacked = false, onZoom, height = 180, gap } = props;
  const steps = valueSteps(unit);
  const axis = resolve(host, '--ink-3');
  const grid = { stroke: resolve(host, '--line'), width: 1 };
  const font = `11px ${resolve(host, '--font-ui')}`;
  const ordered = stacked ? [...props.series].reverse() : props.series;
  return {
    width,
    height,
    tzDate: (seconds) =>
      zone === 'local' ? new Date(seconds * 1000) : uPlot.tzDate(new Date(seconds * 1000), timeZoneFor(zone) ?? 'UTC'),
    legend: { show: false },
    // Half a time of the axis stands over the right edge.
    padding: [8, 28, 0, 0],
    cursor: {
      drag: { x: onZoom !== undefined, y: false, setScale: false },
      points: { size: 6 },
      ...(props.sync === undefined ? {} : { sync: { key: props.sync } }),
    },
    // A bar stands to the right of its time: the last one needs its room too.
    // Around a single point uPlot would show years.
    scales: {
      ...(props.range
        ? { x: { range: () => copied(latest().range ?? [0, 1]) } }
        : props.times.length === 1
          ? { x: { range: (_u: uPlot, min: number): [number, number] => [min - 30, min + 30] } }
          : bars
            ? {
                x: {
                  range: (u: uPlot, min: number, max: number): [number, number] => [
                    min,
                    max + ((u.data[0][1] ?? 0) - (u.data[0][0] ?? 0) || 60),
                  ],
                },
              }
            : {}),
      y: {
        range: (_u, min, max) => [
          Math.min(props.bounds?.min ?? 0, min ?? 0),
          Math.max(props.bounds?.max ?? 0, max === null || max <= 0 ? 1 : max * 1.08),
        ],
      },
    },
    axes: [
      {
        stroke: axis,
        grid: { show: false },
        ticks: grid,
        font,
        space: 64,
        incrs: WHOLE_SECONDS,
        values: (_u, ticks, _axis, _space, step) =>
          ticks.map((tick) =>
            step < 60
              ? formatClock(tick * 1000, zone)
              : step < 86_400
                ? formatClock(tick * 1000, zone).slice(0, 5)
                : formatDay(tick * 1000, zone),
          ),
      },
      {
        stroke: axis,
        grid,
        ticks: { show: false },
        font,
        size: 62,
        space: height < 110 ? 15 : height < 180 ? 22 : 34,
        ...(steps ? { incrs: steps } : {}),
        values: (_u, ticks) => ticks.map((tick) => tickText(unit, tick)),
      },
    ],
    series: [
      {},
      ...ordered.map((one): uPlot.Series => {
        const color = resolve(host, one.color ?? `--tone-${one.tone ?? 'run'}`);
        return {
          label: one.label,
          stroke: color,
          width: bars ? 0 : 1.6,
          points: {
            show: !bars && props.times.length < 2,
            ...(gap === undefined
              ? {}
              : { size: 5, fill: color, filter: (u, place) => isolatedPoints(u.data[0], u.data[place] ?? [], gap) }),
          },
          ...(gap === undefined ? {} : { gaps: (u, place, first, last) => tickGaps(u, place, first, last, gap) }),
          ...(bars || one.fill || stacked
            ? { fill: bars || stacked ? color : `color-mix(in srgb, ${color} 18%, transparent)` }
            : {}),
          ...(bars && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.85, 60, 1], align: 1 }) } : {}),
        };
      }),
    ],
    hooks: {
      draw: [(u) => drawMarks(u, host, latest())],
      setSelect: [
        (u) => {
          if (!onZoom || u.select.width < 4) return;
          onZoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        },
      ],
    },
  };
}

/** Level lines across, and what happened as upright lines with a foot. */
function drawMarks(
  { ctx, bbox: { left, top, width, height }, valToPos }: uPlot,
  host: Element,
  { marks = [], levels = [] }: ChartProps,
): void {
  if (marks.length === 0 && levels.length === 0) return;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineWidth = ratio;
  for (const { value, tone } of levels) {
    const y = valToPos(value, 'y', true);
    ctx.strokeStyle = resolve(host, `--tone-${tone}`);
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    line(ctx, left, y, left + width, y);
  }
  for (const { at, tone } of marks) {
    const x = valToPos(at, 'x', true);
    ctx.strokeStyle = ctx.fillStyle = resolve(host, `--tone-${tone}`);
    ctx.setLineDash([5 * ratio, 3 * ratio]);
    line(ctx, x, top, x, top + height);
    ctx.fillRect(x - 3 * ratio, top, 6 * ratio, 4 * ratio);
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

/** uPlot takes one that it may write to. */
const copied = ([from, to]: readonly [number, number]): [number, number] => [from, to];
