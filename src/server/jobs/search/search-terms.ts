import type { JobFilter } from '../../../contract/jobs.ts';
import { invalidAt } from '../../../lib/fault.ts';
import type { QueryTerm, QueryTest } from '../../../lib/job-query/fields.ts';
import { parseField, parsePath, pathKey } from '../../../lib/job-query/field-path.ts';
import { jobQueryTerms } from '../../../lib/job-query/parse.ts';
import { parseJson } from '../../../lib/json.ts';
import { fieldKey, plainText, wordsOf, type Terms } from './terms.ts';
import type { Clause, Matcher, SearchTerms } from './port.ts';

/** Null where the filter searches nothing. Throws VALIDATION_FAILED, QUERY_INVALID. */
export function searchTermsOf({ label = [], input = [], text, query }: JobFilter): SearchTerms | null {
  const words = text === undefined ? [] : [...new Set(wordsOf(text, text.length))];
  if (text !== undefined && words.length === 0)
    throw invalidAt('/text', 'text must contain a word of letters or digits', 'must contain a word');
  const clauses: Clause[] = [
    ...label.map((one) => all(labelMatcher(one))),
    ...input.map((one) => all(inputMatcher(one))),
    ...(words.length > 0 ? [all({ kind: 'words', words })] : []),
    ...(query === undefined ? [] : jobQueryTerms(query).flatMap(clauseOf)),
  ];
  return clauses.length === 0 ? null : clauses;
}

const all = (matcher: Matcher): Clause => ({ not: false, any: [matcher] });

function labelMatcher(text: string): Matcher {
  const at = text.indexOf('=');
  return at < 0
    ? { kind: 'label', key: text, test: { op: 'exists' } }
    : { kind: 'label', key: text.slice(0, at), test: { op: 'is', value: text.slice(at + 1) } };
}

function inputMatcher(text: string): Matcher {
  const { path, value } = parseField(text);
  return fieldMatcher(path, { op: 'is', value });
}

function fieldMatcher(path: readonly string[], test: QueryTest): Matcher {
  const key = pathKey(path);
  return { kind: 'field', path: key, test, keys: test.op === 'is' ? keysOf(key, test.value) : null };
}

function clauseOf({ field, name, not, tests }: QueryTerm): Clause[] {
  if (field === 'label' && name !== null)
    return [{ not, any: tests.map((test) => ({ kind: 'label', key: name, test })) }];
  if (field === 'input' && name !== null)
    return [{ not, any: tests.map((test) => fieldMatcher(parsePath(name), test)) }];
  if (field !== 'text') return [];
  return [
    {
      not,
      any: tests.flatMap((test) =>
        test.op === 'is' ? [{ kind: 'words', words: [...new Set(wordsOf(test.value, test.value.length))] }] : [],
      ),
    },
  ];
}

function keysOf(key: string, value: string): string[] {
  const plain = otherText(value);
  return [fieldKey(key, 'text', value), ...(plain === null ? [] : [fieldKey(key, 'other', plain)])];
}

/** A value that reads as a number, true, false or null, in the form that the index has it. */
function otherText(value: string): string | null {
  if (!/^(?:-?\d|true$|false$|null$)/.test(value)) return null;
  try {
    return plainText(parseJson(value));
  } catch {
    return null;
  }
}

/** True where the tokens of the index decide; else they only narrow, and the values themselves must be read. */
export const isDecided = ({ any }: Clause): boolean =>
  any.every((one) => one.kind === 'words' || one.test.op === 'is' || one.test.op === 'exists');

/** The same decision from a job's own terms: the index is a hint, these decide. */
export const meetsTerms = (ask: SearchTerms, labels: Readonly<Record<string, string>>, terms: () => Terms): boolean =>
  ask.every((clause) => meetsClause(clause, labels, terms) !== clause.not);

/** Whether one of its matchers meets, negated or not. */
export const meetsClause = ({ any }: Clause, labels: Readonly<Record<string, string>>, terms: () => Terms): boolean =>
  any.some((matcher) => meets(matcher, labels, terms));

function meets(matcher: Matcher, labels: Readonly<Record<string, string>>, terms: () => Terms): boolean {
  if (matcher.kind === 'label') {
    const value = Object.hasOwn(labels, matcher.key) ? labels[matcher.key] : undefined;
    return value !== undefined && meetsTest(matcher.test, value);
  }
  if (matcher.kind === 'words') return matcher.words.every((word) => terms().words.has(word));
  const { path, keys, test } = matcher;
  if (keys !== null) return keys.some((key) => terms().fields.has(key));
  if (test.op === 'exists') return terms().paths.has(path);
  return terms().scalars.some((one) => one.key === path && meetsTest(test, one.text));
}

/** Numbers are compared as numbers, other values as texts: dates in ISO form come in their order. */
function meetsTest(test: QueryTest, value: string): boolean {
  switch (test.op) {
    case 'exists':
      return true;
    case 'is':
      return value === test.value;
    case 'contains':
      return value.toLowerCase().includes(test.value.toLowerCase());
    case 'range':
      return order(value, test.from) >= 0 && order(value, test.to) <= 0;
    case '>':
      return order(value, test.value) > 0;
    case '>=':
      return order(value, test.value) >= 0;
    case '<':
      return order(value, test.value) < 0;
    case '<=':
      return order(value, test.value) <= 0;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Not a number where one is a number and the other is none: then no comparison holds. */
function order(a: string, b: string): number {
  const numbers = [NUMBER.test(a), NUMBER.test(b)];
  if (numbers[0] && numbers[1]) return Number(a) - Number(b);
  if (numbers[0] || numbers[1]) return Number.NaN;
  return a < b ? -1 : a > b ? 1 : 0;
}
