import { type Static, Type } from 'typebox';
import { Count, Instant, many, Nullable, enumOf, PageOf, get, post, tagged, Time, Closed, Json } from './shapes.ts';
import { type DataWarning, warnings } from './data-health.ts';
import { LOG_FORMATS } from './vocabulary.ts';

/** Logs, their pipeline, and the lines that the log store refused for good. */

export const LogRecordSchema = Type.Object(
  {
    _time: Type.String(),
    _msg: Type.String(),
    level: Type.Optional(Type.String()),
    job_id: Type.Optional(Type.String()),
    task_id: Type.Optional(Type.String()),
    worker_id: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);
export type LogRecord = Static<typeof LogRecordSchema> & Record<string, unknown>;
/** Typed with the fields that a sender adds. */
const AnyRecord = Type.Unsafe<LogRecord>(LogRecordSchema);

export const LogSearchSchema = Type.Object({
  query: Type.String(),
  from: Nullable(Time),
  to: Nullable(Time),
  records: Type.Array(AnyRecord),
  nextCursor: Nullable(Type.String()),
  warnings,
});
export type LogSearch = Static<typeof LogSearchSchema>;

export const LogHitsSchema = Type.Object({
  hits: Type.Array(
    Type.Object({
      fields: Type.Record(Type.String(), Type.String()),
      timestamps: Type.Array(Time),
      values: Type.Array(Count),
      total: Count,
    }),
  ),
  warnings,
});
export type LogHits = Static<typeof LogHitsSchema>;

/** What stood around a moment of a log (`GET /api/v1/logs/context`). Both lists are oldest first. */
export const LogContextSchema = Type.Object({
  at: Type.String({ description: 'The requested time, unchanged' }),
  before: Type.Array(AnyRecord),
  after: Type.Array(AnyRecord, { description: 'Starts with the records of exactly that time' }),
  warnings,
});

export type LogContext = { at: string; before: LogRecord[]; after: LogRecord[]; warnings?: DataWarning[] };

/** Names of fields, or values of one, with how many records have them; the most frequent first. */
export const LogValuesSchema = Type.Object({
  values: Type.Array(
    Type.Object({ value: Type.String({ description: 'Empty: records without the field' }), count: Count }),
  ),
  /** False: there are more than were asked for, or the counts are of the newest matches alone. */
  complete: Type.Boolean(),
  warnings,
});
export type LogValues = Static<typeof LogValuesSchema>;

/** Shapes of the log pipeline's dead letters: lines that the log store refused for good. */
export const DeadLetterSchema = Type.Object({
  id: Type.String(),
  at: Time,
  status: Type.Integer({ description: 'HTTP status from the log store' }),
  reason: Type.String(),
  bytes: Type.Integer(),
  line: Type.String({ description: 'The record as JSON text; in lists, only the first 4096 characters' }),
});
export type DeadLetter = Static<typeof DeadLetterSchema>;

/** What the log pipeline counts since it started, and what it holds now. */
export const PipelineStatsSchema = Type.Object({
  accepted: Type.Integer({ description: 'Lines written to the disk queue; they survive a crash' }),
  delivered: Type.Integer({ description: 'Lines acknowledged by the log store' }),
  retried: Type.Integer({ description: 'Failed deliveries of a batch that were or will be retried' }),
  dead: Type.Integer({ description: 'Lines permanently rejected by the log store' }),
  deadDropped: Type.Integer({ description: 'Dead letters deleted to make room for newer ones' }),
  dropped: Type.Integer({ description: 'Lines dropped because the queue was full, if configured' }),
  truncated: Type.Integer({ description: 'Lines truncated at the maximum length' }),
  unparsed: Type.Integer({ description: 'Lines that were not JSON and were stored as text' }),
  forged: Type.Integer({ description: 'Lines of workers that named a task, job, worker or source that is not theirs' }),
  foreign: Type.Integer({
    description: 'Connections closed because they began with HTTP, or with TLS on a plain port',
  }),
  unauthorized: Type.Integer({ description: 'Connections closed for want of a valid token' }),
  crowded: Type.Integer({ description: 'Connections closed because they were silent or too many' }),
  skipped: Type.Integer({ description: 'Lines skipped by the log store, which stored the rest of their batch' }),
  pauses: Type.Integer({ description: 'Number of times senders were paused' }),
  paused: Type.Boolean(),
  queueBytes: Count,
  queueLines: Count,
  lagMs: Type.Integer({ minimum: 0, description: 'Age of the oldest line not yet stored' }),
  connections: Count,
  failing: Nullable(
    Type.String({ description: 'Why the log store does not accept lines at present; they are queued on disk' }),
  ),
  refusing: Nullable(Type.String({ description: 'Why the queue cannot be written to disk' })),
});
export type PipelineStats = Static<typeof PipelineStatsSchema>;

const logScope = {
  query: Type.Optional(Type.String({ maxLength: 16_384 })),
  job_id: Type.Optional(Type.String()),
  task_id: Type.Optional(Type.String()),
  worker_id: Type.Optional(Type.String()),
  level: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
};

const logFilters = { ...logScope, from: Type.Optional(Instant), to: Type.Optional(Instant) };

const logValues = {
  contains: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only names or values that contain this text, case-insensitive' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
};

const PATH = '/api/v1/logs/dead-letters';

const Which = Closed(
  {
    ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10_000 })),
    all: Type.Optional(Type.Literal(true)),
  },
  { minProperties: 1, maxProperties: 1, description: 'Exactly one of ids and all: true' },
);

/** Whatever runs a query. */
const errors = [
  'QUERY_INVALID',
  'QUERY_CANCELLED',
  'QUERY_TIMEOUT',
  'QUERY_TOO_LARGE',
  'LOGS_UNAVAILABLE',
  'LOGS_REFUSED',
] as const;

export const logRoutes = tagged('Logs', {
  'logs.search': get('/api/v1/logs/search', 'viewer', 'Search logs', {
    query: Closed({
      ...logFilters,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 500 })),
      order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
      cursor: Type.Optional(Type.String()),
    }),
    errors,
    answers: { 200: LogSearchSchema },
  }),
  'logs.tail': get('/api/v1/logs/tail', 'viewer', 'Follow logs', {
    query: Closed({
      ...logFilters,
      batch: Type.Optional(Type.Boolean({ description: 'Records that arrive together are one event with an array' })),
    }),
    errors,
    answers: { 200: Json },
    produces: 'text/event-stream',
  }),
  'logs.hits': get('/api/v1/logs/hits', 'viewer', 'Count records over time', {
    query: Closed({
      ...logFilters,
      step: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,6}(ms|s|m|h|d)$' })),
      field: Type.Optional(Type.String()),
    }),
    errors,
    answers: { 200: LogHitsSchema },
  }),
  'logs.context': get(
    '/api/v1/logs/context',
    'viewer',
    'Context: records before and after a point in time, of the same job, task, worker or source',
    {
      query: Closed({
        at: Type.String({ format: 'date-time', description: '_time of a record' }),
        before: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 20 })),
        after: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, default: 20 })),
        ...logScope,
      }),
      errors,
      answers: { 200: LogContextSchema },
    },
  ),
  'logs.export': get('/api/v1/logs/export', 'viewer', 'Export all matching records as JSON lines, CSV or text', {
    query: Closed({
      ...logFilters,
      format: enumOf(LOG_FORMATS),
      order: Type.Optional(enumOf(['asc', 'desc'] as const)),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Max. records; default: all' }),
      ),
      column: many(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Columns of the CSV, or members of a JSON line; repeatable, in this order',
        }),
      ),
    }),
    errors,
    answers: { 200: Json },
    produces: 'application/x-ndjson',
  }),
  'logs.fields': get('/api/v1/logs/fields', 'viewer', 'List fields of matching records, with counts', {
    query: Closed({ ...logFilters, ...logValues }),
    errors,
    answers: { 200: LogValuesSchema },
  }),
  'logs.values': get('/api/v1/logs/values', 'viewer', 'List values of a field in matching records, with counts', {
    query: Closed({ ...logFilters, field: Type.String({ minLength: 1, maxLength: 200 }), ...logValues }),
    errors,
    answers: { 200: LogValuesSchema },
  }),
  'logs.pipeline': get('/api/v1/logs/pipeline', 'viewer', 'State of the log pipeline and counters since start', {
    answers: { 200: PipelineStatsSchema },
  }),
  'deadLetters.list': get(PATH, 'viewer', 'List dead letters, newest first', {
    query: Closed({
      page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000, default: 0 })),
      size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
    }),
    answers: { 200: PageOf(DeadLetterSchema) },
  }),
  'deadLetters.replay': post(`${PATH}/replay`, 'operator', 'Resend dead letters', {
    body: Which,
    answers: { 200: Type.Object({ replayed: Type.Integer() }) },
  }),
  'deadLetters.discard': post(`${PATH}/discard`, 'operator', 'Delete dead letters', {
    body: Which,
    answers: { 200: Type.Object({ discarded: Type.Integer() }) },
  }),
});
