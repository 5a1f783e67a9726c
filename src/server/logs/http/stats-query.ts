import type { PipeOf, Query } from '../../../lib/logsql/ast.ts';
import { spanOf } from '../../../lib/logsql/times.ts';
import { answerJson, Refusal } from './answer.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, type Common } from './query-args.ts';
import { byTime, joinQuery } from './query-text.ts';
import { stepOf } from './hits.ts';
import { rowsOf, type Row } from './rows.ts';

/** Pipes that may stand behind `stats`: they leave its groups and results what they are. */
const AFTER = new Set(['filter', 'sort', 'limit', 'offset', 'math', 'delete', 'fields']);

/** `/select/logsql/stats_query`: the results of a `stats` pipe as a Prometheus vector. */
export async function statsQuery(ask: LogQueryRequest): Promise<void> {
  const common = commonOf(ask);
  const { stats } = lastStats(common.query.parsed);
  const rows = await rowsOf(ask, common, joinQuery(common.query.filter, common.query.pipes));
  const at = seconds(common.at);
  const labels = stats.by.map(({ field }) => field);
  const result = rows.flatMap((row) =>
    metricsOf(row, labels).map(({ metric, value }) => ({ metric, value: [at, value] })),
  );
  answerJson(ask, { status: 'success', data: { resultType: 'vector', result } });
}

/** `/select/logsql/stats_query_range`: the same over time, as a Prometheus matrix. */
export async function statsQueryRange(ask: LogQueryRequest): Promise<void> {
  const common = commonOf(ask);
  const { stats, index } = lastStats(common.query.parsed);
  const step = stepOf(ask.args.get('step') ?? '1d');
  const offset = ask.args.get('offset') || null;
  const timed = stats.by.some(({ field }) => field === '_time');
  const pipes = common.query.pipes.map((pipe, i) => (i === index && !timed ? byTime(pipe, step.text, offset) : pipe));
  const rows = await rowsOf(ask, common, joinQuery(common.query.filter, pipes));
  const labels = stats.by.map(({ field }) => field).filter((field) => field !== '_time');
  const series = new Map<string, { metric: Row; values: [number, string][] }>();
  for (const row of rows) {
    const time = timeOf(row);
    for (const { metric, value } of metricsOf(row, [...labels, '_time'])) {
      const { _time: _, ...rest } = metric;
      const key = JSON.stringify(rest);
      const one = series.get(key) ?? { metric: rest, values: [] };
      one.values.push([time, value]);
      series.set(key, one);
    }
  }
  const result = [...series]
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, { metric, values }]) => ({ metric, values: values.toSorted(([a], [b]) => a - b) }));
  answerJson(ask, { status: 'success', data: { resultType: 'matrix', result } });
}

function lastStats(query: Query): { stats: PipeOf<'stats'>; index: number } {
  const index = query.pipes.findLastIndex(({ kind }) => kind === 'stats');
  const stats = query.pipes[index];
  if (stats?.kind !== 'stats') throw new Refusal(400, 'the query must have a `stats` pipe');
  const other = query.pipes.slice(index + 1).find(({ kind }) => !AFTER.has(kind));
  if (other) throw new Refusal(400, `the pipe \`${other.kind}\` is not supported after \`stats\` here`);
  return { stats, index };
}

/** Each result of a row with the groups that it is of. */
function metricsOf(row: Row, labels: readonly string[]): { metric: Row; value: string }[] {
  const groups = Object.fromEntries(labels.map((name) => [name, row[name] ?? '']));
  return Object.entries(row)
    .filter(([name]) => !labels.includes(name))
    .map(([name, value]) => ({ metric: { __name__: name, ...groups }, value }));
}

const timeOf = (row: Row): number => seconds(spanOf(row['_time'] ?? '', 0n)?.from ?? 0n);
const seconds = (ns: Common['at']): number => Number(ns / 1_000_000n) / 1000;
