import type { LogValues } from '../../../contract/logs.ts';
import { parseJson } from '../../../lib/json.ts';
import { nameText, quoteText } from '../../../lib/logsql/quote.ts';
import { LINE_ID } from '../line-ids.ts';
import type { ValuesQuery } from '../store/read/values.ts';
import type { LogsClient } from './client.ts';
import { piped, questionOf } from './query.ts';

/** Names that are taken: more than any store has, unless it answers without an end. */
const MOST = 100_000;

/** Names of fields, or values of one, with how many lines have them. Values are counted, cut and sorted where the lines are. */
export async function remoteValues(
  client: Pick<LogsClient, 'lines'>,
  query: ValuesQuery,
  now: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<LogValues> {
  const { field, contains = '', limit } = query;
  const question = questionOf(query, now, timeoutMs);
  const pipes =
    field === undefined
      ? ['field_names']
      : [
          ...(contains === '' ? [] : [`filter ${nameText(field)}:~${quoteText(`(?i)${escaped(contains)}`)}`]),
          `stats by (${nameText(field)}) count() as hits`,
          `sort by (hits desc, ${nameText(field)}) limit ${limit + 1}`,
        ];
  const values: LogValues['values'] = [];
  for await (const lines of client.lines(piped(question, ...pipes), signal)) {
    if (values.length > MOST) break;
    for (const line of lines) {
      const row = parseJson<Record<string, unknown>>(line);
      const value = String(row[field ?? 'name'] ?? '');
      if (field !== undefined || (value !== LINE_ID && value.toLowerCase().includes(contains.toLowerCase())))
        values.push({ value, count: Number(row['hits'] ?? 0) });
    }
  }
  values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  return { values: values.slice(0, limit), complete: values.length <= limit };
}

/** As it stands in a regular expression of RE2. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
