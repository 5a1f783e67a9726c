import { Type, type Static } from 'typebox';
import { LogRecordSchema, type LogRecord } from './api.ts';
import { Count } from './shapes.ts';

/** What stood around a moment of a log (`GET /api/v1/logs/context`). Both lists are oldest first. */
export const LogContextSchema = Type.Object({
  at: Type.String({ description: 'The moment that was asked for, as it was given' }),
  before: Type.Array(LogRecordSchema),
  after: Type.Array(LogRecordSchema, { description: 'Begins with the records of that very moment' }),
});
export type LogContext = { at: string; before: LogRecord[]; after: LogRecord[] };

/** Names of fields, or values of one, with how many records have them; the most frequent first. */
export const LogValuesSchema = Type.Object({
  values: Type.Array(
    Type.Object({ value: Type.String({ description: 'Empty: records without the field' }), count: Count }),
  ),
  /** False: there are more than were asked for, or the counts are of the newest matches alone. */
  complete: Type.Boolean(),
});
export type LogValues = Static<typeof LogValuesSchema>;

export const LOG_FORMATS = ['ndjson', 'csv', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Columns of a CSV export where none are named; `fields` holds all other fields as JSON. */
export const LOG_CSV_COLUMNS = [
  '_time',
  'level',
  '_msg',
  'job_id',
  'task_id',
  'worker_id',
  'source',
  'fields',
] as const;
