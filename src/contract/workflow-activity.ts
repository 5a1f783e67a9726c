import { type Static, Type } from 'typebox';
import { TaskCountersSchema } from './jobs.ts';
import { Closed, Count, enumOf, EnvironmentSchema, get, JobStatusSchema, Nullable, tagged, Time } from './shapes.ts';
import { DISPLAY_STATUSES } from './vocabulary.ts';

/** How the jobs of workflows went lately. */

const BarSchema = Type.Object({
  /** Jobs that were created in this stretch of time. */
  succeeded: Count,
  failed: Count,
  /** Of finished jobs, milliseconds from creation to end; null: none has finished. */
  p95Ms: Nullable(Type.Number()),
});

export const WorkflowActivitySchema = Type.Object({
  workflowId: Type.String(),
  from: Time,
  to: Time,
  jobs: Count,
  succeeded: Count,
  /** Neither running nor cancelled jobs. */
  failed: Count,
  successRate: Nullable(
    Type.Number({ description: 'succeeded ÷ (succeeded + failed), 0 to 1; null: none has finished' }),
  ),
  p50Ms: Nullable(Type.Number()),
  p95Ms: Nullable(Type.Number()),
  lastJob: Nullable(
    Type.Object({
      id: Type.String(),
      status: JobStatusSchema,
      displayStatus: enumOf(DISPLAY_STATUSES),
      createdAt: Time,
      /** What tells a job that waits for a retry from one that has failed. Absent in answers of an earlier release. */
      finishedAt: Type.Optional(Nullable(Time)),
      killedAt: Type.Optional(Nullable(Time)),
      taskCounters: Type.Optional(TaskCountersSchema),
    }),
  ),
  /** Equal stretches of time from `from` to `to`. */
  bars: Type.Array(BarSchema),
  /** There were more jobs than are looked at: the newest count. */
  sampled: Type.Boolean(),
});
export type WorkflowActivity = Static<typeof WorkflowActivitySchema>;

/** Workflows of one answer. */
export const ACTIVITY_WORKFLOWS = 100;

const Ids = Type.Array(Type.String({ maxLength: 63 }), { minItems: 1, maxItems: ACTIVITY_WORKFLOWS });

export const workflowActivityRoutes = tagged('Workflows', {
  'workflowActivity.list': get(
    '/api/v1/workflow-activity',
    'viewer',
    'Success rate, durations and latest job of workflows, with bars over time',
    {
      query: Closed({
        workflowId: Type.Union([Ids, Type.String({ maxLength: 63 })]),
        environment: Type.Optional(EnvironmentSchema),
        hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720, description: 'Default 24' })),
        bars: Type.Optional(Type.Integer({ minimum: 1, maximum: 96, description: 'Default 24' })),
      }),
      answers: { 200: Type.Object({ items: Type.Array(WorkflowActivitySchema) }) },
    },
  ),
});
