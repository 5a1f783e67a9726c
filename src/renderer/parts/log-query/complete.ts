import { LOG_LEVELS } from '../../../contract/vocabulary.ts';
import { quote, type Token, tokensOf, unquote } from './tokens.ts';

export interface Suggestion {
  readonly label: string;
  /** Replaces the query from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  readonly hint: string;
}

const FIELDS: readonly (readonly [name: string, hint: string])[] = [
  ['level', 'how bad it is'],
  ['_msg', 'the message'],
  ['job_id', 'the job it came from'],
  ['task_id', 'the task it came from'],
  ['worker_id', 'the worker that ran it'],
  ['source', 'the program that wrote it'],
  ['_time', 'when it happened, such as _time:5m'],
];
const TIMES: readonly string[] = ['5m', '15m', '1h', '6h', '1d', '7d'];
const OPERATORS: readonly string[] = ['AND', 'OR', 'NOT'];
const MOST = 12;

/** Fields and values that the store has. */
export type SeenValues = ReadonlyMap<string, ReadonlySet<string>>;

/** What fits at the caret: fields, values of a field, or an operator between two filters. */
export function suggest(query: string, caret: number, seen: SeenValues): Suggestion[] {
  const tokens = tokensOf(query);
  const under = tokens.find((token) => token.from < caret && caret <= token.to && (token.kind === 'word' || token.kind === 'phrase' || token.kind === 'field' || token.kind === 'operator'));
  const before = tokens.filter((token) => token.to <= (under?.from ?? caret)).at(-1);
  const from = under?.from ?? caret;
  // The caret may stand inside a word: what it completes is the whole word.
  const to = under?.to ?? caret;
  const typed = under ? unquote(query.slice(under.from, caret)) : '';
  if (before?.kind === 'colon' && before.to === from) return valuesOf(fieldBefore(tokens, before), typed, from, to, seen);
  const fields = new Map(FIELDS);
  for (const name of seen.keys()) if (!fields.has(name)) fields.set(name, 'a field of these records');
  const found: Suggestion[] = [...fields].filter(([name]) => fits(name, typed)).map(([name, hint]) => ({ label: `${name}:`, insert: `${quote(name)}:`, from, to: query[to] === ':' ? to + 1 : to, hint }));
  const afterFilter = before !== undefined && (before.kind === 'word' || before.kind === 'phrase' || before.kind === 'range' || before.text === ')');
  const operators = (afterFilter ? OPERATORS : ['NOT']).filter((word) => typed !== '' || afterFilter ? fits(word, typed) : false);
  const words = operators.map((word) => ({ label: word, insert: `${word} `, from, to, hint: 'operator' }));
  return (afterFilter && typed === '' ? [...words, ...found] : [...found, ...words]).filter((one) => one.insert.trim() !== typed).slice(0, MOST);
}

/** The field whose value the caret is in, and what of the value stands before the caret; null: it is in none. */
export function fieldAt(query: string, caret: number): { field: string; typed: string } | null {
  const tokens = tokensOf(query);
  const under = tokens.find((token) => token.from < caret && caret <= token.to && (token.kind === 'word' || token.kind === 'phrase' || token.kind === 'operator'));
  const before = tokens.filter((token) => token.to <= (under?.from ?? caret)).at(-1);
  if (before?.kind !== 'colon' || before.to !== (under?.from ?? caret)) return null;
  return { field: fieldBefore(tokens, before), typed: under ? unquote(query.slice(under.from, caret)) : '' };
}

function valuesOf(field: string, typed: string, from: number, to: number, seen: SeenValues): Suggestion[] {
  const known = field === 'level' ? LOG_LEVELS : field === '_time' ? TIMES : [];
  const values = [...new Set([...known, ...(seen.get(field) ?? [])])];
  return values
    .filter((value) => fits(value, typed) && value !== typed)
    .slice(0, MOST)
    .map((value) => ({ label: value, insert: `${quote(value)} `, from, to, hint: field }));
}

const fieldBefore = (tokens: readonly Token[], colon: Token): string => unquote(tokens[tokens.indexOf(colon) - 1]?.text ?? '');
const fits = (word: string, typed: string): boolean => word.toLowerCase().startsWith(typed.toLowerCase());
