import type { DataPoint } from '../../../contract/metrics.ts';
import { iso } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import type { BucketNames } from '../../../lib/influxdb/buckets.ts';
import { tagsWithin } from '../../../lib/tags-within.ts';
import type { MetricRequest } from '../queries/request.ts';
import { fieldsOf, yielded, type Part, type Selection } from './flux.ts';
import type { OnRow, QueryGuard } from './run-flux.ts';
import { windowQuery, type Source } from './windows.ts';

/** Tags that points have in the bucket of single jobs alone. */
export const OWNERS = ['job_id', 'task_id'];
const QUANTILE: Part = { quantile: 0.95 };
/** Selections whose fields have to be asked for first; beyond that many the oldest are asked the short way again. */
const MOST_KNOWN = 1000;

export interface WindowedDeps {
  run(program: string, guard: QueryGuard, onRow: OnRow): Promise<void>;
  readonly buckets: BucketNames;
  sourcesOf(selection: Selection, stepMs: number, guard: QueryGuard): Promise<Source[]>;
  isEmpty(from: number, to: number): boolean;
  typeOf(datatype: string): string;
}

interface Found {
  readonly points: DataPoint[];
  readonly total: number;
  readonly names: ReadonlySet<string>;
}

/**
 * Windows over all series: counters are summed, timers averaged with their 95th percentile beside, all else averaged. It is
 * one request: names say what each field needs. Where a field is no number InfluxDB refuses that, so the types are asked
 * for first, then and from then on.
 */
export function createWindowedQuery({ run, buckets, sourcesOf, isEmpty, typeOf }: WindowedDeps) {
  const mixed = new Set<string>();

  /** Names of the fields in a range that have numbers. */
  async function numericFields(sources: readonly Source[], guard: QueryGuard): Promise<string[]> {
    const found = new Set<string>();
    const programs = sources.map(({ selection }, i) => {
      // The task is a field of its own beside the value.
      const { task_id: _task, ...tags } = selection.tags;
      return yielded(fieldsOf({ ...selection, tags }).newest, `${i}`);
    });
    if (programs.length > 0)
      await run(programs.join('\n\n'), guard, (_, table, cells) => {
        if (typeOf(table.types[table.at('_value')] ?? '') !== 'string') found.add(cells[table.at('_field')] ?? '');
      });
    return [...found];
  }

  return async (request: MetricRequest, everyMs: number, guard: QueryGuard): Promise<Found> => {
    const { from, end: to, measurement, field, filters, within, limit } = request;
    const tags = tagsWithin(within, Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, [value]])));
    const ofJobs = OWNERS.some((tag) => filters[tag] !== undefined);
    const base: Selection = {
      ...{ bucket: ofJobs ? buckets.jobs : buckets.all, from, to, tags },
      measurements: measurement === null ? null : [measurement],
      fields: field === null ? null : [field],
    };
    const sources = isEmpty(from, to)
      ? []
      : ofJobs
        ? [{ selection: base, isRolled: false }]
        : await sourcesOf(base, everyMs, guard);
    const byTask = filters['task_id'] !== undefined;

    /** One request for parts of several selections; what comes of it is put together once all of it is there. */
    async function ask(asked: readonly { readonly change: Partial<Selection>; readonly parts: readonly Part[] }[]) {
      const queries = asked.map(({ change, parts }, i) =>
        windowQuery(
          sources.map((one) => ({ ...one, selection: { ...one.selection, ...change } })),
          parts,
          byTask ? [] : ['_field'],
          everyMs,
          from,
          `${i}:`,
        ),
      );
      const programs = queries.map(({ program }) => program).filter((program) => program !== '');
      if (programs.length > 0)
        await run(programs.join('\n\n'), guard, (result, table, cells) =>
          queries[Number(result.slice(0, result.indexOf(':')))]?.take(result, table, cells),
        );
      for (const [i, { groups }] of queries.entries())
        for (const { tags: group, windows } of groups.values()) {
          const name = byTask ? (asked[i]?.change.fields?.[0] ?? '') : (group['_field'] ?? '');
          for (const [at, one] of windows)
            if (Number.isNaN(one.quantile)) put(at, name, name.startsWith('counter_') ? one.sum : one.sum / one.count);
            else put(at, `${name}_p95`, one.quantile);
        }
    }

    const points = new Map<number, DataPoint>();
    const shown = new Set<string>();
    function put(at: number, name: string, value: number): void {
      let point = points.get(at);
      if (!point) points.set(at, (point = { timestamp: iso(at) }));
      point[name] = value;
      shown.add(name);
    }

    /** Counters need no count, and percentiles are of timers alone. */
    const byName = (fields: readonly string[] | null) =>
      fields !== null
        ? [
            ...split(fields, (name) => name.startsWith('counter_'), ['sum']),
            ...split(fields, (name) => !name.startsWith('counter_'), ['sum', 'count']),
            ...split(fields, (name) => name.startsWith('timer_'), [QUANTILE]),
          ]
        : [
            { change: { prefix: { text: 'counter_', isLeftOut: false } }, parts: ['sum' as const] },
            { change: { prefix: { text: 'counter_', isLeftOut: true } }, parts: ['sum' as const, 'count' as const] },
            { change: { prefix: { text: 'timer_', isLeftOut: false } }, parts: [QUANTILE] },
          ];
    // The task of a point is beside its value, so each field is a selection of its own.
    const split = (fields: readonly string[], is: (name: string) => boolean, parts: readonly Part[]) => {
      const chosen = fields.filter(is);
      return chosen.length === 0
        ? []
        : byTask
          ? chosen.map((name) => ({ change: { fields: [name] }, parts }))
          : [{ change: { fields: chosen }, parts }];
    };

    const key = JSON.stringify([measurement, field]);
    // Beside a job lies the name of its task, which is a text.
    let needsTypes = byTask || (ofJobs && field === null) || mixed.has(key);
    if (!needsTypes)
      try {
        await ask(byName(base.fields));
      } catch (error) {
        if (!(error instanceof Fault && error.code === 'QUERY_INVALID')) throw error;
        needsTypes = true;
        if (mixed.size >= MOST_KNOWN) mixed.clear();
        mixed.add(key);
      }
    if (needsTypes) await ask(byName(await numericFields(sources, guard)));
    const sorted = [...points].sort(([a], [b]) => a - b).map(([, point]) => point);
    return { points: limit === 0 ? [] : sorted.slice(-limit), total: sorted.length, names: shown };
  };
}
