import type { DisplayStatus, Environment, TriggerKind } from '../../contract/vocabulary.ts';
import { DISPLAY_STATUSES, ENVIRONMENTS, TRIGGER_KINDS } from '../../contract/vocabulary.ts';
import { isOneOf } from '../is-one-of.ts';
import { queryTime, timeSpan, type QueryField, type QueryTerm, type QueryTest } from './fields.ts';
import { parseField, pathText } from './field-path.ts';

/** What the filters of the list can say of a query, one value each where it is no list. */
export interface SimpleFilters {
  readonly status?: readonly DisplayStatus[];
  readonly workflow?: string;
  readonly project?: string;
  readonly environment?: Environment;
  readonly externalId?: string;
  /** A prefix of the ID or the external ID. */
  readonly id?: string;
  readonly trigger?: readonly TriggerKind[];
  readonly triggerId?: string;
  readonly failure?: string;
  readonly trace?: string;
  /** `key` or `key=value` each. */
  readonly label?: readonly string[];
  /** `path=value` each. */
  readonly input?: readonly string[];
  readonly text?: string;
  /** ISO times, both in the range. */
  readonly from?: string;
  readonly to?: string;
  /** Created at most so long ago; a duration as it is written. */
  readonly age?: string;
}

type Draft = { -readonly [K in keyof SimpleFilters]: SimpleFilters[K] };

/** Fields that are one text. */
const TEXTS = ['workflow', 'project', 'externalId', 'id', 'triggerId', 'failure', 'trace'] as const;

/**
 * Parts the terms that a filter of the list says just as well from those that only a query can say. `has`: filters that are
 * taken already, or that the caller has no place for; lists are added to.
 */
export function splitTerms(
  terms: readonly QueryTerm[],
  has: (key: keyof SimpleFilters) => boolean = () => false,
): { readonly filters: SimpleFilters; readonly rest: readonly QueryTerm[] } {
  const filters: Draft = {};
  const rest = terms.filter((term) => !takeTerm(filters, term, has));
  return { filters, rest };
}

function takeTerm(into: Draft, { not, field, name, tests }: QueryTerm, has: (key: keyof SimpleFilters) => boolean) {
  if (not) return false;
  const free = (key: keyof SimpleFilters) => into[key] === undefined && !has(key);
  const values = tests.flatMap((test) => (test.op === 'is' ? [test.value] : []));
  const exact = values.length === tests.length;
  const [value] = values;
  const only = exact && values.length === 1 ? value : undefined;
  if (field === 'status' && exact && free('status')) {
    into.status = DISPLAY_STATUSES.filter((one) => values.includes(one.toLowerCase()));
    return true;
  }
  if (field === 'trigger' && exact && free('trigger')) {
    into.trigger = TRIGGER_KINDS.filter((one) => values.includes(one));
    return true;
  }
  if (field === 'created') return takeTimes(into, tests, free);
  const [test] = tests;
  if (field === 'age' && tests.length === 1 && (test?.op === '<=' || test?.op === '<') && free('age') && free('from')) {
    into.age = test.value;
    return true;
  }
  if (field === 'label' && name !== null && tests.length === 1 && test?.op === 'exists') {
    if (has('label')) return false;
    into.label = [...(into.label ?? []), name];
    return true;
  }
  if (only === undefined) return false;
  if (field === 'environment' && isOneOf(ENVIRONMENTS, only) && free('environment')) {
    into.environment = only;
    return true;
  }
  if ((field === 'label' || field === 'input') && name !== null && !has(field)) {
    into[field] = [...(into[field] ?? []), `${name}=${only}`];
    return true;
  }
  if (field === 'text' && !has('text')) {
    into.text = into.text === undefined ? only : `${into.text} ${only}`;
    return true;
  }
  if (isOneOf(TEXTS, field) && free(field)) {
    into[field] = only;
    return true;
  }
  return false;
}

/** Whole ranges of creation, both ends in them. */
function takeTimes(into: Draft, tests: readonly QueryTest[], free: (key: 'from' | 'to' | 'age') => boolean): boolean {
  const [test] = tests;
  if (tests.length !== 1 || test === undefined || !free('age')) return false;
  const low = test.op === '>=' ? test.value : test.op === 'range' ? test.from : null;
  const high = test.op === '<=' ? test.value : test.op === 'range' ? test.to : null;
  if ((low === null && high === null) || (low !== null && !free('from')) || (high !== null && !free('to')))
    return false;
  if (low !== null) into.from = new Date(queryTime(low) ?? 0).toISOString();
  if (high !== null) into.to = new Date((queryTime(high) ?? 0) + timeSpan(high) - 1).toISOString();
  return true;
}

const is = (value: string): readonly QueryTest[] => [{ op: 'is', value }];
const term = (field: QueryField, tests: readonly QueryTest[], name: string | null = null): QueryTerm => ({
  not: false,
  field,
  name,
  tests,
});

/** The filters of a list as terms of a query. What no query can say (a path that is none) is left out. */
export function termsOfFilters(filters: SimpleFilters): QueryTerm[] {
  const { status, environment, trigger, label = [], input = [], text, from, to, age } = filters;
  const terms: QueryTerm[] = [];
  if (status && status.length > 0)
    terms.push(
      term(
        'status',
        status.flatMap((one) => is(one.toLowerCase())),
      ),
    );
  for (const field of TEXTS) {
    const value = filters[field];
    if (value !== undefined && value !== '') terms.push(term(field, is(value)));
  }
  if (environment !== undefined) terms.push(term('environment', is(environment)));
  if (trigger && trigger.length > 0) terms.push(term('trigger', trigger.flatMap(is)));
  for (const pair of label) {
    const at = pair.indexOf('=');
    terms.push(
      at < 0 ? term('label', [{ op: 'exists' }], pair) : term('label', is(pair.slice(at + 1)), pair.slice(0, at)),
    );
  }
  for (const pair of input) {
    const field = inputField(pair);
    if (field) terms.push(term('input', is(field.value), field.path));
  }
  if (text !== undefined && /[\p{L}\p{N}]/u.test(text)) terms.push(term('text', is(text)));
  if (age !== undefined) terms.push(term('age', [{ op: '<=', value: age }]));
  else if (from !== undefined && to !== undefined) terms.push(term('created', [{ op: 'range', from, to }]));
  else if (from !== undefined) terms.push(term('created', [{ op: '>=', value: from }]));
  else if (to !== undefined) terms.push(term('created', [{ op: '<=', value: to }]));
  return terms;
}

function inputField(pair: string): { path: string; value: string } | null {
  try {
    const { path, value } = parseField(pair);
    return path.length === 0 ? null : { path: pathText(path), value };
  } catch {
    return null;
  }
}

/** True where a query looks into the inputs of jobs. */
export const searchesInputs = (terms: readonly QueryTerm[]): boolean =>
  terms.some(({ field }) => field === 'input' || field === 'text');

/** True where a query needs the index of the search. */
export const usesIndex = (terms: readonly QueryTerm[]): boolean =>
  terms.some(({ field }) => field === 'input' || field === 'text' || field === 'label');
