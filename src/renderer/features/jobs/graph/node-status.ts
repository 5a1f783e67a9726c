import type { NodeTally } from '../../../../contract/graph.ts';
import type { TaskState } from '../../../../contract/vocabulary.ts';

/** The one word for a node: what asks for attention first. */
export type NodeStatus = TaskState | 'retrying' | 'passed' | 'skipped' | 'waiting';

export function nodeStatus(at: NodeTally): NodeStatus {
  const { states } = at;
  if (states.FAILED > at.retrying) return 'FAILED';
  if (states.RUN_TIMEOUT > 0) return 'RUN_TIMEOUT';
  if (states.SCHEDULE_TIMEOUT > 0) return 'SCHEDULE_TIMEOUT';
  if (at.retrying > 0) return 'retrying';
  for (const state of ['RUNNING', 'SCHEDULED', 'READY'] as const) if (states[state] > 0) return state;
  if (states.COMPLETED > 0) return 'COMPLETED';
  if (at.passed > 0) return 'passed';
  return at.waiting > 0 || at.skipped === 0 ? 'waiting' : 'skipped';
}

/** Tasks that a node has made. */
export const countTasks = ({ states }: NodeTally): number =>
  Object.values(states).reduce((sum, count) => sum + count, 0);
