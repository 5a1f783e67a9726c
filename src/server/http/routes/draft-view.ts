import type { DraftNode, DraftRun } from '../../../contract/drafts.ts';
import type { Graph } from '../../../contract/graph.ts';
import type { Job, JobFailure } from '../../../contract/jobs.ts';
import type { Task } from '../../../contract/tasks.ts';
import { parseJson } from '../../../lib/json.ts';
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
  const groups = Map.groupBy(tasks.items, ({ node, replica }) => `${replica} ${node}`);
  return {
    jobId: job.id,
    workflowId: job.workflowId,
    status: job.status,
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
    durationMs: job.durationMs,
    output,
    error: failure && { node: failure.node, code: failure.taskCode, message: failure.taskMessage },
    nodes: [...groups.values()].flatMap(
      (group) => nodeOf(group, isStandIn(graph.nodes.get(group[0]?.node ?? '')), failure) ?? [],
    ),
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

/** The tasks of one node in one replica: its own, or of a forEach the one that made the list and those of its items. */
function nodeOf(tasks: readonly Task[], standIn: boolean, failure: JobFailure | null): DraftNode | null {
  const own = tasks.find(({ item }) => item === null) ?? tasks[0];
  if (!own) return null;
  const items = tasks.filter(({ item }) => item !== null).sort((a, b) => (a.item ?? 0) - (b.item ?? 0));
  const base = { node: own.node, replica: own.replica, input: own.input, port: own.port, standIn, taskId: own.id };
  if (items.length === 0)
    return {
      ...base,
      state: own.state,
      ms: msOf(own.startedAt, own.finishedAt),
      output: own.output,
      error: own.error,
      items: null,
    };
  const failed = items.filter(({ error, state }) => error !== null || (state !== 'COMPLETED' && isOver(state)));
  const done = items.filter(({ state }) => state === 'COMPLETED').length;
  const open = items.length - done - failed.length;
  // With onError: collect the items fail and the node does not.
  const isFailed = failed.length > 0 && failure?.node === own.node;
  return {
    ...base,
    state: open > 0 ? 'RUNNING' : isFailed ? (failed[0]?.state ?? 'FAILED') : 'COMPLETED',
    ms:
      open > 0
        ? null
        : msOf(
            own.startedAt ?? own.readyAt,
            items.reduce<string | null>(
              (last, { finishedAt }) => (last === null || (finishedAt ?? '') > last ? finishedAt : last),
              null,
            ),
          ),
    output: items.map(({ output, error }) =>
      error === null ? output : { error: { code: error.code, message: error.message } },
    ),
    error: isFailed ? (failed[0]?.error ?? null) : null,
    items: { total: items.length, done, failed: failed.length, input: items[0]?.input ?? null },
  };
}

const isOver = (state: Task['state']): boolean =>
  state === 'FAILED' || state === 'SCHEDULE_TIMEOUT' || state === 'RUN_TIMEOUT';
const msOf = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Math.max(0, Date.parse(to) - Date.parse(from));
