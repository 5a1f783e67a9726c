import { type Static, Type } from 'typebox';
import { LabelsSchema } from './jobs.ts';
import { PRIORITY_MAX, PRIORITY_MIN } from './rate-limits.ts';
import {
  Closed,
  Count,
  enumOf,
  EnvironmentSchema,
  get,
  Instant,
  JobStatusSchema,
  Json,
  Nullable,
  PageOf,
  paging,
  Paging,
  patch,
  post,
  remove,
  tagged,
  Time,
} from './shapes.ts';
import { OVERLAPS, RUN_KINDS, RUN_OUTCOMES } from './vocabulary.ts';

/** Schedules: workflows that start by themselves (docs/schedules.md). */

const DAY_S = 86_400;

const timing = {
  cron: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Five fields, or six with seconds first; or @daily and the like',
      }),
    ),
  ),
  everySeconds: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 366 * DAY_S }))),
  at: Type.Optional(Nullable(Type.String({ format: 'date-time', description: 'Once, at this time' }))),
  timeZone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'IANA name such as Europe/Berlin; default UTC' }),
  ),
  startAt: Type.Optional(Nullable(Instant)),
  endAt: Type.Optional(Nullable(Instant)),
};

const settings = {
  ...timing,
  inputs: Type.Optional(
    Nullable(Type.Array(Json, { description: 'As of POST /api/v1/jobs; default: one empty object' })),
  ),
  inputExpression: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description:
          'JSONata over {dueAt, scheduleId, workflowId, environment, timeZone}; an array is the inputs, anything else the only input',
      }),
    ),
  ),
  overlap: Type.Optional(enumOf(OVERLAPS)),
  catchUpSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 366 * DAY_S,
      description: 'After an absence, due times up to this age are started; older ones are missed; default 3600',
    }),
  ),
  jitterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: DAY_S })),
  priority: Type.Optional(Type.Integer({ minimum: PRIORITY_MIN, maximum: PRIORITY_MAX })),
  labels: Type.Optional(Nullable(LabelsSchema)),
  description: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
};

export const ScheduleSchema = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  environment: EnvironmentSchema,
  cron: Nullable(Type.String()),
  everySeconds: Nullable(Type.Integer()),
  at: Nullable(Time),
  timeZone: Type.String(),
  inputs: Nullable(Type.Array(Json, { description: 'Null: an expression, or not readable by the caller' })),
  inputExpression: Nullable(Type.String()),
  overlap: enumOf(OVERLAPS),
  catchUpSeconds: Type.Integer(),
  jitterSeconds: Type.Integer(),
  startAt: Nullable(Time),
  endAt: Nullable(Time),
  paused: Type.Boolean(),
  priority: Type.Integer(),
  labels: Type.Record(Type.String(), Type.String()),
  description: Nullable(Type.String()),
  /** The due time that comes next; null: paused, or there is none. */
  nextAt: Nullable(Time),
  lastAt: Nullable(Time),
  lastOutcome: Nullable(enumOf(RUN_OUTCOMES)),
  /** A due time that waits for the end of the job before it. */
  waitingAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
  createdBy: Type.String(),
});
export type Schedule = Static<typeof ScheduleSchema>;

/** What became of a due time. */
export const ScheduleRunSchema = Type.Object({
  dueAt: Time,
  startedAt: Nullable(Time),
  jobId: Nullable(Type.String()),
  outcome: enumOf(RUN_OUTCOMES),
  reason: Nullable(Type.String()),
  kind: enumOf(RUN_KINDS),
});
export type ScheduleRun = Static<typeof ScheduleRunSchema>;

export const ScheduleBodySchema = Closed({
  workflowId: Type.String({ minLength: 1, maxLength: 63 }),
  environment: EnvironmentSchema,
  ...settings,
  paused: Type.Optional(Type.Boolean()),
});
export type ScheduleBody = Static<typeof ScheduleBodySchema>;

export const SchedulePatchSchema = Closed({ ...settings, paused: Type.Optional(Type.Boolean()) }, { minProperties: 1 });
export type SchedulePatch = Static<typeof SchedulePatchSchema>;

const NOT_FOUND = ['SCHEDULE_NOT_FOUND'] as const;
const NOT_STARTED = [
  ...NOT_FOUND,
  'WORKFLOW_NOT_FOUND',
  'NOT_PUBLISHED',
  'INPUT_INVALID',
  'EXPRESSION_FAILED',
] as const;

export const scheduleRoutes = tagged('Schedules', {
  'schedules.list': get('/api/v1/schedules', 'viewer', 'List schedules', {
    query: Closed({
      ...paging,
      workflowId: Type.Optional(Type.String()),
      environment: Type.Optional(EnvironmentSchema),
      project: Type.Optional(Type.String()),
      paused: Type.Optional(Type.Boolean()),
    }),
    answers: { 200: PageOf(ScheduleSchema) },
  }),
  'schedules.create': post('/api/v1/schedules', 'operator', 'Create a schedule', {
    body: ScheduleBodySchema,
    errors: ['WORKFLOW_NOT_FOUND'],
    answers: { 201: ScheduleSchema },
  }),
  'schedules.preview': get('/api/v1/schedules/preview', 'viewer', 'Due times of a schedule, without creating it', {
    query: Closed({
      cron: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      everySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 366 * DAY_S })),
      at: Type.Optional(Instant),
      timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      startAt: Type.Optional(Instant),
      endAt: Type.Optional(Instant),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 10 })),
    }),
    answers: { 200: Type.Object({ times: Type.Array(Time) }) },
  }),
  'schedules.get': get('/api/v1/schedules/:id', 'viewer', 'Get a schedule', {
    errors: NOT_FOUND,
    answers: { 200: ScheduleSchema },
  }),
  'schedules.update': patch('/api/v1/schedules/:id', 'operator', 'Change a schedule', {
    body: SchedulePatchSchema,
    errors: NOT_FOUND,
    answers: { 200: ScheduleSchema },
  }),
  'schedules.delete': remove('/api/v1/schedules/:id', 'operator', 'Delete a schedule; its jobs stay', {
    errors: NOT_FOUND,
    answers: { 204: null },
  }),
  'schedules.pause': post('/api/v1/schedules/:id/pause', 'operator', 'Pause a schedule', {
    errors: NOT_FOUND,
    answers: { 200: ScheduleSchema },
  }),
  'schedules.resume': post(
    '/api/v1/schedules/:id/resume',
    'operator',
    'Resume a schedule; what was due meanwhile is left out',
    {
      errors: NOT_FOUND,
      answers: { 200: ScheduleSchema },
    },
  ),
  'schedules.run': post('/api/v1/schedules/:id/run', 'operator', 'Start a job now, as the schedule would', {
    errors: NOT_STARTED,
    answers: { 202: Type.Object({ jobId: Type.String(), status: JobStatusSchema }) },
  }),
  'schedules.runs': get('/api/v1/schedules/:id/runs', 'viewer', 'What became of each due time, newest first', {
    query: Closed({ ...Paging.properties, from: Type.Optional(Instant), to: Type.Optional(Instant) }),
    errors: NOT_FOUND,
    answers: { 200: PageOf(ScheduleRunSchema) },
  }),
  'schedules.backfill': post(
    '/api/v1/schedules/:id/backfill',
    'operator',
    'Start the due times of a past range that have no job',
    {
      body: Closed({
        from: Instant,
        to: Instant,
        dryRun: Type.Optional(Type.Boolean()),
        perMinute: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 60_000, description: 'Jobs started per minute; default 600' }),
        ),
      }),
      errors: NOT_FOUND,
      answers: {
        202: Type.Object({ operationId: Type.String(), count: Count }),
        200: Type.Object({ count: Count }),
      },
    },
  ),
});
