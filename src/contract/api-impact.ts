import { Type, type Static } from 'typebox';
import { PublicationSchema } from './api.ts';
import { Count, Nullable, oneOf, Time } from './shapes.ts';

/** What publications did to the jobs of a workflow: the same length of time before each and after it. */

export const IMPACT_VERDICTS = ['worse', 'better', 'same', 'unclear'] as const;

const SideSchema = Type.Object({
  from: Time,
  /** Exclusive. */
  to: Time,
  jobs: Count,
  /** Of the finished ones, those that ended otherwise than COMPLETED or EMPTY. */
  failed: Count,
  finished: Count,
  /** failed ÷ finished, 0 to 1; null: none has finished. */
  failureRate: Nullable(Type.Number()),
  jobsPerMinute: Type.Number(),
  /** Of finished jobs, milliseconds from creation to end; null: none has finished. */
  p50Ms: Nullable(Type.Number()),
  p95Ms: Nullable(Type.Number()),
  /** There were more jobs than are looked at: those nearest to the publication count. */
  sampled: Type.Boolean(),
});
export type ImpactSide = Static<typeof SideSchema>;

export const ImpactSchema = Type.Object({
  publication: PublicationSchema,
  before: SideSchema,
  after: SideSchema,
  /** `unclear`: too few jobs on a side to say. */
  verdict: oneOf(IMPACT_VERDICTS),
  /** One sentence for people, with the numbers in it. */
  message: Type.String(),
});
export type Impact = Static<typeof ImpactSchema>;
