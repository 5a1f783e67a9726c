import { type ReactNode, useMemo } from 'react';
import type { Panel } from '../../../../contract/dashboards.ts';
import type { Tone } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { Chart } from '../../../ui/Chart.tsx';
import { DamageLine } from '../../../ui/DamageLine.tsx';
import type { ChartSeries } from '../../../ui/chart-props.ts';
import { valueText } from '../../../ui/chart-options.ts';
import { seriesColour } from './colours.ts';
import css from './Dashboard.module.css';
import { counts, fillGaps, typicalGap } from './fill-gaps.ts';
import { HeatMap } from './HeatMap.tsx';
import {
  adds,
  present,
  reduceLine,
  shortLabel,
  thresholdTone,
  total,
  type Line,
  isWholeNumbers,
} from './panel-data.ts';
import { CHART_UNITS } from '../chart-units.ts';
import type { DashboardAnnotation } from '../use-annotations.ts';
import type { PanelLines } from './use-panel.ts';

const TONES: Readonly<Record<Tone, 'done' | 'partial' | 'fail'>> = { ok: 'done', warning: 'partial', danger: 'fail' };
/** The legend under a chart takes a row for each line, up to this. */
const LEGEND_ROWS = 4;
const LEGEND_ROW = 20;

interface Props {
  readonly panel: Panel;
  readonly data: PanelLines;
  readonly marks: readonly DashboardAnnotation[];
  readonly height: number;
  onZoom(fromSeconds: number, toSeconds: number): void;
}

export function PanelBody(props: Props): ReactNode {
  return (
    <>
      <DamageLine warnings={props.data.warnings} />
      <Body {...props} />
    </>
  );
}

function Body(props: Props): ReactNode {
  const { panel, data } = props;
  if (data.lines.length === 0) return <p className={css['none']}>{t('No data in this time range.')}</p>;
  if (panel.kind === 'timeseries') return <Lines {...props} />;
  if (panel.kind === 'stat') return <Stat {...props} />;
  if (panel.kind === 'table') return <Rows {...props} />;
  if (panel.kind === 'heatmap')
    return <HeatMap data={data} unit={CHART_UNITS[panel.unit]} height={props.height} label={panel.title} />;
  return <Bars {...props} gauge={panel.kind === 'gauge'} />;
}

function Lines({ panel, data, marks, height, onZoom }: Props): ReactNode {
  const counted = panel.queries.every(counts);
  const { times, lines } = useMemo(() => {
    const over = adds(panel.queries[0]) ? isWholeNumbers(data, data.stepSeconds, data.askedAt) : data;
    return counted ? fillGaps(over, data.range, data.stepSeconds, data.askedAt) : over;
  }, [data, panel.queries, counted]);
  const series = useMemo(
    () =>
      lines.map(({ label, values }, i): ChartSeries => ({
        label: shortLabel(label),
        values,
        color: seriesColour(i, label),
        fill: lines.length === 1,
      })),
    [lines],
  );
  const levels = useMemo(
    () => (panel.thresholds ?? []).map(({ from, tone }) => ({ value: from, tone: TONES[tone] })),
    [panel.thresholds],
  );
  const shown = useMemo(
    () => marks.filter(({ at, kind }) => panel.marks?.includes(kind) && at >= data.range[0] && at <= data.range[1]),
    [marks, data.range, panel.marks],
  );
  // Half of a fifth row says that there are more below.
  const legend = (Math.min(LEGEND_ROWS + 0.5, data.lines.length) + 1) * LEGEND_ROW;
  return (
    <Chart
      label={panel.title}
      times={times}
      series={series}
      unit={CHART_UNITS[panel.unit]}
      height={Math.max(90, height - legend)}
      stacked={panel.stacked ?? false}
      {...(counted ? {} : { gap: typicalGap(data.stepSeconds) })}
      range={data.range}
      bounds={{ min: panel.min, max: panel.max }}
      marks={shown}
      levels={levels}
      sync="dashboard"
      stats
      onZoom={onZoom}
    />
  );
}

const toneVar = (tone: Tone | null): string => (tone === null ? 'var(--ink)' : `var(--tone-${TONES[tone]}-text)`);

function Stat({ panel, data, height }: Props): ReactNode {
  const [query] = panel.queries;
  // Counts of windows add up; what was measured does not.
  const summed = query?.source === 'logs' || query?.aggregate === 'sum' || query?.aggregate === 'count';
  const lines = panel.reducer === 'sum' && !summed ? present(data, data.range[1], data.stepSeconds) : data.lines;
  const value = total(lines, panel.reducer ?? 'last', summed);
  const text = valueText(CHART_UNITS[panel.unit], value);
  const course =
    counts(query) && data.lines.length === 1 ? fillGaps(data, data.range, data.stepSeconds, data.askedAt) : data;
  const [first] = course.lines;
  return (
    <div className={css['stat']}>
      <strong
        className="numbers"
        style={{ color: toneVar(thresholdTone(value, panel.thresholds)), '--letters': text.length }}
      >
        {text}
      </strong>
      {height > 80 && course.lines.length === 1 && first && course.times.length > 1 && (
        <Spark times={course.times} values={first.values} range={data.range} />
      )}
    </div>
  );
}

/** The course of one number, without axes. */
function Spark({
  times,
  values,
  range: [from, to],
}: {
  times: readonly number[];
  values: readonly (number | null)[];
  range: readonly [number, number];
}): ReactNode {
  const most = values.reduce<number>((a, b) => Math.max(a, b ?? 0), 0) || 1;
  const points = values.flatMap((value, i) =>
    value === null
      ? []
      : [
          `${((((times[i] ?? from) - from) / (to - from)) * 100).toFixed(2)},${(30 - (Math.max(0, value) / most) * 28).toFixed(2)}`,
        ],
  );
  return (
    <svg className={css['spark']} viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden>
      <polyline points={points.join(' ')} />
    </svg>
  );
}

function Bars({ panel, data, gauge }: Props & { gauge: boolean }): ReactNode {
  const rows = data.lines
    .map(({ label, values }) => ({ label, value: reduceLine(values, panel.reducer ?? 'last') ?? 0 }))
    .sort((a, b) => b.value - a.value);
  const most = gauge
    ? (panel.max ?? Math.max(1, ...rows.map(({ value }) => value)))
    : Math.max(...rows.map(({ value }) => value), 0) || 1;
  return (
    <ul className={css['bars']} tabIndex={0} aria-label={panel.title}>
      {rows.map(({ label, value }, i) => {
        const tone = thresholdTone(value, panel.thresholds);
        return (
          <li key={label}>
            <span className="clip" title={label}>
              {shortLabel(label)}
            </span>
            <span className={css['bar']}>
              {value > 0 && (
                <span
                  style={{
                    width: `${Math.min(100, (Math.max(0, value) / most) * 100)}%`,
                    background: tone === null ? `var(${seriesColour(i, label)})` : `var(--tone-${TONES[tone]})`,
                  }}
                />
              )}
            </span>
            <span className="numbers">{valueText(CHART_UNITS[panel.unit], value)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** One row for each set of tags, one column for each query: a line that is named by its tags alone is a value. */
function Rows({ panel, data }: Props): ReactNode {
  const rowOf = ({ tags }: Line) =>
    Object.values(tags)
      .filter((value) => value !== '')
      .join(' · ') || t('all');
  const columnOf = (line: Line) => (line.label === rowOf(line) ? t('value') : line.label);
  const names = [...new Set(data.lines.map(columnOf))];
  const keys = [...new Set(data.lines.map(rowOf))];
  const cell = (key: string, name: string) => {
    const line = data.lines.find((one) => columnOf(one) === name && rowOf(one) === key);
    return line ? reduceLine(line.values, panel.reducer ?? 'last') : null;
  };
  return (
    <div className={css['table']} tabIndex={0} role="region" aria-label={panel.title}>
      <table>
        <thead>
          <tr>
            <th>{Object.keys(data.lines[0]?.tags ?? {}).join(' · ')}</th>
            {names.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key}>
              <td className="clip" title={key}>
                {shortLabel(key)}
              </td>
              {names.map((name) => (
                <td key={name} className="numbers">
                  {valueText(CHART_UNITS[panel.unit], cell(key, name))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
