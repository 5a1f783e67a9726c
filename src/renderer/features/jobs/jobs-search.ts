import { isOneOf } from '../../../lib/is-one-of.ts';
import { type Environment, type JobStatus, ENVIRONMENTS, JOB_STATUSES } from '../../../contract/vocabulary.ts';
import { instantIn, textIn, textsIn, wordIn, wordsIn } from '../../ui/search-params.ts';

/** Ranges of the creation time that end now. */
export const CREATED = ['15m', '1h', '24h', '7d'] as const;
export type Created = (typeof CREATED)[number];

/** Columns that can be hidden; id and status always show. */
export const JOB_COLUMNS = [
  'externalId',
  'workflow',
  'environment',
  'commit',
  'counters',
  'kind',
  'inputs',
  'lineage',
  'labels',
  'priority',
  'created',
  'duration',
] as const;
export type JobColumn = (typeof JOB_COLUMNS)[number];
/** Hidden until chosen. */
export const HIDDEN_COLUMNS: readonly JobColumn[] = ['kind', 'inputs', 'lineage', 'labels', 'priority'];

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
  status?: JobStatus[];
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
  created?: Created;
  /** ISO times; they count where `created` is absent. */
  from?: string;
  to?: string;
  sort?: string;
  /** Row at the upper edge, counted from 0. */
  row?: number;
  /** Hidden columns, where they differ from the usual. */
  hide?: JobColumn[];
  /** Columns in their order, where it differs from the usual. */
  order?: JobColumn[];
}

export function parseJobsSearch(input: Record<string, unknown>): JobsSearch {
  return {
    ...wordsIn(input, 'status', JOB_STATUSES),
    ...textIn(input, 'workflow'),
    ...textIn(input, 'project'),
    ...wordIn(input, 'environment', ENVIRONMENTS),
    ...textIn(input, 'q'),
    ...textsIn(input, 'label'),
    ...textsIn(input, 'input'),
    ...textIn(input, 'text'),
    ...textIn(input, 'failureGroup'),
    ...wordIn(input, 'created', CREATED),
    ...instantIn(input, 'from'),
    ...instantIn(input, 'to'),
    ...wordIn(input, 'sort', SORTS),
    ...rowIn(input),
    ...columnsIn(input),
  };
}

function rowIn(input: Record<string, unknown>): { row?: number } {
  const row = Number(input['row']);
  return Number.isSafeInteger(row) && row > 0 ? { row } : {};
}

/** An empty list of hidden columns is a choice too: every column shows. An order that lacks some has them at its end. */
export function columnsIn(input: Record<string, unknown>): Pick<JobsSearch, 'hide' | 'order'> {
  const { hide, order } = input;
  const named = Array.isArray(order) ? [...new Set(order)].filter((one) => isOneOf(JOB_COLUMNS, one)) : [];
  return {
    ...(Array.isArray(hide) ? { hide: JOB_COLUMNS.filter((column) => hide.includes(column)) } : {}),
    ...(named.length > 0 ? { order: [...named, ...JOB_COLUMNS.filter((column) => !named.includes(column))] } : {}),
  };
}
