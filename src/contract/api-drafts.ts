import { Type, type Static } from 'typebox';
import { JobStatusSchema, TaskErrorSchema, TaskStateSchema } from './api.ts';
import { Count, Json, Nullable, Time } from './shapes.ts';

/** Draft runs: a definition that was not saved, run on sample inputs (docs/drafts.md). */

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
