import { LOG_LEVELS } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { complete, type Completion } from '../../../../lib/logsql/complete.ts';
import { nameText, valueText } from '../../../../lib/logsql/quote.ts';

export interface Suggestion {
  readonly label: string;
  /** Replaces the query from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  readonly hint: string;
}

const FIELDS: readonly (readonly [name: string, hint: string])[] = [
  ['level', t('severity')],
  ['_msg', t('the message')],
  ['job_id', t('job that wrote the line')],
  ['task_id', t('task that wrote the line')],
  ['worker_id', t('worker that ran the task')],
  ['source', t('program that wrote the line')],
  ['_time', t('time of the line, for example _time:5m')],
];
const TIMES: readonly string[] = ['5m', '15m', '1h', '6h', '1d', '7d'];
const HINTS = { pipes: 'pipe', functions: 'function', keywords: 'operator' } as const;
const MOST = 12;

/** Fields and values that the store has. */
export type SeenValues = ReadonlyMap<string, ReadonlySet<string>>;

/** What fits at the caret: fields, values of a field, operators, pipes and functions. */
export function suggest(query: string, caret: number, seen: SeenValues): Suggestion[] {
  const at = complete(query, caret);
  const found = at.offers.flatMap((offer): Suggestion[] => {
    if (offer.kind === 'fields') return fieldsOf(query, at, seen);
    if (offer.kind === 'values') return valuesOf(offer.field, at, seen);
    // Behind a filter that has ended, a word begins where something is typed; else it stands right there.
    return offer.names
      .filter((name) => startsWith(name, at.typed))
      .map((name) => ({
        label: named(name),
        insert: offer.kind === 'functions' ? `${name}(` : `${named(name)} `,
        from: at.from,
        to: at.to,
        hint: HINTS[offer.kind],
      }));
  });
  const words = found.filter(({ hint }) => hint === 'operator');
  // Between two filters an operator is likelier than the next field.
  const ordered =
    at.typed === '' && words.some(({ label }) => label === 'AND')
      ? [...words, ...found.filter((one) => !words.includes(one))]
      : found;
  return ordered.filter(({ insert }) => insert.trim() !== query.slice(at.from, at.to)).slice(0, MOST);
}

/** The field whose value the caret is in, and what of the value stands before the caret; null: it is in none. */
export function fieldAt(query: string, caret: number): { field: string; typed: string } | null {
  const { offers, typed } = complete(query, caret);
  const values = offers.find((offer) => offer.kind === 'values');
  return values === undefined ? null : { field: values.field, typed };
}

function fieldsOf(query: string, { from, to, typed }: Completion, seen: SeenValues): Suggestion[] {
  const fields = new Map(FIELDS);
  for (const name of seen.keys()) if (!fields.has(name)) fields.set(name, t('a field of these records'));
  const filter = isFilter(query.slice(0, from));
  return [...fields]
    .filter(([name]) => startsWith(name, typed))
    .map(([name, hint]) =>
      filter
        ? { label: `${name}:`, insert: `${nameText(name)}:`, from, to: query[to] === ':' ? to + 1 : to, hint }
        : { label: name, insert: nameText(name), from, to, hint },
    );
}

/** In a filter a field is followed by its value; in another pipe it stands alone. */
function isFilter(before: string): boolean {
  const last = before.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g, '""').split('|');
  return last.length === 1 || /^\s*(?:filter|where)\b/i.test(last.at(-1) ?? '');
}

function valuesOf(field: string, { from, to, typed }: Completion, seen: SeenValues): Suggestion[] {
  const known = field === 'level' ? LOG_LEVELS : field === '_time' ? TIMES : [];
  const values = [...new Set([...known, ...(seen.get(field) ?? [])])];
  return values
    .filter((value) => value !== typed && value.toLowerCase().includes(typed.toLowerCase()))
    .sort((a, b) => Number(startsWith(b, typed)) - Number(startsWith(a, typed)))
    .map((value) => ({ label: value, insert: `${valueText(value)} `, from, to, hint: field }));
}

const startsWith = (word: string, typed: string): boolean => word.toLowerCase().startsWith(typed.toLowerCase());
/** Operators are written in capitals, as they are in everybody's queries. */
const named = (word: string): string => (/^(?:and|or|not)$/.test(word) ? word.toUpperCase() : word);
