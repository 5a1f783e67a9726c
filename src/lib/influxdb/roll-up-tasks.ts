import { fluxText } from '../flux-text.ts';
import { type BucketNames, ROLLED_PARTS } from './buckets.ts';

/** A task that InfluxDB runs by itself. */
export interface InfluxTask {
  readonly name: string;
  readonly flux: string;
}

/**
 * Tasks that make one-minute roll-ups: each hour of the last whole hours, and each day once more of the last days, for points
 * that came late because they waited in a queue. What is written twice is the same.
 */
export function rollUpTasks(buckets: BucketNames, organization: string): InfluxTask[] {
  return [
    taskOf(buckets, organization, { name: 'hourly', every: '1h', offset: '5m', unit: '1h', since: '-2h' }),
    taskOf(buckets, organization, { name: 'daily', every: '1d', offset: '30m', unit: '1d', since: '-3d' }),
  ];
}

function taskOf(
  { all, rolled }: BucketNames,
  organization: string,
  { name, every, offset, unit, since }: Record<'name' | 'every' | 'offset' | 'unit' | 'since', string>,
): InfluxTask {
  const title = `Yardmaster roll-ups of ${all}, ${name}`;
  return {
    name: title,
    flux: `// Created by \`yardmaster metrics provision\`, which overwrites changes.
import "date"

option task = {name: ${fluxText(title)}, every: ${every}, offset: ${offset}}

${rollUpProgram(all, { start: `date.truncate(t: ${since}, unit: ${unit})`, stop: `date.truncate(t: now(), unit: ${unit})` }, () => `to(bucket: ${fluxText(rolled)}, org: ${fluxText(organization)})`)}
`,
  };
}

/** What a task does; the range must be of whole minutes. @param end what becomes of each part of the minutes */
export function rollUpProgram(
  bucket: string,
  { start, stop }: { readonly start: string; readonly stop: string },
  end: (part: string) => string,
): string {
  return ROLLED_PARTS.map(
    (part) => `from(bucket: ${fluxText(bucket)})
  |> range(start: ${start}, stop: ${stop})
  |> filter(fn: (r) => r._measurement =~ /^(task|job|worker|system|custom)_metrics$/)
  |> filter(fn: (r) => r._field =~ /^(counter|gauge|timer)_/)
  |> aggregateWindow(every: 1m, fn: ${part}, createEmpty: false, timeSrc: "_start")
  |> toFloat()
  |> set(key: "aggregate", value: ${fluxText(part)})
  |> ${end(part)}`,
  ).join('\n\n');
}
