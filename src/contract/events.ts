import { type Static, Type } from 'typebox';
import { Id, JobStatusSchema, Json, Nullable, post, get, tagged, Time } from './shapes.ts';

/** Event calls: what starts a published workflow. */

/** Whole answer of the status URL of an event call. */
export const EventStatusSchema = Type.Object({
  jobId: Type.String(),
  status: JobStatusSchema,
  finishedAt: Nullable(Time),
  output: Json,
  error: Nullable(Json),
});
export type EventStatus = Static<typeof EventStatusSchema>;

const params = { workflowId: Type.String(), environment: Type.String() };
const EventParams = Type.Object(params);
const EventJobParams = Type.Object({ ...params, jobId: Id });

export const eventRoutes = tagged('Events', {
  // Checks run in the order of the contract, so this route validates by hand.
  'events.send': post('/api/v1/events/:workflowId/:environment', 'key', 'Run the published workflow', {
    params: EventParams,
    body: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1 }),
    errors: [
      'API_KEY_SCOPE',
      'ENVIRONMENT_UNKNOWN',
      'WORKFLOW_NOT_FOUND',
      'NOT_PUBLISHED',
      'INPUT_INVALID',
      'IDEMPOTENCY_KEY_REUSED',
      'IDEMPOTENCY_IN_FLIGHT',
      'RATE_LIMITED',
      'NO_WORKERS',
      'WORKFLOW_FAILED',
      'WORKFLOW_TIMEOUT',
    ],
    answers: {
      200: Json,
      202: Type.Object({ jobId: Type.String(), status: JobStatusSchema, statusUrl: Type.String() }),
    },
  }),
  'events.status': get(
    '/api/v1/events/:workflowId/:environment/jobs/:jobId',
    'key',
    'Get the state and output of an event call',
    {
      params: EventJobParams,
      errors: ['API_KEY_SCOPE', 'ENVIRONMENT_UNKNOWN', 'WORKFLOW_NOT_FOUND', 'JOB_NOT_FOUND', 'RATE_LIMITED'],
      answers: { 200: EventStatusSchema },
    },
  ),
});
