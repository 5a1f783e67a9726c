import type { ProjectionExtra } from '../../../contract/vocabulary.ts';

/**
 * What the projection holds of the working copy. Columns have the names that they have there. Inputs, outputs, definitions, secrets,
 * tokens and people's addresses are in none of them.
 */

export type ColumnType = 'text' | 'integer' | 'boolean' | 'time' | 'json';

export interface ProjectedColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Empty unless this is asked for: it may hold parts of inputs and outputs. */
  readonly only?: ProjectionExtra;
}

export interface ProjectedTable {
  readonly name: string;
  /** Of one column, and never changed in a row. */
  readonly key: string;
  readonly columns: readonly ProjectedColumn[];
}

const columns = (type: ColumnType, ...names: string[]): ProjectedColumn[] => names.map((name) => ({ name, type }));
const extra = (only: ProjectionExtra, type: ColumnType, name: string): ProjectedColumn => ({ name, type, only });

export const PROJECTED_TABLES: readonly ProjectedTable[] = [
  { name: 'project', key: 'id', columns: [...columns('text', 'id', 'name'), ...columns('time', 'created_at')] },
  {
    name: 'workflow',
    key: 'id',
    columns: [
      ...columns('text', 'id', 'name', 'description', 'project'),
      ...columns('time', 'created_at', 'updated_at', 'archived_at'),
    ],
  },
  {
    name: 'version',
    key: 'seq',
    columns: [
      ...columns('integer', 'seq'),
      ...columns('text', 'hash', 'workflow_id', 'parent', 'message', 'author_name'),
      ...columns('time', 'created_at'),
    ],
  },
  {
    name: 'publication',
    key: 'id',
    columns: [
      ...columns('text', 'id', 'workflow_id', 'environment', 'hash', 'previous_hash', 'description', 'published_by'),
      ...columns('time', 'published_at'),
    ],
  },
  {
    name: 'job',
    key: 'seq',
    columns: [
      ...columns('integer', 'seq'),
      ...columns('text', 'id', 'external_id', 'workflow_id', 'environment', 'commit_hash', 'kind', 'status'),
      ...columns('integer', 'input_count', 'priority', 'duration_ms'),
      ...columns('time', 'created_at', 'updated_at', 'finished_at', 'killed_at', 'failure_at'),
      ...columns('integer', 'ready', 'scheduled', 'running', 'completed', 'failed', 'schedule_timeout', 'run_timeout'),
      ...columns('text', 'failure_task', 'failure_node', 'failure_code', 'rerun_of', 'rerun_node', 'parent_job_id'),
      extra('messages', 'text', 'failure_message'),
      extra('labels', 'json', 'labels'),
    ],
  },
  {
    name: 'task',
    key: 'seq',
    columns: [
      ...columns('integer', 'seq', 'job'),
      ...columns('text', 'id', 'node', 'type', 'state', 'worker_id', 'port', 'error_code'),
      ...columns('integer', 'replica', 'item', 'attempt', 'retry_count'),
      ...columns('time', 'ready_at', 'scheduled_at', 'started_at', 'finished_at', 'retry_at'),
      ...columns('boolean', 'error_retryable'),
      extra('messages', 'text', 'error_message'),
    ],
  },
];

/** Made of the rows of `task` (attempts.ts): all attempts of a task are written where its row changes. */
export const ATTEMPT_TABLE = {
  name: 'attempt',
  key: ['task', 'attempt'],
  columns: [
    ...columns('integer', 'task', 'attempt'),
    ...columns('text', 'state', 'worker_id', 'error_code'),
    ...columns('time', 'ready_at', 'scheduled_at', 'started_at', 'finished_at'),
    ...columns('boolean', 'error_retryable'),
    extra('messages', 'text', 'error_message'),
  ],
} as const;

/** Rows as they go to PostgreSQL, of one table. */
export interface ProjectedRows {
  readonly table: string;
  /** A JSON array of objects. */
  readonly rows: string;
  /** A JSON array of keys whose rows are no more; of tasks whose attempts are `rows` alone. */
  readonly gone: string;
}

/** The values of a row of the working copy, as PostgreSQL takes them from JSON. */
export function projectedRow(
  table: Pick<ProjectedTable, 'columns'>,
  row: Readonly<Record<string, unknown>>,
  extras: readonly ProjectionExtra[],
): Record<string, unknown> {
  return Object.fromEntries(
    table.columns.map(({ name, type, only }) => [
      name,
      only !== undefined && !extras.includes(only) ? null : projectedValue(type, row[name] ?? null),
    ]),
  );
}

function projectedValue(type: ColumnType, value: unknown): unknown {
  if (value === null) return null;
  switch (type) {
    case 'time':
      return new Date(Number(value)).toISOString();
    case 'boolean':
      return value !== 0;
    case 'json':
      return withoutNul(JSON.parse(String(value)));
    case 'text':
      return textOf(String(value));
    case 'integer':
      return value;
  }
}

/** PostgreSQL keeps no NUL in a text. */
const textOf = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return value.map(withoutNul);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [textOf(name), withoutNul(one)]));
}
