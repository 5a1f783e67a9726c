import { Type, type Static } from 'typebox';
import { EnvironmentSchema, JobStatusSchema } from './api.ts';
import { Count, Json, Nullable, oneOf, Time } from './shapes.ts';

/** Shadow replays: inputs that an environment was given, run against another commit (docs/publishing.md). */

export const SHADOW_STATUSES = ['RUNNING', 'DONE', 'ABORTED'] as const;
export type ShadowStatus = (typeof SHADOW_STATUSES)[number];
/** `failing`: ended well before, fails now. `mended`: the other way round. `unknown`: it could not be run, see `reason`. */
export const SHADOW_VERDICTS = ['same', 'different', 'failing', 'mended', 'unknown'] as const;
export type ShadowVerdict = (typeof SHADOW_VERDICTS)[number];

/** Which jobs of the environment are taken. Only finished event calls and batches are; the newest first. */
export const ShadowWhereSchema = Type.Object(
  {
    status: Type.Optional(Type.Array(JobStatusSchema, { maxItems: 10 })),
    createdFrom: Type.Optional(Type.String({ format: 'date-time' })),
    createdTo: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false },
);
export type ShadowWhere = Static<typeof ShadowWhereSchema>;

export const ShadowReplaySchema = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  commit: Type.String({ description: 'The candidate' }),
  environment: EnvironmentSchema,
  against: Nullable(Type.String({ description: 'What the environment ran when the replay began' })),
  where: ShadowWhereSchema,
  status: oneOf(SHADOW_STATUSES),
  total: Count,
  done: Count,
  summary: Type.Object({ same: Count, different: Count, failing: Count, mended: Count, unknown: Count }),
  /** Places that differ in the answers, `*` for every index, and in how many inputs; the most frequent first. Ignored ones are not among them. */
  paths: Type.Array(Type.Object({ path: Type.String(), inputs: Count })),
  warnings: Type.Array(Type.String()),
  createdAt: Time,
  finishedAt: Nullable(Time),
  createdBy: Type.String(),
});
export type ShadowReplay = Static<typeof ShadowReplaySchema>;

const TrialErrorSchema = Type.Object({ node: Type.String(), code: Type.String(), message: Type.String() });

export const ShadowResultSchema = Type.Object({
  number: Count,
  jobId: Type.String(),
  /** The input of the job, counted from 0. */
  replica: Count,
  /** The commit that the job ran. */
  commit: Type.String(),
  verdict: oneOf(SHADOW_VERDICTS),
  reason: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  /** All that differs is ignored. */
  ignored: Type.Boolean(),
  differences: Type.Array(
    Type.Object({
      path: Type.String(),
      kind: oneOf(['added', 'removed', 'changed'] as const),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
      ignored: Type.Boolean(),
    }),
  ),
  differencesTotal: Count,
  assumptions: Type.Array(Type.Object({ node: Type.String(), message: Type.String() })),
  /** Milliseconds of the nodes that were run here, when they were recorded and now. */
  msBefore: Nullable(Type.Number()),
  msAfter: Nullable(Type.Number()),
  errorBefore: Nullable(TrialErrorSchema),
  errorAfter: Nullable(TrialErrorSchema),
});
export type ShadowResult = Static<typeof ShadowResultSchema>;

export const ShadowDetailSchema = Type.Object({
  ...ShadowResultSchema.properties,
  input: Json,
  before: Json,
  after: Json,
  cut: Type.Boolean({ description: 'The outputs are too large to be kept; the differences are there' }),
});
export type ShadowDetail = Static<typeof ShadowDetailSchema>;

export const ShadowBodySchema = Type.Object(
  {
    commit: Type.String({
      pattern: '^[0-9a-f]{4,40}$',
      description: 'Commit hash, or an unambiguous prefix of at least 4 digits',
    }),
    environment: EnvironmentSchema,
    count: Type.Optional(Type.Integer({ minimum: 1, description: 'Inputs at most; 50 where absent' })),
    where: Type.Optional(ShadowWhereSchema),
  },
  { additionalProperties: false },
);

/** A JSON pointer with `*` for any index or key. What lies under it is ignored too. */
const Path = Type.String({ maxLength: 500, pattern: '^(/.*)?$' });
export const ShadowIgnoresSchema = Type.Object(
  { paths: Type.Array(Path, { maxItems: 200 }) },
  { additionalProperties: false },
);
export type ShadowIgnores = Static<typeof ShadowIgnoresSchema>;
