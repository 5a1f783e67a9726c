import { type Static, Type } from 'typebox';
import { Closed, Count, enumOf, get, Nullable, post, tagged, Time } from './shapes.ts';

/** Damage: parts of the data folder that cannot be read for certain, and what an answer says of them. */

/** What a data folder is made of. */
export const DATA_PARTS = ['database', 'logs', 'metrics', 'pipeline'] as const;
export type DataPart = (typeof DATA_PARTS)[number];

/** Members that tell what is missing. Absent: it is not known. */
const missing = {
  from: Type.Optional(Type.String({ description: 'What is missing lies between from (inclusive) …' })),
  to: Type.Optional(Type.String({ description: '… and to (exclusive)' })),
  lost: Type.Optional(Type.Integer({ minimum: 0, description: 'Records, points or rows that are missing' })),
};

/** Stands in lists and searches that are not whole. */
export const DataWarningSchema = Type.Object({
  code: Type.Literal('DATA_DAMAGED'),
  message: Type.String(),
  ...missing,
});
export type DataWarning = Static<typeof DataWarningSchema>;

/** A member of answers over data that may be damaged; absent where nothing is missing. */
export const warnings = Type.Optional(
  Type.Array(DataWarningSchema, { description: 'Only where data is missing from this response because it is damaged' }),
);

/** A part that cannot be read for certain; it is left out of every answer. */
export const DamageSchema = Type.Object({
  part: enumOf(DATA_PARTS),
  file: Type.String({ description: 'Path in the data folder' }),
  what: Type.String({ description: 'What is damaged, and what that means' }),
  ...missing,
  at: Time,
});
export type Damage = Static<typeof DamageSchema>;

/** The last time that every byte of a part was read. */
export const DataCheckSchema = Type.Object({
  part: enumOf(DATA_PARTS),
  startedAt: Time,
  finishedAt: Nullable(Time),
  bytes: Type.Integer({ minimum: 0, description: 'Bytes that were read' }),
  damages: Count,
});
export type DataCheck = Static<typeof DataCheckSchema>;

export const DataHealthSchema = Closed({
  sound: Type.Boolean({ description: 'No damage is known' }),
  damages: Type.Array(DamageSchema),
  unlisted: Type.Integer({ minimum: 0, description: 'Further damages, which are only counted' }),
  checks: Type.Array(DataCheckSchema),
});
export type DataHealth = Static<typeof DataHealthSchema>;

export const dataHealthRoutes = tagged('Master', {
  'data.health': get('/api/v1/health/data', 'viewer', 'List damaged data, and when all data was last read', {
    answers: { 200: DataHealthSchema },
  }),
  'data.check': post('/api/v1/health/data/check', 'operator', 'Read all data now, and look for damage', {
    answers: { 202: DataHealthSchema },
  }),
});
