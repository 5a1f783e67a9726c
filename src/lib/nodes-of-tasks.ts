import type { DraftNode } from '../contract/drafts.ts';
import type { Task } from '../contract/tasks.ts';

/**
 * What each node of a job was given and gave, from its tasks. `failedNode`: the one that the job failed at; `isStandIn`: a
 * mock ran in place of the node.
 */
export function nodesOfTasks(
  tasks: readonly Task[],
  failedNode: string | null,
  isStandIn: (node: string) => boolean = () => false,
): DraftNode[] {
  const groups = Map.groupBy(tasks, ({ node, replica }) => `${replica} ${node}`);
  return [...groups.values()].flatMap((group) => nodeOf(group, isStandIn(group[0]?.node ?? ''), failedNode) ?? []);
}

/** The tasks of one node in one replica: its own, or of a forEach the one that made the list and those of its items. */
function nodeOf(tasks: readonly Task[], standIn: boolean, failedNode: string | null): DraftNode | null {
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
  const isFailed = failed.length > 0 && failedNode === own.node;
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
