import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DataWarning } from '../../../../contract/data-health.ts';
import type { Panel, PanelQuery } from '../../../../contract/dashboards.ts';
import type { MetricSeries } from '../../../../contract/metrics.ts';
import { readSeries } from '../../../api/dashboards.ts';
import { call } from '../../../api/client.ts';
import { type ChosenVariables, type Lines, seriesLines, logsQuery, seriesParams } from './panel-data.ts';
import { rangeEnds, rangeLength, type Span, stepForLength } from './range.ts';

export interface PanelView {
  readonly span: Span;
  readonly chosen: ChosenVariables;
  /** Milliseconds between reads; 0: none. */
  readonly refreshMs: number;
}
export interface PanelLines extends Lines {
  /** What was asked for, in seconds since the epoch. */
  readonly range: readonly [from: number, to: number];
  readonly stepSeconds: number;
  /** When it was asked, in seconds since the epoch: a window that ends later is not over yet. */
  readonly askedAt: number;
  /** What is missing as it is damaged. */
  readonly warnings: readonly DataWarning[];
}

/** The lines of a panel, read again while the page is seen; never twice at once. */
export function usePanel(panel: Panel, { span, chosen, refreshMs }: PanelView) {
  const stepSeconds = stepForLength(rangeLength(span));
  return useQuery({
    queryKey: ['dashboards', 'panel', panel.queries, panel.kind, chosen, span, stepSeconds] as const,
    queryFn: async ({ signal }): Promise<PanelLines> => {
      const askedAt = Date.now();
      const { from, to } = rangeEnds(span, stepSeconds * 1000, askedAt);
      const answers = await Promise.all(
        panel.queries.map((query) => answerTo(query, panel, chosen, stepSeconds, from, to, signal)),
      );
      return {
        ...seriesLines(panel.queries, answers),
        range: [from / 1000, to / 1000],
        stepSeconds,
        askedAt: askedAt / 1000,
        warnings: answers.flatMap(({ warnings = [] }) => warnings),
      };
    },
    enabled: panel.kind !== 'logs',
    refetchInterval: refreshMs === 0 ? false : refreshMs,
    placeholderData: keepPreviousData,
  });
}

async function answerTo(
  query: PanelQuery,
  panel: Panel,
  chosen: ChosenVariables,
  stepSeconds: number,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<MetricSeries> {
  if (query.source === 'metrics') return readSeries(seriesParams(query, panel, chosen, stepSeconds), from, to, signal);
  const { hits, warnings = [] } = await call('logs.hits', {
    query: {
      query: logsQuery(query.query, chosen),
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      step: `${stepSeconds}s`,
      field: query.field ?? 'level',
    },
    signal,
  });
  const series = hits.map(({ fields, timestamps, values }) => ({
    tags: fields,
    times: timestamps.map((time) => Date.parse(time)),
    values,
  }));
  return { from: '', to: '', interval: `${stepSeconds}s`, series, total: series.length, warnings };
}
