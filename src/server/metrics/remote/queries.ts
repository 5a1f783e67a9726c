import type { MetricNames, Metrics, MetricTags, MetricTagValues } from '../../../contract/metrics.ts';
import type { RemoteMetricsOptions } from '../../../contract/process.ts';
import { iso } from '../../../lib/clock.ts';
import { bucketNames } from '../../../lib/influxdb/buckets.ts';
import type { RemoteHttp } from '../../../lib/remote-http.ts';
import { tagsWithin } from '../../../lib/tags-within.ts';
import type { Within } from '../port.ts';
import type { MetricRequest } from '../queries/request.ts';
import type { SeriesAnswer, SeriesQuery } from '../store/port.ts';
import {
  fieldsOf,
  storedPoints,
  tagNames,
  tagValues,
  within as timeWithin,
  yielded,
  type Part,
  type Selection,
} from './flux.ts';
import { RUN_MEASUREMENTS } from './line-protocol.ts';
import { createClosedWindows, type GroupedWindows } from './closed-windows.ts';
import { createRetentions } from './retentions.ts';
import { runFlux, type OnRow, type QueryGuard } from './run-flux.ts';
import { createStoredPoints } from './stored-points.ts';
import { createWindowedQuery, OWNERS } from './windowed.ts';
import { windowQuery, type Accumulated, type Source } from './windows.ts';

type Fields = MetricNames['items'][number]['fields'];

/** What the console and the API ask of metrics, over an InfluxDB. */
export interface RemoteQueries {
  metrics(request: MetricRequest, guard: QueryGuard): Promise<Metrics>;
  series(query: SeriesQuery, guard: QueryGuard): Promise<SeriesAnswer>;
  names(within: Within, guard: QueryGuard): Promise<MetricNames>;
  tags(
    query: { measurement: string | null; from: number; to: number; within?: Within },
    guard: QueryGuard,
  ): Promise<MetricTags>;
  tagValues(
    query: { measurement: string | null; tag: string; from: number; to: number; limit: number; within?: Within },
    guard: QueryGuard,
  ): Promise<MetricTagValues>;
}

/** Names and tags are those of this time, as InfluxDB has no list of what it ever had. */
const NAMES_MS = 30 * 86_400_000;
const SHARES: Readonly<Record<string, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

export function createRemoteQueries(
  http: RemoteHttp,
  options: Pick<RemoteMetricsOptions, 'url' | 'organization' | 'bucket'>,
  now: () => number,
): RemoteQueries {
  const buckets = bucketNames(options.bucket);
  const retentions = createRetentions(http, options, now);
  const closed = createClosedWindows(now);
  const run = (program: string, guard: QueryGuard, onRow: OnRow) => runFlux(http, options, program, guard, onRow);
  const isEmpty = (from: number, to: number) => timeWithin(from) >= timeWithin(to);

  /** Where the points of a range are, but for those of single jobs. */
  async function sourcesOf(selection: Selection, stepMs: number, guard: QueryGuard): Promise<Source[]> {
    const kept = await retentions.of(buckets.all, guard.signal);
    const step = Math.max(stepMs, 60_000);
    // Whole windows come from one place.
    const border = kept === 0 ? 0 : Math.ceil((now() - kept * 1000) / step) * step;
    const { from, to } = selection;
    const rolled = { ...selection, bucket: buckets.rolled, to: Math.min(to, border) };
    const points = { ...selection, from: Math.max(from, border) };
    return [
      ...(isEmpty(rolled.from, rolled.to) || !(await retentions.has(buckets.rolled, guard.signal))
        ? []
        : [{ selection: rolled, isRolled: true }]),
      ...(isEmpty(points.from, points.to) ? [] : [{ selection: points, isRolled: false }]),
    ];
  }

  async function series(query: SeriesQuery, guard: QueryGuard): Promise<SeriesAnswer> {
    const { measurement, field, aggregate, groupBy, filters, from, to, intervalMs, limit } = query;
    const key = JSON.stringify([measurement, field, aggregate, groupBy, filters, intervalMs]);
    // A window that the range cuts is another one than the whole.
    const isWhole = intervalMs !== null && from % intervalMs === 0 && to % intervalMs === 0;
    const known = isWhole ? closed.known(key, from, to) : null;
    const since = known?.to ?? from;
    const base: Selection = {
      bucket: buckets.all,
      from: since,
      to,
      measurements: [measurement],
      fields: [field],
      tags: filters,
    };
    const ofJobs = OWNERS.some((tag) => groupBy.includes(tag) || filters[tag] !== undefined);
    const sources = isEmpty(since, to)
      ? []
      : ofJobs
        ? [{ selection: { ...base, bucket: buckets.jobs }, isRolled: false }]
        : await sourcesOf(base, intervalMs ?? 0, guard);
    const share = SHARES[aggregate];
    const parts: Part[] =
      share !== undefined
        ? [{ quantile: share }]
        : aggregate === 'mean'
          ? ['sum', 'count']
          : aggregate === 'rate'
            ? ['sum']
            : [aggregate as 'sum'];
    const asked = windowQuery(sources, parts, groupBy, intervalMs, since);
    if (asked.program !== '') await run(asked.program, guard, asked.take);
    const seconds = (intervalMs ?? to - from) / 1000;
    const groups: GroupedWindows = known?.groups ?? new Map();
    for (const [name, { tags, windows }] of asked.groups) {
      let group = groups.get(name);
      if (!group) groups.set(name, (group = { tags, windows: new Map() }));
      for (const [at, one] of windows) group.windows.set(at, valueOf(one, aggregate, seconds));
    }
    if (isWhole) closed.keep(key, from, intervalMs, guard.settled, groups);
    const all = [...groups.values()].map(({ tags, windows }) => {
      const times = [...windows.keys()].sort((a, b) => a - b);
      const values = times.map((at) => windows.get(at) ?? 0);
      return { tags, times, values, weight: values.reduce((sum, value) => sum + value, 0) };
    });
    all.sort((a, b) => b.weight - a.weight || compareTags(a.tags, b.tags, groupBy));
    return {
      ...{ from, to, intervalMs, total: all.length },
      series: all.slice(0, limit).map(({ tags, times, values }) => ({ tags, times, values })),
    };
  }

  async function names(within: Within, guard: QueryGuard): Promise<MetricNames> {
    const at = now() + 1;
    const asked = fieldsOf({
      ...{ bucket: buckets.all, from: at - NAMES_MS, to: at, measurements: null, fields: null },
      tags: tagsWithin(within ?? null, {}),
    });
    const found = new Map<string, { fields: Fields; series: number }>();
    await run(
      `${yielded(asked.newest, 'newest')}\n\n${yielded(asked.series, 'series')}`,
      guard,
      (result, table, cells) => {
        const measurement = cells[table.at('_measurement')] ?? '';
        let one = found.get(measurement);
        if (!one) found.set(measurement, (one = { fields: [], series: 0 }));
        const value = table.at('_value');
        // Each field is of each of its series once: the most that one field has are about all.
        if (result === 'series') one.series = Math.max(one.series, Number(cells[value] ?? 0));
        else one.fields.push({ name: cells[table.at('_field')] ?? '', type: typeOf(table.types[value] ?? '') });
      },
    );
    return {
      items: [...found]
        .map(([measurement, { fields, series: count }]) => ({
          measurement,
          fields: fields.sort((a, b) => (a.name < b.name ? -1 : 1)),
          series: count,
        }))
        .sort((a, b) => (a.measurement < b.measurement ? -1 : 1)),
    };
  }

  /** Each stored point is one data point. Points of runs are read where they have their job and task, as long as they are kept there. */
  async function stored(request: MetricRequest, guard: QueryGuard) {
    const { from, end: to, measurement, field, filters, within, limit } = request;
    const tags = tagsWithin(within, Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, [value]])));
    const fields = field === null ? null : [field];
    const found = createStoredPoints(limit);
    const kept = await retentions.of(buckets.jobs, guard.signal);
    const border = kept === 0 ? 0 : now() - kept * 1000;
    const ofJobs = OWNERS.some((tag) => filters[tag] !== undefined);
    const isOfRun = measurement !== null && RUN_MEASUREMENTS.includes(measurement);
    const runs = measurement === null ? RUN_MEASUREMENTS : [measurement];
    const selections: Selection[] = [];
    const choose = (selection: Omit<Selection, 'fields' | 'tags'>) => {
      if (!isEmpty(selection.from, selection.to)) selections.push({ ...selection, fields, tags });
    };
    if (ofJobs) choose({ bucket: buckets.jobs, from, to, measurements: measurement === null ? null : [measurement] });
    else {
      if (measurement === null || isOfRun) {
        choose({ bucket: buckets.jobs, from: Math.max(from, border), to, measurements: runs });
        choose({ bucket: buckets.all, from, to: Math.min(to, border), measurements: runs });
      }
      if (!isOfRun)
        choose({
          ...{ bucket: buckets.all, from, to },
          ...(measurement === null
            ? { measurements: null, without: RUN_MEASUREMENTS }
            : { measurements: [measurement] }),
        });
    }
    const programs = selections.map((selection, i) => {
      const asked = storedPoints(selection, Math.max(limit, 1));
      return `${yielded(asked.points, `points ${i}`)}\n\n${yielded(asked.count, `count ${i}`)}`;
    });
    if (programs.length > 0) await run(programs.join('\n\n'), guard, found.take);
    return found.result();
  }

  const windowed = createWindowedQuery({ run, buckets, sourcesOf, isEmpty, typeOf });

  return {
    series,
    names,
    async metrics(request, guard) {
      const {
        points,
        total,
        names: shown,
      } = request.intervalMs === null
        ? await stored(request, guard)
        : await windowed(request, request.intervalMs, guard);
      return {
        from: iso(request.from),
        to: iso(request.to),
        interval: request.interval,
        filters: request.filters,
        dataPoints: points,
        totalDataPoints: total,
        metricNames: [...shown].sort(),
        ...(total > points.length ? { truncated: true } : {}),
      };
    },
    async tags({ measurement, from, to, within = null }, guard) {
      const items = new Set<string>();
      const at = now() + 1;
      const base = {
        ...{ measurements: measurement === null ? null : [measurement], fields: null, tags: tagsWithin(within, {}) },
      };
      const programs = [
        tagNames({ ...base, bucket: buckets.all, from: Math.min(from, at - NAMES_MS), to: Math.max(to, at) }),
        ...(isEmpty(from, to) || (measurement !== null && !RUN_MEASUREMENTS.includes(measurement))
          ? []
          : [
              tagNames({ ...base, bucket: buckets.jobs, from, to }),
              tagNames({ ...base, bucket: buckets.jobs, from, to, fields: ['task_id'] }),
            ]),
      ];
      await run(programs.map((program, i) => yielded(program, `${i}`)).join('\n\n'), guard, (result, table, cells) => {
        const name = cells[table.at('_value')] ?? '';
        // A field with the task is there where there is any column of it.
        if (result === '2') items.add('task_id');
        else if (name !== '' && !name.startsWith('_')) items.add(name);
      });
      return { items: [...items].sort() };
    },
    async tagValues({ measurement, tag, from, to, limit, within = null }, guard) {
      const ofJobs = OWNERS.includes(tag);
      const at = now() + 1;
      const range = ofJobs ? { from, to } : { from: Math.min(from, at - NAMES_MS), to: Math.max(to, at) };
      if (isEmpty(range.from, range.to)) return { items: [], truncated: false };
      const found: string[] = [];
      const selection: Selection = {
        ...range,
        bucket: ofJobs ? buckets.jobs : buckets.all,
        measurements: measurement === null ? null : [measurement],
        ...{ fields: null, tags: tagsWithin(within, {}) },
      };
      await run(tagValues(selection, tag, limit + 1), guard, (_, table, cells) => {
        const value = cells[table.at(tag === 'task_id' ? '_value' : tag)] ?? cells[table.at('_value')] ?? '';
        if (value !== '') found.push(value);
      });
      found.sort();
      return { items: found.slice(0, limit), truncated: found.length > limit };
    },
  };
}

function valueOf(one: Accumulated, aggregate: SeriesQuery['aggregate'], seconds: number): number {
  switch (aggregate) {
    case 'sum':
    case 'count':
    case 'min':
    case 'max':
    case 'last':
      return one[aggregate];
    case 'mean':
      return one.sum / one.count;
    case 'rate':
      return one.sum / seconds;
    case 'p50':
    case 'p95':
    case 'p99':
      return one.quantile;
  }
}

function compareTags(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
  by: readonly string[],
): number {
  for (const name of by) if (a[name] !== b[name]) return (a[name] ?? '') < (b[name] ?? '') ? -1 : 1;
  return 0;
}

function typeOf(datatype: string): Fields[number]['type'] {
  switch (datatype) {
    case 'long':
      return 'int';
    case 'unsignedLong':
      return 'uint';
    case 'boolean':
      return 'bool';
    case 'string':
      return 'string';
    default:
      return 'float';
  }
}
