import { DISPLAY_STATUSES, ENVIRONMENTS, JOB_KINDS, TRIGGER_KINDS } from '../../contract/vocabulary.ts';

/**
 * What the values of a field are. `word`: one of a closed set; `text`: compared whole, `~` looks inside; `prose`: always looked
 * inside; `words`: whole words of the inputs; `value`: of an input or a label, compared as a number where both are one.
 */
export type FieldKind = 'word' | 'text' | 'prose' | 'words' | 'number' | 'duration' | 'time' | 'value';

export interface FieldInfo {
  readonly kind: FieldKind;
  readonly words?: readonly string[];
  /** Each job has it: asking whether it is there makes no sense. */
  readonly always?: true;
  /** Behind a dot comes a name: a path in the input, or the key of a label. */
  readonly named?: 'path' | 'key';
  /** Of a number: a whole one, from 0, in digits. */
  readonly whole?: true;
  /** One value, and not negated: the master looks it up elsewhere. */
  readonly single?: true;
  /** One exact value or several, and not negated. */
  readonly several?: true;
}

/** What can be written in a query line: of jobs, or of another list. */
export interface QueryLanguage<F extends string> {
  readonly fields: Readonly<Record<F, FieldInfo>>;
  /** Other ways to write a field. */
  readonly aliases: Readonly<Record<string, F>>;
  /** The field of words that stand by themselves. */
  readonly words: F;
}

const lower = (words: readonly string[]): readonly string[] => words.map((word) => word.toLowerCase());

/** The fields of the query line, in the order in which they are offered. */
export const QUERY_FIELDS = {
  status: { kind: 'word', words: lower(DISPLAY_STATUSES), always: true },
  workflow: { kind: 'text', always: true },
  environment: { kind: 'word', words: ENVIRONMENTS },
  input: { kind: 'value', named: 'path' },
  label: { kind: 'value', named: 'key' },
  error: { kind: 'prose' },
  code: { kind: 'text' },
  node: { kind: 'text' },
  duration: { kind: 'duration' },
  age: { kind: 'duration', always: true },
  attempts: { kind: 'number', always: true },
  worker: { kind: 'text' },
  version: { kind: 'text', always: true },
  id: { kind: 'text', always: true },
  externalId: { kind: 'text' },
  trigger: { kind: 'word', words: TRIGGER_KINDS, always: true },
  triggerId: { kind: 'text' },
  kind: { kind: 'word', words: JOB_KINDS, always: true },
  text: { kind: 'words', always: true },
  inputs: { kind: 'number', always: true },
  priority: { kind: 'number', always: true },
  created: { kind: 'time', always: true },
  finished: { kind: 'time' },
  project: { kind: 'text', always: true, single: true },
  failure: { kind: 'text', always: true, single: true },
  trace: { kind: 'text', always: true, single: true },
} as const satisfies Readonly<Record<string, FieldInfo>>;
export type QueryField = keyof typeof QUERY_FIELDS;
export const QUERY_FIELD_NAMES = Object.keys(QUERY_FIELDS) as QueryField[];
export const fieldInfo = (field: QueryField): FieldInfo => QUERY_FIELDS[field];

const ALIASES: Readonly<Record<string, QueryField>> = {
  env: 'environment',
  state: 'status',
  commit: 'version',
  attempt: 'attempts',
  external_id: 'externalId',
  group: 'failure',
};

export const JOB_LANGUAGE: QueryLanguage<QueryField> = { fields: QUERY_FIELDS, aliases: ALIASES, words: 'text' };

export const fieldNames = <F extends string>({ fields }: QueryLanguage<F>): F[] => Object.keys(fields) as F[];

/** The field of that name, whatever its case; null: there is none. */
export function findField<F extends string>(language: QueryLanguage<F>, name: string): F | null {
  const low = name.toLowerCase();
  return fieldNames(language).find((field) => field.toLowerCase() === low) ?? language.aliases[low] ?? null;
}

/** One test of a value. The values of a term are tests of which one must hold. */
export type QueryTest =
  | { readonly op: 'exists' }
  | { readonly op: 'is' | 'contains' | '>' | '>=' | '<' | '<='; readonly value: string }
  | { readonly op: 'range'; readonly from: string; readonly to: string };

/** One condition of a query; all of them must hold. `name`: the path in an input, or the key of a label. */
export interface QueryTerm<F extends string = QueryField> {
  readonly not: boolean;
  readonly field: F;
  readonly name: string | null;
  readonly tests: readonly QueryTest[];
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/;

/** Milliseconds; null: it is no duration. */
export function queryDuration(text: string): number | null {
  const [, digits, unit = ''] = DURATION.exec(text.toLowerCase()) ?? [];
  return digits === undefined ? null : Number(digits) * (UNITS[unit] ?? 0);
}

/** A number as it is written in a query; null: it is none. */
export const queryNumber = (text: string): number | null => (/^-?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : null);

/** A date, or a date and a time; without a zone it is UTC. Null: it is none. */
export function queryTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i.test(text)) return null;
  const iso = text.replace(' ', 'T');
  const at = Date.parse(/T/i.test(iso) && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? `${iso}Z` : iso);
  return Number.isNaN(at) ? null : at;
}

/** The milliseconds that a time names: of a date the whole day. */
export const timeSpan = (text: string): number => (/[T ]/i.test(text) ? 1 : 86_400_000);
