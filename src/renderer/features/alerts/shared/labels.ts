import type { AlertQuery, Matcher, Threshold } from '../../../../contract/alert-rules.ts';
import type { ThresholdOperator, Signal } from '../../../../contract/vocabulary.ts';
import { currentLocale, t } from '../../../../lib/language.ts';

export const COMPARISON_WORDS: Readonly<Record<ThresholdOperator, string>> = {
  gt: t('above'),
  ge: t('at least'),
  lt: t('below'),
  le: t('at most'),
  within: t('within'),
  outside: t('outside'),
};
const SIGNAL_WORDS: Readonly<Record<Signal, string>> = {
  workersUp: t('workers online'),
  workersLost: t('seconds since a worker was lost'),
  failureRate: t('share of failed task runs, by workflow'),
  tasksStuck: t('tasks queued while none is running'),
  diskUsed: t('disk usage'),
  pipelineBacklog: t('log lines queued'),
  clusterStandbys: t('standbys ready to take over'),
  clusterLag: t('seconds that a standby is behind'),
  clusterFailovers: t('seconds without an owner at a failover'),
  clusterAppend: t('milliseconds of an append to the journal'),
  clusterDiverged: t('masters that differ from the journal'),
  clusterProjectionLag: t('seconds that the tables for SQL are behind'),
  clusterProjectionStopped: t('tables for SQL that are not being written'),
  damagedData: t('damaged parts of the data'),
  targetsBehind: t('seconds that a remote target is behind or failing'),
  targetsLosing: t('records lost on the way to a remote target'),
  sendersRefused: t('senders and lines that the log port refused, by reason'),
  schedulesMissed: t('due times of schedules without a job'),
  schedulesLate: t('scheduled jobs that started late'),
  webhooksFailing: t('deliveries to webhooks that started no job'),
  webhooksRefused: t('deliveries to webhooks that could not be verified'),
  approvalsWatched: t('approvals without a second person, by reason'),
  approvalsWaiting: t('seconds that a job has waited for an approval'),
  wrongCredentials: t('wrong tokens, keys and sign-in codes in 5 minutes'),
};

/** A value as people read it: short, without noise behind the point. */
export const numberText = (value: number | null): string =>
  value === null ? '–' : Number(value.toPrecision(4)).toLocaleString(currentLocale(), { maximumFractionDigits: 20 });

/** `above 5`, `within 1 and 3`; `text` says a bound otherwise than as a number. */
export const thresholdText = ({ op, value, upper }: Threshold, text: (bound: number) => string = numberText): string =>
  op === 'within' || op === 'outside'
    ? t('{comparison} {value} and {upper}', {
        comparison: COMPARISON_WORDS[op],
        value: text(value),
        upper: text(upper ?? value),
      })
    : `${COMPARISON_WORDS[op]} ${text(value)}`;

/** `mean of task_metrics.timer_run_ms by workflow_id`. */
export function queryText(query: AlertQuery): string {
  if (query.source === 'engine') return SIGNAL_WORDS[query.signal];
  if (query.source === 'logs')
    return query.groupBy === undefined
      ? t('log records matching {query}', { query: query.query })
      : t('log records matching {query} by {groupBy}', { query: query.query, groupBy: query.groupBy });
  const series = `${query.measurement}.${query.field}`;
  return query.groupBy && query.groupBy.length > 0
    ? t('{aggregate} of {series} by {groupBy}', {
        aggregate: query.aggregate,
        series,
        groupBy: query.groupBy.join(', '),
      })
    : t('{aggregate} of {series}', { aggregate: query.aggregate, series });
}

export const matcherText = ({ name, op, value }: Matcher): string => `${name}${op}"${value}"`;

/** Labels that tell one alert of a rule from another. */
export const distinctiveLabels = (labels: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(labels)
    .filter(([name]) => name !== 'alertname' && name !== 'severity' && name !== 'rulename')
    .sort(([a], [b]) => a.localeCompare(b));

const MATCHER = /^\s*([a-zA-Z_][a-zA-Z0-9_.]*)\s*(=~|!~|!=|=)\s*(.*?)\s*$/s;
/** One matcher a line; null where a line is none. */
export function matchersIn(text: string): Matcher[] | null {
  const found: Matcher[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name, op, value = ''] = MATCHER.exec(line) ?? [];
    if (name === undefined || op === undefined) return null;
    found.push({ name, op: op as Matcher['op'], value: /^".*"$/s.test(value) ? value.slice(1, -1) : value });
  }
  return found;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const;
/** `90` as `90s`, `3600` as `1h`. */
export function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['s', 1];
  return `${Number((seconds / size).toFixed(3))}${unit}`;
}

/** `1h` as 3600; null where it is no such span. */
export function secondsIn(text: string): number | null {
  const [, count, unit = 's'] = /^\s*(\d{1,8}(?:\.\d+)?)\s*([smhd])?\s*$/.exec(text) ?? [];
  const size = UNITS.find(([name]) => name === unit)?.[1];
  return count === undefined || size === undefined ? null : Number(count) * size;
}

/** Why an alert came to its state, where that was no value beyond the threshold; what is not known here stays as the master says it. */
export function failureReason(reason: string): string {
  switch (reason) {
    case 'NoData':
      return t('No data');
    case 'Error':
      return t('Query failed');
    case 'MissingSeries':
      return t('No longer in the query result');
    case 'Paused':
      return t('Rule disabled');
    case 'RuleDeleted':
      return t('Rule deleted');
    default:
      return reason;
  }
}
