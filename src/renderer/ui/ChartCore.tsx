import { useMantineColorScheme } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { t } from '../../lib/language.ts';
import type { ChartProps } from './chart-props.ts';
import css from './Chart.module.css';
import { StatsLegend } from './StatsLegend.tsx';
import { chartKey, type ChartPlace, chosenTimes, NO_PLACE } from './chart-keys.ts';
import { firstIndexFrom } from './chart-downsample.ts';
import { sum } from './chart-stats.ts';
import { chartData, chartOptions, valueText } from './chart-options.ts';
import { useUiSettings } from './settings.tsx';
import { formatInstant } from './time-text.ts';

/** The index of the values under the cursor: what is drawn may be thinner than they are. */
function atCursor({ cursor: { idx }, data: [drawn] }: uPlot, times: readonly number[]): number | null {
  if (idx === null || idx === undefined || idx >= drawn.length) return null;
  return Math.min(times.length - 1, firstIndexFrom(times, drawn[idx] ?? 0));
}

/** uPlot, wrapped once: made anew where its options change, else only given new data or a new size. */
export function ChartCore(props: ChartProps) {
  const {
    label,
    times,
    series,
    unit,
    height = 180,
    bars,
    stacked,
    onZoom,
    range,
    sync,
    bounds,
    marks,
    levels,
    stats,
    totals,
    gap,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const { zone } = useUiSettings();
  const { colorScheme } = useMantineColorScheme();
  const [at, setAt] = useState<number | null>(null);
  const latest = useRef(props);
  latest.current = props;

  const shape = JSON.stringify([
    series.map(({ label: name, tone, color, fill }) => [name, tone, color, fill]),
    unit,
    height,
    bars,
    stacked,
    onZoom !== undefined,
    zone,
    times.length < 2,
    range !== undefined,
    sync,
    bounds,
    gap,
  ]);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const make = () => {
      plot.current?.destroy();
      const current = latest.current;
      const options = chartOptions(
        element,
        { ...current, ...(current.onZoom ? { onZoom: (from, to) => latest.current.onZoom?.(from, to) } : {}) },
        element.clientWidth,
        zone,
        () => latest.current,
      );
      const made = new uPlot(
        { ...options, hooks: { ...options.hooks, setCursor: [(u) => setAt(atCursor(u, latest.current.times))] } },
        chartData(current, element.clientWidth),
        element,
      );
      made.over.addEventListener('mouseleave', () => setAt(null));
      plot.current = made;
    };
    make();
    const resize = new ResizeObserver(() => {
      plot.current?.setSize({ width: element.clientWidth, height });
      plot.current?.setData(chartData(latest.current, element.clientWidth));
    });
    resize.observe(element);
    // The system's theme may turn by itself; canvas colours do not follow.
    const theme = new MutationObserver(make);
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => {
      resize.disconnect();
      theme.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, colorScheme]);
  useEffect(
    () => plot.current?.setData(chartData(latest.current, plot.current.width)),
    [times, series, range?.[0], range?.[1]],
  );
  useEffect(() => plot.current?.redraw(false), [marks, levels]);

  const place = useRef<ChartPlace>(NO_PLACE);
  const show = (next: ChartPlace) => {
    const u = plot.current;
    place.current = next;
    if (!u) return;
    // Outside of it there is no cursor.
    u.setCursor(next.at === null ? { left: -10, top: -10 } : { left: u.valToPos(times[next.at] ?? 0, 'x'), top: 0 });
    const [left, right] = chosenTimes(next, times, bars === true)?.map((seconds) => u.valToPos(seconds, 'x')) ?? [0, 0];
    u.setSelect({ left: left ?? 0, width: (right ?? 0) - (left ?? 0), top: 0, height: u.over.clientHeight }, false);
    setAt(next.at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [first, end] = range ? [firstIndexFrom(times, range[0]), firstIndexFrom(times, range[1])] : [0, times.length];
    const next = chartKey(
      { key: event.key, shiftKey: event.shiftKey && onZoom !== undefined },
      place.current,
      first,
      Math.min(end, times.length - 1),
    );
    if (next === null) return;
    event.preventDefault();
    event.stopPropagation();
    const chosen = next === 'zoom' ? chosenTimes(place.current, times, bars === true) : null;
    show(next === 'zoom' ? NO_PLACE : next);
    if (chosen) onZoom?.(...chosen);
  };

  const summed = totals === true && at === null;
  const shown = at ?? times.length - 1;
  const time = times[shown];
  const spoken = series
    .map(
      (one) =>
        `${one.label} ${valueText(
          unit,
          one.values.findLast((value) => value !== null),
        )}`,
    )
    .join(', ');
  const here =
    at === null || time === undefined
      ? spoken
      : `${formatInstant(time * 1000, zone, false)}: ${series.map((one) => `${one.label} ${valueText(unit, one.values[at])}`).join(', ')}`;
  return (
    <div className={css['chart']}>
      {/* As high as the chart before it is drawn: what stands below it does not move then. */}
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        style={{ minHeight: height }}
        aria-label={totals ? label : t('{label}. Last: {spoken}', { label, spoken })}
        aria-description={
          onZoom
            ? t('Arrow keys read the values; Shift + arrow keys select a time range, Enter zooms to it.')
            : t('Arrow keys read the values.')
        }
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, shown)}
        aria-valuetext={here}
        // The first Escape is for what is shown in it, not for a dialog around it.
        {...(at === null ? {} : { 'data-mantine-stop-propagation': 'true' })}
        onKeyDown={onKeyDown}
        onBlur={() => place.current !== NO_PLACE && show(NO_PLACE)}
      />
      {stats && <StatsLegend series={series} unit={unit} shown={at} time={time} zone={zone} marks={marks ?? []} />}
      <div className={css['legend']} aria-hidden hidden={stats === true}>
        {time !== undefined && !summed && <span className="numbers">{formatInstant(time * 1000, zone, false)}</span>}
        {series.map((one) => (
          <span key={one.label} className="numbers">
            <span
              className={css['mark']}
              style={{ background: `var(${one.color ?? `--tone-${one.tone ?? 'run'}`})` }}
            />
            {one.label} {valueText(unit, summed ? sum(one.values) : one.values[shown])}
          </span>
        ))}
      </div>
    </div>
  );
}
