import { type Static, Type } from 'typebox';
import { DefinitionSchema } from './definition.ts';
import {
  Count,
  JobStatusSchema,
  Json,
  Nullable,
  enumOf,
  post,
  get,
  tagged,
  TaskStateSchema,
  Time,
  Closed,
} from './shapes.ts';
import { TaskErrorSchema } from './tasks.ts';

export const DraftNodeSchema = Type.Object({
  node: Type.String(),
  replica: Count,
  /** Of a forEach: that of its items taken together. */
  state: TaskStateSchema,
  /** From the start of its work to its end; null: it has not ended. */
  ms: Nullable(Type.Integer()),
  /** Long payloads are cut to a text that ends in `…`; whole at `/api/v1/tasks/{taskId}/output`. */
  input: Json,
  /** Of a forEach the list of what its items gave, so far as they have ended. */
  output: Json,
  error: Nullable(TaskErrorSchema),
  /** The port that a condition took. */
  port: Nullable(Type.String()),
  /** A stand-in ran instead of the node. */
  standIn: Type.Boolean(),
  /** Of a forEach, with the input of its first item; null elsewhere, and before its list is known. */
  items: Nullable(Type.Object({ total: Count, done: Count, failed: Count, input: Json })),
  taskId: Type.String(),
});
export type DraftNode = Static<typeof DraftNodeSchema>;

export const DraftRunSchema = Type.Object({
  jobId: Type.String(),
  workflowId: Type.String(),
  status: JobStatusSchema,
  createdAt: Time,
  finishedAt: Nullable(Time),
  durationMs: Nullable(Type.Integer()),
  /** What the endpoint would answer; with `upTo`, the output of that node. Null while it runs and where it failed. */
  output: Json,
  /** The first node that failed. */
  error: Nullable(Type.Object({ node: Type.String(), code: Type.String(), message: Type.String() })),
  /** Nodes that made a task, in the order in which they became ready. */
  nodes: Type.Array(DraftNodeSchema),
  /** Tasks that are not among them, because there are too many. */
  leftOut: Count,
});
export type DraftRun = Static<typeof DraftRunSchema>;

const NodeId = Type.String({ minLength: 1, maxLength: 100 });

export const draftRoutes = tagged('Workflows', {
  'drafts.run': post(
    '/api/v1/workflows/:id/draft-runs',
    'operator',
    'Run an unsaved definition and return the result of each node',
    {
      params: Type.Object({ id: Type.String() }),
      body: Closed({
        definition: DefinitionSchema,
        inputs: Type.Array(Type.Unknown(), {
          minItems: 1,
          description: 'One JSON value per replica, valid against the input schema',
        }),
        upTo: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: 'Run only this node and the nodes it depends on; the rest may have errors',
          }),
        ),
        effects: Type.Optional(enumOf(['standIn', 'run'] as const)),
        outputs: Type.Optional(
          Type.Record(NodeId, Type.Unknown(), { description: 'Outputs of mocks by node ID; any node can be mocked' }),
        ),
        waitSeconds: Type.Optional(
          Type.Number({ minimum: 0, maximum: 60, description: 'Max. wait for the result; default 10' }),
        ),
      }),
      errors: ['WORKFLOW_NOT_FOUND', 'INPUT_INVALID', 'INVALID_DAG', 'NO_WORKERS'],
      answers: { 200: DraftRunSchema },
    },
  ),
  'drafts.get': get('/api/v1/workflows/:id/draft-runs/:jobId', 'viewer', 'Get the state of a draft run', {
    params: Type.Object({ id: Type.String(), jobId: Type.String({ minLength: 1, maxLength: 64 }) }),
    errors: ['WORKFLOW_NOT_FOUND', 'JOB_NOT_FOUND'],
    answers: { 200: DraftRunSchema },
  }),
});
