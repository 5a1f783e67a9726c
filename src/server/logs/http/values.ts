import { nameText } from '../../../lib/logsql/quote.ts';
import { answerJson, Refusal } from './answer.ts';
import type { LogQueryRequest } from './port.ts';
import { commonOf, countArg } from './query-args.ts';
import { joinQuery } from './query-text.ts';
import { rowsOf } from './rows.ts';

interface Value {
  value: string;
  hits: number;
}

/** Runs the query with one more pipe; `read` gives the value of a row. */
async function found(ask: LogQueryRequest, pipe: string, column: string): Promise<Value[]> {
  const common = commonOf(ask);
  const rows = await rowsOf(ask, common, joinQuery(common.query.filter, [...common.query.pipes, pipe]));
  return rows.map((row) => ({ value: row[column] ?? '', hits: Number(row['hits'] ?? 0) }));
}

/** Most hits first, then by value. Beyond `limit` it is not known which ones would be first, so hits are 0. */
function answer(ask: LogQueryRequest, values: Value[]): void {
  const filter = ask.args.get('filter') ?? '';
  const limit = countArg(ask.args, 'limit', 0, Number.MAX_SAFE_INTEGER);
  const kept = values
    .filter(({ value }) => value.includes(filter))
    .toSorted((a, b) => b.hits - a.hits || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
  answerJson(ask, {
    values: limit > 0 && kept.length > limit ? kept.slice(0, limit).map(({ value }) => ({ value, hits: 0 })) : kept,
  });
}

export const fieldNames = async (ask: LogQueryRequest): Promise<void> =>
  answer(ask, await found(ask, 'field_names', 'name'));

export async function fieldValues(ask: LogQueryRequest): Promise<void> {
  const field = fieldArg(ask);
  answer(ask, await found(ask, `field_values ${nameText(field)}`, field));
}

export const streams = async (ask: LogQueryRequest): Promise<void> =>
  answer(ask, await found(ask, 'stats by (_stream) count() as hits', '_stream'));
export const streamIds = async (ask: LogQueryRequest): Promise<void> =>
  answer(ask, await found(ask, 'stats by (_stream_id) count() as hits', '_stream_id'));

export async function streamFieldNames(ask: LogQueryRequest): Promise<void> {
  const sums = new Map<string, number>();
  for (const { value, hits } of await found(ask, 'stats by (_stream) count() as hits', '_stream'))
    for (const [name] of labelsOf(value)) sums.set(name, (sums.get(name) ?? 0) + hits);
  answer(
    ask,
    [...sums].map(([value, hits]) => ({ value, hits })),
  );
}

export async function streamFieldValues(ask: LogQueryRequest): Promise<void> {
  const field = fieldArg(ask);
  const sums = new Map<string, number>();
  for (const { value, hits } of await found(ask, 'stats by (_stream) count() as hits', '_stream'))
    for (const [name, label] of labelsOf(value)) if (name === field) sums.set(label, (sums.get(label) ?? 0) + hits);
  answer(
    ask,
    [...sums].map(([value, hits]) => ({ value, hits })),
  );
}

function fieldArg({ args }: LogQueryRequest): string {
  const field = args.get('field');
  if (field === null || field === '') throw new Refusal(400, 'missing `field` query arg');
  return field;
}

/** Names and values of `{a="1",b="2"}`. */
export function labelsOf(stream: string): [string, string][] {
  return [...stream.matchAll(/([^\s{,=]+)="((?:[^"\\]|\\.)*)"/gs)].map(([, name = '', value = '']) => [
    name,
    unquoted(value),
  ]);
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text.replace(/\\(.)/gs, '$1');
  }
}
