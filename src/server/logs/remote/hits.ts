import type { LogHits } from '../../../contract/logs.ts';
import { parseJson } from '../../../lib/json.ts';
import {
  add,
  BUCKETS,
  DEFAULT_BUCKETS,
  DEFAULT_STEP_MS,
  filled,
  refuseTooMany,
  SERIES,
  type Series,
} from '../hit-buckets.ts';
import type { LogRange } from '../port.ts';
import type { HitsQuery } from '../store/read/hits.ts';
import type { LogsClient } from './client.ts';
import { piped, questionOf, type RemoteQuery } from './query.ts';

interface Answer {
  readonly hits: readonly {
    readonly fields: Readonly<Record<string, string>>;
    readonly timestamps: readonly string[];
    readonly values: readonly number[];
  }[];
}

/** How many lines there are in each step of time, counted where they are. */
export async function remoteHits(
  client: Pick<LogsClient, 'json' | 'lines'>,
  query: HitsQuery,
  now: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<LogHits> {
  const question = questionOf(query, now, timeoutMs);
  const { field } = query;
  const range = await whole(client, question, question.range, signal);
  if (range === null) return { hits: [] };
  const base = Math.max(1, Math.round(query.stepMs ?? DEFAULT_STEP_MS));
  const buckets = Math.floor((range.to - 1) / base) - Math.floor(range.from / base) + 1;
  const step = query.stepMs === null ? base * Math.max(1, Math.ceil(buckets / (DEFAULT_BUCKETS - 1))) : base;
  if (query.stepMs !== null && buckets > BUCKETS) {
    // A long time without a line is no fault of the step.
    if ((await timesOf(client, question, signal)) === null) return { hits: [] };
    refuseTooMany(buckets);
  }
  const answer = await client.json<Answer>(
    'hits',
    question,
    {
      step: `${step}ms`,
      fields_limit: String(SERIES),
      ...(field === undefined ? {} : { field }),
    },
    signal,
  );
  const series: Series = new Map();
  for (const { fields, timestamps, values } of answer.hits) {
    // What has no series of its own has no field either.
    const value = field === undefined ? '' : (fields[field] ?? '');
    const counts = series.get(value) ?? new Map<number, number>();
    series.set(value, counts);
    // Steps without a line are told by some versions only.
    for (const [i, at] of timestamps.entries())
      if ((values[i] ?? 0) > 0) add(counts, Math.floor(Date.parse(at) / step), values[i] ?? 0);
    if (counts.size === 0) series.delete(value);
  }
  return { hits: filled(series, field, step, query) };
}

/** The time that is asked for; where it is open, that of the lines. Null: there are none. */
async function whole(
  client: Pick<LogsClient, 'lines'>,
  question: RemoteQuery,
  { from, to }: LogRange,
  signal: AbortSignal,
): Promise<{ from: number; to: number } | null> {
  if (from !== null && to !== null) return { from, to };
  const found = await timesOf(client, question, signal);
  return found === null ? null : { from: from ?? found.from, to: to ?? found.to + 1 };
}

/** Unix ms of the first and the last line; null: there are none. */
export async function timesOf(
  client: Pick<LogsClient, 'lines'>,
  question: RemoteQuery,
  signal: AbortSignal,
): Promise<{ from: number; to: number } | null> {
  for await (const lines of client.lines(piped(question, 'stats min(_time) as first, max(_time) as last'), signal))
    for (const line of lines) {
      const { first = '', last = '' } = parseJson<{ first?: string; last?: string }>(line);
      const [from, to] = [Date.parse(first), Date.parse(last)];
      return Number.isNaN(from) || Number.isNaN(to) ? null : { from, to };
    }
  return null;
}
