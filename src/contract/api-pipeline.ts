import { Type, type Static } from 'typebox';
import { Time } from './shapes.ts';

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
