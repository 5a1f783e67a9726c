import { isOneOf } from '../../../lib/is-one-of.ts';
import {
  type DisplayStatus,
  type Environment,
  type TriggerKind,
  DISPLAY_STATUSES,
  ENVIRONMENTS,
  TRIGGER_KINDS,
} from '../../../contract/vocabulary.ts';
import type { QueryTerm } from '../../../lib/job-query/fields.ts';
import { parseJobQuery } from '../../../lib/job-query/parse.ts';
import { printJobQuery } from '../../../lib/job-query/print.ts';
import { splitTerms, termsOfFilters, type SimpleFilters } from '../../../lib/job-query/split.ts';
import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { instantIn, textIn, textsIn, wordIn, wordsIn, type SearchChange } from '../../ui/search-params.ts';

/** Ranges of the creation time that end now. */
export const CREATED = ['15m', '1h', '24h', '7d'] as const;
export type Created = (typeof CREATED)[number];

/** Columns that can be hidden; id and status always show. */
export const JOB_COLUMNS = [
  'externalId',
  'workflow',
  'environment',
  'commit',
  'error',
  'counters',
  'kind',
  'trigger',
  'inputs',
  'lineage',
  'labels',
  'priority',
  'created',
  'duration',
] as const;
export type JobColumn = (typeof JOB_COLUMNS)[number];
/** Hidden until chosen. */
export const HIDDEN_COLUMNS: readonly JobColumn[] = [
  'commit',
  'kind',
  'trigger',
  'inputs',
  'lineage',
  'labels',
  'priority',
];

const SORTS = [
  'createdAt',
  'updatedAt',
  'finishedAt',
  'durationMs',
  'status',
  'workflowId',
  'environment',
  'externalId',
  'id',
].flatMap((field) => [`${field},asc`, `${field},desc`]);

/** View state of the job list, all of it in the URL. */
export interface JobsSearch {
  status?: DisplayStatus[];
  workflow?: string;
  /** ID of a project. */
  project?: string;
  environment?: Environment;
  q?: string;
  /** `name=value` each. */
  label?: string[];
  /** `path=value` each. */
  input?: string[];
  /** Words in the input. */
  text?: string;
  /** Id of a group of failures. */
  failureGroup?: string;
  trigger?: TriggerKind[];
  /** ID of a schedule or a webhook. */
  triggerId?: string;
  created?: Created;
  /** ISO times; they count where `created` is absent. */
  from?: string;
  to?: string;
  /** What no other filter says, as a query. */
  query?: string;
  sort?: string;
  /** Row at the upper edge, counted from 0. */
  row?: number;
  /** Hidden columns, where they differ from the usual. */
  hide?: JobColumn[];
  /** Columns in their order, where it differs from the usual. */
  order?: JobColumn[];
}

export function parseJobsSearch(input: Record<string, unknown>): JobsSearch {
  return spread({
    ...wordsIn(input, 'status', DISPLAY_STATUSES),
    ...textIn(input, 'workflow'),
    ...textIn(input, 'project'),
    ...wordIn(input, 'environment', ENVIRONMENTS),
    ...textIn(input, 'q'),
    ...textsIn(input, 'label'),
    ...textsIn(input, 'input'),
    ...textIn(input, 'text'),
    ...textIn(input, 'failureGroup'),
    ...wordsIn(input, 'trigger', TRIGGER_KINDS),
    ...textIn(input, 'triggerId'),
    ...wordIn(input, 'created', CREATED),
    ...instantIn(input, 'from'),
    ...instantIn(input, 'to'),
    ...wordIn(input, 'sort', SORTS),
    ...rowIn(input),
    ...columnsIn(input),
    ...textIn(input, 'query'),
  });
}

function rowIn(input: Record<string, unknown>): { row?: number } {
  const row = Number(input['row']);
  return Number.isSafeInteger(row) && row > 0 ? { row } : {};
}

/** An empty list of hidden columns is a choice too: every column shows. An order that lacks some has them at its end. */
export function columnsIn(input: Record<string, unknown>): Pick<JobsSearch, 'hide' | 'order'> {
  const { hide, order } = input;
  const named = [...new Set(listOf(order))].filter((one) => isOneOf(JOB_COLUMNS, one));
  const hidden = listOf(hide);
  return {
    ...(hidden ? { hide: JOB_COLUMNS.filter((column) => hidden.includes(column)) } : {}),
    ...(named.length > 0 ? { order: [...named, ...JOB_COLUMNS.filter((column) => !named.includes(column))] } : {}),
  };
}

/** One column alone is a list too. */
const listOf = (value: unknown): unknown[] | undefined =>
  Array.isArray(value) ? value : isOneOf(JOB_COLUMNS, value) ? [value] : undefined;

/** The filters of the view as terms of a query line, and behind them what only a query says. Null: that is broken (in a link). */
function termsOf(search: JobsSearch): readonly QueryTerm[] | null {
  const { status, workflow, project, environment, q, label, input, text, failureGroup, trigger, triggerId } = search;
  const rest = parseJobQuery(search.query ?? '');
  if (!rest.ok) return null;
  const filters: SimpleFilters = withoutUndefined({
    status,
    workflow,
    project,
    environment,
    id: q,
    label,
    input,
    text,
    failure: failureGroup,
    trigger,
    triggerId,
    ...(search.created ? { age: search.created } : { from: search.from, to: search.to }),
  });
  return [...termsOfFilters(filters), ...rest.terms];
}

/** All filters of the view in one line. */
export function lineOf(search: JobsSearch): string {
  const terms = termsOf(search);
  if (terms !== null) return printJobQuery(terms);
  const { query: _query, ...others } = search;
  return `${lineOf(others)} ${search.query ?? ''}`.trim();
}

/** The terms that no field or button of the page shows. */
export function restTerms({ query = '' }: Pick<JobsSearch, 'query'>): readonly QueryTerm[] {
  const parsed = parseJobQuery(query);
  return parsed.ok ? parsed.terms : [];
}

/** No filter at all. */
export const NO_FILTERS = {
  status: undefined,
  workflow: undefined,
  project: undefined,
  environment: undefined,
  q: undefined,
  label: undefined,
  input: undefined,
  text: undefined,
  failureGroup: undefined,
  trigger: undefined,
  triggerId: undefined,
  created: undefined,
  from: undefined,
  to: undefined,
  query: undefined,
} as const satisfies { readonly [K in keyof JobsSearch]?: undefined };

/** The filters that a line says: where a field or a button of the page says it as well, it is that one. Null: it is broken. */
export function filtersOfLine(line: string): SearchChange<Pick<JobsSearch, keyof typeof NO_FILTERS>> | null {
  const parsed = parseJobQuery(line);
  if (!parsed.ok) return null;
  const { filters, rest } = splitTerms(parsed.terms, (key) => key === 'externalId' || key === 'trace');
  const { status, trigger, label, input, id, failure, age, workflow, project, environment, text, triggerId } = filters;
  const created = CREATED.find((one) => one === age);
  const others = [...rest, ...(age !== undefined && created === undefined ? termsOfFilters({ age }) : [])];
  return {
    ...NO_FILTERS,
    ...withoutUndefined({
      status: status && [...status],
      trigger: trigger && [...trigger],
      label: label && [...label],
      input: input && [...input],
      q: id,
      failureGroup: failure,
      created,
      from: filters.from,
      to: filters.to,
      workflow,
      project,
      environment,
      text,
      triggerId,
      query: others.length === 0 ? undefined : printJobQuery(others),
    }),
  };
}

/** A link may say all of it as a query: what a field shows goes there, as long as that field says nothing yet. */
function spread(search: JobsSearch): JobsSearch {
  if (search.query === undefined) return search;
  const { query: _query, ...others } = search;
  const found = filtersOfLine(`${lineOf(others)} ${search.query}`);
  return found === null ? search : { ...others, ...withoutUndefined(found) };
}
