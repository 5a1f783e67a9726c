import uPlot from 'uplot';
import type { ChartProps } from '../../src/renderer/ui/chart-props.ts';
import { chartData, chartOptions } from '../../src/renderer/ui/chart-options.ts';
import { seriesStats } from '../../src/renderer/ui/chart-stats.ts';

/** Runs in the browser: the console's own chart code, without the page around it. */

const START = 1_800_000_000;
const WIDTH = 1200;

function propsOf(points: number, lines: number, stacked: boolean): ChartProps {
  const times = Array.from({ length: points }, (_, i) => START + i);
  const series = Array.from({ length: lines }, (_, s) => {
    let at = 50 + s * 10;
    return {
      label: `line ${s}`,
      values: times.map((_t, i) => (i % 997 === 0 ? null : (at += Math.sin(i * 12.9898 + s * 78.233) * 3))),
      tone: 'run' as const,
    };
  });
  return {
    label: 'bench',
    times,
    series,
    height: 300,
    stacked,
    range: [START, START + points],
    stats: true,
    unit: 'ms',
  };
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
const quiet = () => new Promise((resolve) => setTimeout(resolve, 50));

/** Milliseconds of each: first drawing (`rounds` of them), the legend's numbers, and frames of a zoom with what each took to draw. */
async function run(points: number, lines: number, stacked: boolean, rounds: number, zooms: number) {
  const host = document.body.appendChild(document.createElement('div'));
  const draws: number[] = [];
  const stats: number[] = [];
  let props = propsOf(points, lines, stacked);
  let plot: uPlot | null = null;
  for (let i = 0; i < rounds; i++) {
    plot?.destroy();
    // Fresh lists: nothing that was reckoned before helps.
    props = { ...props, series: props.series.map((one) => ({ ...one, values: [...one.values] })) };
    await quiet();
    const from = performance.now();
    plot = new uPlot(
      chartOptions(host, props, WIDTH, 'utc', () => props),
      chartData(props, WIDTH),
      host,
    );
    // uPlot draws in a microtask.
    await Promise.resolve();
    draws.push(performance.now() - from);
    const then = performance.now();
    for (const { values } of props.series) seriesStats(values);
    stats.push(performance.now() - then);
  }
  const frames: number[] = [];
  const work: number[] = [];
  let before = await frame();
  for (let i = 0; i < zooms; i++) {
    const share = 1 - (0.98 * i) / zooms;
    const middle = START + points * 0.6;
    props = { ...props, range: [middle - (points * share) / 2, middle + (points * share) / 2] };
    const from = performance.now();
    plot?.setData(chartData(props, WIDTH));
    await Promise.resolve();
    work.push(performance.now() - from);
    const now = await frame();
    frames.push(now - before);
    before = now;
  }
  plot?.destroy();
  host.remove();
  return { draws, stats, frames, work };
}

/** Gives what draws a chart anew, as a page does that got its values: fresh lists, of which nothing was reckoned before. */
function drawer(points: number, lines: number, stacked: boolean): { prepare(): void; draw(): Promise<void> } {
  const host = document.body.appendChild(document.createElement('div'));
  const given = propsOf(points, lines, stacked);
  let props = given;
  let plot: uPlot | null = null;
  return {
    prepare() {
      plot?.destroy();
      props = { ...given, series: given.series.map((one) => ({ ...one, values: [...one.values] })) };
    },
    async draw() {
      plot = new uPlot(
        chartOptions(host, props, WIDTH, 'utc', () => props),
        chartData(props, WIDTH),
        host,
      );
      await Promise.resolve();
    },
  };
}

Object.assign(window, { runCharts: run, chartDrawer: drawer });
