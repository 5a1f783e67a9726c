import type { PanelQuery } from '../../../../contract/dashboards.ts';
import { quoteForShell } from '../../../../lib/shell-quote.ts';
import { pathTo } from '../../../../lib/api-client.ts';
import { seriesParams } from '../panels/panel-data.ts';

type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;

/** The question as commands for a terminal. */
export function queryCommands(
  query: MetricQuery,
  stepSeconds: number,
  from: number,
  to: number,
  origin: string,
): { cli: string; curl: string } {
  const { filters, ...named } = seriesParams(query, { kind: 'timeseries' }, {}, stepSeconds);
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const url = `${origin}${pathTo('metrics.series', { query: { ...named, ...filters, ...range } })}`;
  const flags = (
    [
      ['--aggregate', query.aggregate],
      ...(named.groupBy === '' ? [] : [['--group-by', named.groupBy]]),
      ['--interval', `${stepSeconds}s`],
      ['--from', range.from],
      ['--to', range.to],
      ...Object.entries(filters).flatMap(([tag, values]) =>
        values.map((value) => ['--filter', `${tag}=${value}`] as const),
      ),
    ] as const
  ).flatMap(([flag, value]) => [flag, quoteForShell(value)]);
  return {
    cli: ['yardmaster metrics series', quoteForShell(query.measurement), quoteForShell(query.field), ...flags].join(
      ' ',
    ),
    curl: `curl -H "authorization: Bearer $YARDMASTER_TOKEN" ${quoteForShell(url)}`,
  };
}
