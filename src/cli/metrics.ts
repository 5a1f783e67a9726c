import { InvalidArgumentError, type Command } from 'commander';
import type { Metrics } from '../contract/api.ts';
import { apiCommand } from './command.ts';
import type { Io } from './io.ts';
import { integer, option, time } from './options.ts';
import { table, type Cell } from './table.ts';

interface QueryFlags {
  measurement?: string;
  field?: string;
  from?: string;
  to?: string;
  interval?: string;
  limit?: number;
  filter?: Record<string, string>;
}

/** `yardmaster metrics query`. */
export function metricsCommands(root: Command, io: Io): void {
  const group = root.command('metrics').description('metrics of jobs, tasks, workers and the master');
  const query = apiCommand<QueryFlags>(group, io, 'query', 'data points of the last minute, or of a range', async (session, { filter = {}, ...flags }) => {
    const { measurement, field, from, to, interval, limit } = flags;
    const found = await session.api.call<Metrics>('GET', '/api/v1/metrics', { query: { ...filter, measurement, field, from, to, interval, limit } });
    session.show(found, () => metricLines(found));
  });
  option(query, io, '--measurement <name>', 'task_metrics, worker_metrics, job_metrics, system_metrics');
  option(query, io, '--field <name>', 'one metric, such as timer_run_ms');
  option(query, io, '--from <time>', 'start: a time, or 15m, 2h, 7d ago', { parse: (text) => time(text) });
  option(query, io, '--to <time>', 'end', { parse: (text) => time(text) });
  option(query, io, '--interval <n>', 'window of a data point, such as 10s, 1m, 1h');
  option(query, io, '--limit <n>', 'data points at most', { parse: integer(1, 1_000_000) });
  option(query, io, '--filter <tag=value>', 'only points with this tag; may be repeated', { parse: tag });
}

function tag(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('Expected tag=value, such as job_id=0190....');
  return { ...before, [key]: value };
}

function metricLines({ dataPoints, metricNames, totalDataPoints, truncated }: Metrics): string[] {
  const rows = dataPoints.map((point) => [point.timestamp, ...metricNames.map((name) => point[name] as Cell), tagsText(point.tags)]);
  return [...table(['time', ...metricNames, 'tags'], rows, 'no data points in that time'), ...(truncated ? [`the newest ${dataPoints.length} of ${totalDataPoints} points (--limit)`] : [])];
}

const tagsText = (tags: Record<string, string> | undefined): string => Object.entries(tags ?? {}).map(([key, value]) => `${key}=${value}`).join(' ');
