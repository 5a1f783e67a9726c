import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import type { ChartUnit } from '../../../ui/chart-props.ts';
import { valueText } from '../../../ui/chart-options.ts';
import { useUiSettings } from '../../../ui/settings.tsx';
import { formatClock, formatInstant } from '../../../ui/time-text.ts';
import css from './Dashboard.module.css';
import { heatMapCells } from './heat.ts';
import type { PanelLines } from './use-panel.ts';

const LEFT = 62;
const FOOT = 34;

/** Of a field with this share of the most values that any has; the root tells small counts apart. */
const opacityOf = (share: number): number => 0.15 + 0.85 * Math.sqrt(share);
/** The fields of the legend. */
const STEPS = [0.02, 0.15, 0.35, 0.65, 1];

/** How values spread over time: the darker, the more of them lie in that band. */
export function HeatMap({
  data,
  unit,
  height,
  label,
}: {
  data: PanelLines;
  unit: ChartUnit;
  height: number;
  label: string;
}): ReactNode {
  const heat = useMemo(() => heatMapCells(data), [data]);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { zone } = useUiSettings();
  const [said, setSaid] = useState('');
  const plotted = Math.max(60, height - FOOT);

  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const draw = () => {
      const ratio = devicePixelRatio;
      const width = element.clientWidth;
      element.width = width * ratio;
      element.height = plotted * ratio;
      const ctx = element.getContext('2d');
      if (!ctx) return;
      ctx.scale(ratio, ratio);
      const style = getComputedStyle(element);
      const [from, to] = data.range;
      const across = (width - LEFT) / (to - from);
      const row = plotted / heat.bounds.length;
      ctx.fillStyle = style.getPropertyValue('--accent');
      heat.cells.forEach((column, i) =>
        column.forEach((count, band) => {
          if (count === 0) return;
          ctx.globalAlpha = opacityOf(count / heat.most);
          ctx.fillRect(
            LEFT + ((data.times[i] ?? from) - from) * across,
            plotted - (band + 1) * row,
            Math.max(1, data.stepSeconds * across - 1),
            row - 1,
          );
        }),
      );
      ctx.globalAlpha = 1;
      ctx.fillStyle = style.getPropertyValue('--ink-3');
      ctx.font = `11px ${style.fontFamily}`;
      ctx.textAlign = 'right';
      heat.bounds.forEach((bound, band) => {
        if (band % 3 === 0)
          ctx.fillText(valueText(unit, Number(bound.toPrecision(2))), LEFT - 6, plotted - band * row - 2);
      });
    };
    draw();
    const resize = new ResizeObserver(draw);
    resize.observe(element);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => (resize.disconnect(), theme.disconnect());
  }, [heat, plotted, unit]);

  function say(x: number, y: number, width: number): void {
    const [from, to] = data.range;
    const time = from + ((x - LEFT) / (width - LEFT)) * (to - from);
    const column = data.times.findLastIndex((at) => at <= time);
    const band = Math.floor((plotted - y) / (plotted / heat.bounds.length));
    const count = heat.cells[column]?.[band];
    setSaid(
      count === undefined || time < from
        ? ''
        : t('{at} · {least} to {most}: {count}', {
            at: formatInstant((data.times[column] ?? 0) * 1000, zone, false),
            least: valueText(unit, heat.bounds[band]),
            most: band + 1 < heat.bounds.length ? valueText(unit, heat.bounds[band + 1]) : '…',
            count,
          }),
    );
  }

  return (
    <div className={css['heat']}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={t('{label}: distribution over time, at most {most} per cell', { label, most: heat.most })}
        style={{ height: plotted }}
        onMouseMove={(event) =>
          say(event.nativeEvent.offsetX, event.nativeEvent.offsetY, event.currentTarget.clientWidth)
        }
        onMouseLeave={() => setSaid('')}
      />
      <div className={`dim numbers ${css['heatFoot']}`}>
        <span className="clip">
          {said || `${formatClock(data.range[0] * 1000, zone)} – ${formatClock(data.range[1] * 1000, zone)}`}
        </span>
        <span className={css['heatScale']} aria-hidden>
          1
          {STEPS.map((share) => (
            <i key={share} style={{ opacity: opacityOf(share) }} />
          ))}
          {heat.most}
        </span>
      </div>
    </div>
  );
}
