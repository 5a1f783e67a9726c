import { Type, type Static } from 'typebox';
import { oneOf } from './shapes.ts';

/** What a text or an id may turn out to be, in the order in which they are listed. */
export const FOUND_KINDS = [
  'job',
  'task',
  'operation',
  'worker',
  'commit',
  'publication',
  'workflow',
  'failure',
  'key',
  'token',
] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const FoundSchema = Type.Object({
  kind: oneOf(FOUND_KINDS),
  id: Type.String(),
  label: Type.String({ description: 'For people: an external id, a name, a message' }),
  detail: Type.String({ description: 'What tells it apart: its state, its workflow' }),
  /** Where the console shows it. */
  path: Type.String({ description: 'Path of the console that shows it' }),
});
export type Found = Static<typeof FoundSchema>;

export const FindSchema = Type.Object({ items: Type.Array(FoundSchema) });
export type FindAnswer = Static<typeof FindSchema>;
