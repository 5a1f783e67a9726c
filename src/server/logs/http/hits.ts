import { nameText } from '../../../lib/logsql/quote.ts';
import { durationOf } from '../../../lib/logsql/durations.ts';
import { spanOf } from '../../../lib/logsql/times.ts';
import { answerJson, Refusal } from './answer.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, countArg, flag, listArg, type Common } from './query-args.ts';
import { countablePipes, joinQuery } from './query-text.ts';
import { rowsOf, type Row } from './rows.ts';

/** Buckets of one answer, over all series. */
const BUCKETS = 200_000;

interface Series {
  fields: Record<string, string>;
  /** Text of the bucket's start, as the store gives it → hits. */
  counts: Map<string, number>;
  total: number;
}

/** `/select/logsql/hits`: how many records there are in each step of time, by the values of fields; without `field` all are one series. */
export async function hits(ask: LogQueryRequest): Promise<void> {
  const { args } = ask;
  const common = commonOf(ask);
  const step = stepOf(args.get('step') ?? '1d');
  const offset = args.get('offset');
  if (offset !== null && offset !== '' && durationOf(offset) === null)
    throw new Refusal(
      400,
      `cannot parse offset=${JSON.stringify(offset.slice(0, 100))}: expected a duration such as 2h`,
    );
  const fields = args.getAll('field').filter((name) => name !== '');
  const most = countArg(args, 'fields_limit', 0, BUCKETS);
  const bucket = `_time:${step.text}${offset ? ` offset ${offset}` : ''}`;
  const rows = await rowsOf(
    ask,
    common,
    joinQuery(common.query.filter, [
      ...countablePipes(common.query),
      `stats by (${[bucket, ...fields.map(nameText)].join(', ')}) count() as hits`,
    ]),
  );

  const series = new Map<string, Series>();
  const names = fields.toSorted();
  for (const row of rows) {
    const key = names.length === 1 ? (row[names[0] ?? ''] ?? '') : JSON.stringify(names.map((name) => row[name] ?? ''));
    let one = series.get(key);
    if (one === undefined) {
      const own = Object.fromEntries(names.map((name) => [name, row[name] ?? '']));
      series.set(key, (one = { fields: own, counts: new Map(), total: 0 }));
    }
    add(one, row['_time'] ?? '', Number(row['hits'] ?? 0));
  }
  let kept = [...series.values()]
    .map((one) => ({ one, key: JSON.stringify(one.fields) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ one }) => one);
  if (most > 0 && kept.length > most) kept = withRest(kept, most);
  const times = timesOf(kept);
  const every = step.ns === null ? null : grid(times, kept.length, common, step.ns, durationOf(offset ?? '') ?? 0n);
  const write = (one: Series) => (every?.isAll ? writtenOver(one, every, times) : written(one, every, times));
  answerJson(ask, { hits: kept.map(write) });
}

function add(series: Series, time: string, count: number): void {
  series.counts.set(time, (series.counts.get(time) ?? 0) + count);
  series.total += count;
}

/** The largest series stay, all others become one without fields. */
function withRest(series: Series[], most: number): Series[] {
  const ranked = series.toSorted((a, b) => b.total - a.total);
  const large = new Set(ranked.slice(0, most));
  const rest: Series = { fields: {}, counts: new Map(), total: 0 };
  for (const one of ranked.slice(most)) for (const [time, count] of one.counts) add(rest, time, count);
  return [rest, ...series.filter((one) => large.has(one))];
}

/** Nanoseconds of the starts of all buckets, by their texts: series share them, so each is read once. */
function timesOf(series: readonly Series[]): ReadonlyMap<string, bigint> {
  const times = new Map<string, bigint>();
  for (const { counts } of series)
    for (const text of counts.keys()) if (!times.has(text)) times.set(text, spanOf(text, 0n)?.from ?? 0n);
  return times;
}

/** Buckets that all series have. */
interface Grid {
  readonly first: bigint;
  readonly step: bigint;
  readonly starts: readonly bigint[];
  readonly timestamps: readonly string[];
  /** No series has another one: a pipe may have made times of its own. */
  readonly isAll: boolean;
}

/** Every bucket of the time that was asked for, else of that of the records. Null: there is none. */
function grid(
  times: ReadonlyMap<string, bigint>,
  series: number,
  common: Common,
  step: bigint,
  shift: bigint,
): Grid | null {
  const align = (time: bigint) => {
    const past = (((time - shift) % step) + step) % step;
    return time - past;
  };
  const known = [...times.values()];
  if (known.length === 0) return null;
  const first = common.from === null ? known.reduce((a, b) => (a < b ? a : b)) : align(common.from);
  const last = common.to === null ? known.reduce((a, b) => (a > b ? a : b)) : align(common.to - 1n);
  if ((last - first) / step + 1n > BigInt(Math.floor(BUCKETS / series)))
    throw new Refusal(400, `step ${step} ns gives more than ${BUCKETS} buckets for this time range: use a longer step`);
  const starts: bigint[] = [];
  for (let time = first; time <= last; time += step) starts.push(time);
  const isAll = known.every((time) => time >= first && time <= last && (time - first) % step === 0n);
  return { first, step, starts, timestamps: isAll ? starts.map(rfc3339) : [], isAll };
}

/** Empty buckets count 0. */
function writtenOver(
  { fields, counts, total }: Series,
  { first, step, timestamps }: Grid,
  times: ReadonlyMap<string, bigint>,
) {
  const values = timestamps.map(() => 0);
  for (const [text, count] of counts) {
    const place = Number(((times.get(text) ?? 0n) - first) / step);
    values[place] = (values[place] ?? 0) + count;
  }
  return { fields, timestamps, values, total };
}

/** The same with buckets of its own; steps of the calendar have no others. */
function written({ fields, counts, total }: Series, every: Grid | null, times: ReadonlyMap<string, bigint>) {
  const all = new Map((every?.starts ?? []).map((time) => [time, 0]));
  for (const [text, count] of counts) {
    const time = times.get(text) ?? 0n;
    all.set(time, (all.get(time) ?? 0) + count);
  }
  const ordered = [...all].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return {
    fields,
    timestamps: ordered.map(([time]) => rfc3339(time)),
    values: ordered.map(([, count]) => count),
    total,
  };
}

const SECOND = 1_000_000_000n;
function rfc3339(ns: bigint): string {
  const rest = ((ns % SECOND) + SECOND) % SECOND;
  const text = new Date(Number((ns - rest) / 1_000_000n)).toISOString().slice(0, 19);
  return rest === 0n ? `${text}Z` : `${text}.${rest.toString().padStart(9, '0').replace(/0+$/, '')}Z`;
}

/** A duration, or a unit of the calendar, whose length in nanoseconds is null. */
export function stepOf(text: string): { text: string; ns: bigint | null } {
  if (/^(week|month|year)$/.test(text)) return { text, ns: null };
  const named = /^(nanosecond|microsecond|millisecond|second|minute|hour|day)$/.test(text)
    ? { nanosecond: '1ns', microsecond: '1us', millisecond: '1ms', second: '1s', minute: '1m', hour: '1h', day: '1d' }[
        text
      ]
    : undefined;
  // A bare number counts seconds, as in Prometheus.
  const given = named ?? (/^\d+(\.\d+)?$/.test(text) ? `${text}s` : text);
  const ns = durationOf(given);
  if (ns === null || ns <= 0n)
    throw new Refusal(
      400,
      `cannot parse step=${JSON.stringify(text.slice(0, 100))}: expected a duration such as 5m, or day, week, month`,
    );
  return { text: given, ns };
}

/** `/select/logsql/facets`: the most frequent values of each field. */
export async function facets(ask: LogQueryRequest): Promise<void> {
  const common = commonOf(ask);
  const { args } = ask;
  const pipe = `facets ${countArg(args, 'limit', 10, 1000) || 10} max_values_per_field ${countArg(args, 'max_values_per_field', 1000, 100_000) || 1000} max_value_len ${countArg(args, 'max_value_len', 128, 100_000) || 128}${flag(args, 'keep_const_fields') ? ' keep_const_fields' : ''}`;
  const rows = await rowsOf(ask, common, joinQuery(common.query.filter, [pipe]));
  const byName = Map.groupBy(rows, (row: Row) => row['field_name'] ?? '');
  const found = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const hidden = new Set(listArg(args, 'hidden_fields_filters'));
  answerJson(ask, {
    facets: found
      .filter(([name]) => !hidden.has(name))
      .map(([name, values]) => ({
        field_name: name,
        values: values.map((row) => ({ field_value: row['field_value'] ?? '', hits: Number(row['hits'] ?? 0) })),
      })),
  });
}
