import { Type, type Static } from 'typebox';
import { Count, Nullable, Time } from './shapes.ts';

/** Shapes of the log pipeline's dead letters: lines that the log store refused for good. */
export const DeadLetterSchema = Type.Object({
  id: Type.String(),
  at: Time,
  status: Type.Integer({ description: 'Status that the log store answered with' }),
  reason: Type.String(),
  bytes: Type.Integer(),
  line: Type.String({ description: 'The record as JSON text; in lists at most its first 4096 characters' }),
});
export type DeadLetter = Static<typeof DeadLetterSchema>;

/** What the log pipeline counts since it started, and what it holds now. */
export const PipelineStatsSchema = Type.Object({
  accepted: Type.Integer({ description: 'Lines that are on disk: from here on none is lost' }),
  delivered: Type.Integer({ description: 'Lines that the store has acknowledged' }),
  retried: Type.Integer({ description: 'Attempts to deliver a batch that failed and were, or will be, made again' }),
  dead: Type.Integer({ description: 'Lines that the store refused for good' }),
  deadDropped: Type.Integer({ description: 'Dead letters that made room for newer ones' }),
  dropped: Type.Integer({ description: 'Lines thrown away because the queue was full, where that is configured' }),
  truncated: Type.Integer({ description: 'Lines cut at the longest that is taken' }),
  unparsed: Type.Integer({ description: 'Lines that were no JSON and were kept as text' }),
  skipped: Type.Integer({ description: 'Lines that the store skipped while it took the rest of their batch' }),
  pauses: Type.Integer({ description: 'How often the senders were made to wait' }),
  paused: Type.Boolean(),
  queueBytes: Count,
  queueLines: Count,
  lagMs: Type.Integer({ minimum: 0, description: 'Age of the oldest line that the store does not have yet' }),
  connections: Count,
  refusing: Nullable(Type.String({ description: 'Why the disk refuses the queue' })),
});
export type PipelineStats = Static<typeof PipelineStatsSchema>;
