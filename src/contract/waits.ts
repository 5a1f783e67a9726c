import { type Static, Type } from 'typebox';
import {
  Closed,
  EnvironmentSchema,
  enumOf,
  get,
  Id,
  Json,
  many,
  Nullable,
  PageOf,
  paging,
  post,
  tagged,
  Time,
} from './shapes.ts';
import { SIGNAL_NAME, WAIT_KINDS } from './vocabulary.ts';

/** Waits: tasks that wait for a time, a signal or an approval, without a worker. */

export const WaitSchema = Type.Object({
  taskId: Type.String(),
  jobId: Type.String(),
  workflowId: Type.String(),
  environment: Nullable(EnvironmentSchema),
  node: Type.String(),
  for: enumOf(WAIT_KINDS),
  name: Nullable(Type.String({ description: 'Of the signal' })),
  since: Time,
  dueAt: Nullable(Time),
  approvalId: Nullable(Type.String()),
});
export type Wait = Static<typeof WaitSchema>;

export const LinkSchema = Type.Object({
  url: Type.String({ description: 'Works once, and without an account' }),
  expiresAt: Time,
});
export type Link = Static<typeof LinkSchema>;

const signalPath = Type.Object({ jobId: Id, name: Type.String({ pattern: SIGNAL_NAME }) });
const replica = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Only this replica of the job, numbered from 0' }),
);
const token = Type.Object({ token: Type.String({ minLength: 1, maxLength: 1500 }) });

export const waitRoutes = tagged('Waits', {
  'waits.list': get('/api/v1/waits', 'viewer', 'List tasks that wait for a time, a signal or an approval', {
    query: Closed({
      ...paging,
      for: many(enumOf(WAIT_KINDS)),
      jobId: Type.Optional(Id),
      workflowId: Type.Optional(Type.String({ maxLength: 63 })),
    }),
    answers: { 200: PageOf(WaitSchema) },
  }),
  'jobs.signal': post('/api/v1/jobs/:jobId/signals/:name', 'operator', 'Send a signal to a job', {
    params: signalPath,
    query: Closed({ replica }),
    body: Type.Unknown({
      description: 'Any JSON value; it is in the output of the wait node. Repeat it safely with an `Idempotency-Key`',
    }),
    errors: ['JOB_NOT_FOUND', 'JOB_FINISHED', 'TOO_MANY_SIGNALS', 'BODY_TOO_LARGE'],
    answers: {
      202: Type.Object({
        jobId: Type.String(),
        name: Type.String(),
        delivered: Type.Boolean({ description: 'A task waited for it; else it is kept for the next one that does' }),
      }),
    },
  }),
  'jobs.signalLink': post(
    '/api/v1/jobs/:jobId/signals/:name/links',
    'operator',
    'Make a one-time link that sends a signal',
    {
      params: signalPath,
      body: Closed({
        for: Type.String({ minLength: 1, maxLength: 200, description: 'Whom it is for; named in the audit log' }),
        expiresSeconds: Type.Optional(
          Type.Integer({ minimum: 60, maximum: 31_622_400, description: 'Default: a week' }),
        ),
        replica,
      }),
      errors: ['JOB_NOT_FOUND', 'JOB_FINISHED'],
      answers: { 201: LinkSchema },
    },
  ),
  'respond.show': get('/respond/:token', 'open', 'The page of a one-time link; opening it decides nothing', {
    params: token,
    errors: ['LINK_INVALID'],
    answers: { 200: Json },
    produces: 'text/html',
  }),
  'respond.answer': post('/respond/:token', 'open', 'Answer by a one-time link, with a form or JSON', {
    params: token,
    errors: ['LINK_INVALID', 'LINK_USED', 'ALREADY_DECIDED', 'JOB_FINISHED', 'TOO_MANY_SIGNALS', 'INPUT_INVALID'],
    answers: { 200: Json },
    produces: 'text/html',
  }),
});
