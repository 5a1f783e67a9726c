import { InvalidArgumentError, type Command } from 'commander';
import type { Metrics } from '../../contract/metrics.ts';
import { METRIC_AGGREGATES } from '../../contract/vocabulary.ts';
import { apiCommand, type Session } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { integer, option, time } from '../options.ts';
import { table, type Cell } from '../text-table.ts';
import { provisionCommand } from './metrics-provision.ts';

interface QueryFlags {
  measurement?: string;
  field?: string;
  from?: string;
  to?: string;
  interval?: string;
  limit?: number;
  filter?: Record<string, string>;
}

interface SeriesFlags extends QueryFlags {
  aggregate?: (typeof METRIC_AGGREGATES)[number];
  groupBy?: string;
}

interface RangeFlags {
  measurement?: string;
  from?: string;
  to?: string;
  limit?: number;
}

/** `yardmaster metrics query|series|names|tags|values|provision`. */
export function metricsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('metrics').description('metrics of jobs, tasks, workers and the master');
  const query = apiCommand(
    group,
    io,
    'query',
    'show the data points of the last minute, or of a time range',
    async (session, { filter = {}, ...flags }: QueryFlags) => {
      const { measurement, field, from, to, interval, limit } = flags;
      const found = await session.api.call('metrics.query', {
        query: { ...filter, measurement, field, from, to, interval, limit },
      });
      session.show(found, () => metricLines(found));
    },
  );
  option(query, io, '--measurement <name>', 'task_metrics, worker_metrics, job_metrics, system_metrics');
  option(query, io, '--field <name>', 'one metric, such as timer_run_ms');
  option(query, io, '--from <time>', 'start: a time, or an age such as 15m, 2h, 7d', { parse: (text) => time(text) });
  option(query, io, '--to <time>', 'end', { parse: (text) => time(text) });
  option(query, io, '--interval <n>', 'window size, such as 10s, 1m, 1h');
  option(query, io, '--limit <n>', 'max. data points', { parse: integer(1, 1_000_000) });
  option(query, io, '--filter <tag=value>', 'only points with this tag; repeatable', { parse: tag });

  const series = apiCommand(
    group,
    io,
    'series <measurement> <field>',
    'show a field as series, for charts',
    async (session, { filter = {}, ...flags }: SeriesFlags, measurement, field) => {
      const { aggregate, groupBy, from, to, interval, limit } = flags;
      const found = await session.api.call('metrics.series', {
        query: { ...filter, measurement, field, aggregate, groupBy, from, to, interval, limit },
      });
      const nothing = found.series.length > 0 || session.json ? '' : await whyNothing(session, measurement, field);
      session.show(found, () =>
        table(
          ['tags', 'time', 'value'],
          found.series.flatMap(({ tags, times, values }) =>
            times.map((at, i) => [tagsText(tags), new Date(at).toISOString(), values[i]]),
          ),
          nothing,
        ),
      );
    },
  );
  option(series, io, '--aggregate <name>', `aggregation per window: ${METRIC_AGGREGATES.join(', ')}`, {
    choices: METRIC_AGGREGATES,
  });
  option(series, io, '--group-by <tags>', 'comma-separated tags to group by');
  option(series, io, '--from <time>', 'start: a time, or an age such as 15m, 2h, 7d', { parse: (text) => time(text) });
  option(series, io, '--to <time>', 'end', { parse: (text) => time(text) });
  option(series, io, '--interval <n>', 'window size, such as 10s, 1m, 1h; without it, one value for the whole range');
  option(series, io, '--limit <n>', 'max. series', { parse: integer(1, 10_000) });
  option(series, io, '--filter <tag=value>', 'only points with this tag; repeatable', { parse: tag });

  apiCommand(group, io, 'names', 'list measurements and their fields', async (session) => {
    const found = await session.api.call('metrics.names');
    session.show(found, () =>
      table(
        ['measurement', 'field', 'type'],
        found.items.flatMap(({ measurement, fields }) => fields.map(({ name, type }) => [measurement, name, type])),
        'no metrics yet',
      ),
    );
  });
  const tags = apiCommand(group, io, 'tags', 'list tags', async (session, { measurement, from, to }: RangeFlags) => {
    const found = await session.api.call('metrics.tags', { query: { measurement, from, to } });
    session.show(found, () => found.items);
  });
  const values = apiCommand(
    group,
    io,
    'values <tag>',
    'list the values of a tag',
    async (session, { measurement, from, to, limit }: RangeFlags, name) => {
      const found = await session.api.call('metrics.tagValues', { query: { tag: name, measurement, from, to, limit } });
      session.show(found, () => [...found.items, ...(found.truncated ? ['more results exist (--limit)'] : [])]);
    },
  );
  for (const command of [tags, values]) {
    option(command, io, '--measurement <name>', 'only of this measurement');
    option(command, io, '--from <time>', 'start: a time, or an age such as 15m, 2h, 7d', {
      parse: (text) => time(text),
    });
    option(command, io, '--to <time>', 'end', { parse: (text) => time(text) });
  }
  option(values, io, '--limit <n>', 'max. values', { parse: integer(1, 10_000) });
  provisionCommand(group, io);
}

/** Whether there is no such metric, or none of its points is in the time that was asked for. */
async function whyNothing(
  { api }: Session,
  measurement: string | undefined,
  field: string | undefined,
): Promise<string> {
  const { items } = await api.call('metrics.names');
  const found = items.find((one) => one.measurement === measurement);
  if (!found)
    return `metric "${measurement}" not found; measurements: ${items.map((one) => one.measurement).join(', ') || 'none yet'}`;
  if (!found.fields.some(({ name }) => name === field))
    return `${measurement} has no field "${field}"; fields: ${found.fields.map(({ name }) => name).join(', ')}`;
  return 'no data points in this time range';
}

function tag(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('Expected tag=value, such as job_id=0190....');
  return { ...before, [key]: value };
}

function metricLines({ dataPoints, metricNames, totalDataPoints, truncated }: Metrics): string[] {
  const rows = dataPoints.map((point) => [
    point.timestamp,
    // What a point has beside its time and tags are numbers.
    ...metricNames.map((name) => point[name] as Cell),
    tagsText(point.tags),
  ]);
  return [
    ...table(['time', ...metricNames, 'tags'], rows, 'no data points in this time range'),
    ...(truncated ? [`the newest ${dataPoints.length} of ${totalDataPoints} points (--limit)`] : []),
  ];
}

const tagsText = (tags: Record<string, string> | undefined): string =>
  Object.entries(tags ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
