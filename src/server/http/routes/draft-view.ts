import type { DraftRun } from '../../../contract/drafts.ts';
import type { Graph } from '../../../contract/graph.ts';
import type { Job, JobFailure } from '../../../contract/jobs.ts';
import { parseJson } from '../../../lib/json.ts';
import { nodesOfTasks } from '../../../lib/nodes-of-tasks.ts';
import type { Jobs } from '../../jobs/port.ts';
import { isStandIn } from '../../workflows/draft.ts';
import { jsonText, type Json } from '../core/response-redaction.ts';

/** Tasks that one answer tells of. */
const MAX_TASKS = 500;
/** Bytes of their inputs and outputs: what is made of them is made on the event loop. */
const TASK_BYTES = 1_048_576;
/** Length of the output above which it is cut. */
const MAX_OUTPUT = 524_288;

/** A draft run as it stands: what each node gave. */
export async function draftRunView(jobs: Pick<Jobs, 'tasks' | 'payload'>, job: Job, graph: Graph): Promise<DraftRun> {
  const [tasks, json] = await Promise.all([
    jobs.tasks(job.id, { page: 0, size: MAX_TASKS, payloadBytes: TASK_BYTES }),
    jobs.payload({ job: job.id, of: 'output' }),
  ]);
  const { output, failure } = outcomeOf(json);
  return {
    jobId: job.id,
    workflowId: job.workflowId,
    status: job.status,
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
    durationMs: job.durationMs,
    output,
    error: failure && { node: failure.node, code: failure.taskCode, message: failure.taskMessage },
    nodes: nodesOfTasks(tasks.items, failure?.node ?? null, (node) => isStandIn(graph.nodes.get(node))),
    leftOut: tasks.totalItems - tasks.items.length,
  };
}

function outcomeOf(json: Json): { output: unknown; failure: JobFailure | null } {
  if (json.length <= MAX_OUTPUT) {
    const { output, error } = parseJson<{ output: unknown; error: JobFailure | null }>(jsonText(json));
    return { output, failure: error };
  }
  // A job that failed has no output: one this long is all output, and its beginning is all that is shown.
  return { output: `${jsonText(json.slice('{"output":'.length, MAX_OUTPUT))}…`, failure: null };
}
