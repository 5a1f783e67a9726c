import type { Task } from '../../../contract/api.ts';
import type { WorkflowEdge } from '../../../contract/definition.ts';
import { type Graph, type NodeProgress, type NodeStanding, standings } from '../../../contract/graph.ts';
import { TASK_STATES, type TaskState } from '../../../contract/vocabulary.ts';

/** What the replicas of a job came to at one node. Each replica counts once, tasks of a `forEach` each for themselves. */
export interface NodeTally {
  /** Tasks by state. */
  readonly states: Record<TaskState, number>;
  /** FAILED tasks that wait for a retry; counted in `states` too. */
  retrying: number;
  /** Replicas that went by another branch. */
  skipped: number;
  /** Replicas that passed a node that makes no task. */
  passed: number;
  /** Replicas that have not come here (yet). */
  waiting: number;
}
export type GraphTask = Pick<Task, 'id' | 'node' | 'replica' | 'state' | 'port' | 'retryAt'>;

export interface JobTally {
  readonly nodes: ReadonlyMap<string, NodeTally>;
  /** Keys of the edges that at least one replica took. */
  readonly taken: ReadonlySet<string>;
}

export const edgeKey = (edge: { from: string; to: string; port?: string | undefined }): string => JSON.stringify([edge.from, edge.to, edge.port]);

const emptyTally = (): NodeTally => ({ states: Object.fromEntries(TASK_STATES.map((state) => [state, 0])) as Record<TaskState, number>, retrying: 0, skipped: 0, passed: 0, waiting: 0 });

/** Adds up replicas 0 to `replicas` - 1 from their tasks. Tasks of other replicas, or of nodes that are not there, are left out. */
export function tally(graph: Graph, tasks: readonly GraphTask[], replicas: number): JobTally {
  const nodes = new Map([...graph.nodes.keys()].map((id) => [id, emptyTally()]));
  const byReplica = new Map<number, GraphTask[]>();
  for (const task of tasks) {
    if (task.replica >= replicas || !nodes.has(task.node)) continue;
    const own = byReplica.get(task.replica);
    if (own) own.push(task);
    else byReplica.set(task.replica, [task]);
  }
  const taken = new Set<string>();
  const untouched = replicas - byReplica.size;
  if (untouched > 0) addReplica(graph, nodes, taken, [], untouched);
  for (const own of byReplica.values()) addReplica(graph, nodes, taken, own, 1);
  return { nodes, taken };
}

function addReplica(graph: Graph, nodes: ReadonlyMap<string, NodeTally>, taken: Set<string>, tasks: readonly GraphTask[], times: number): void {
  const progress = new Map<string, NodeProgress>();
  for (const task of tasks) {
    const at = nodes.get(task.node) as NodeTally;
    at.states[task.state] += times;
    if (task.state === 'FAILED' && task.retryAt !== null) at.retrying += times;
    const before = progress.get(task.node);
    const done = task.state === 'COMPLETED' && (before?.done ?? true);
    progress.set(task.node, { done, port: task.port ?? before?.port });
  }
  const stands = standings(graph, progress);
  for (const [id, standing] of stands) {
    const at = nodes.get(id) as NodeTally;
    if (standing === 'skipped') at.skipped += times;
    else if (standing === 'waiting') at.waiting += times;
    else if (!progress.has(id)) {
      // A structure node is passed as soon as it is due; another that is due has its task in the making.
      if (makesNoTask(graph, id)) at.passed += times;
      else at.waiting += times;
    }
  }
  for (const edges of graph.outgoing.values()) for (const edge of edges) if (isTaken(edge, stands, progress)) taken.add(edgeKey(edge));
}

const makesNoTask = (graph: Graph, id: string): boolean => id === graph.inputId || id === graph.outputId || graph.nodes.get(id)?.type === 'output';

function isTaken(edge: WorkflowEdge, stands: ReadonlyMap<string, NodeStanding>, progress: ReadonlyMap<string, NodeProgress>): boolean {
  if (stands.get(edge.from) !== 'done') return false;
  return edge.port === undefined || progress.get(edge.from)?.port === edge.port;
}

/** The one word for a node: what asks for attention first. */
export type NodeLook = TaskState | 'retrying' | 'passed' | 'skipped' | 'waiting';

export function lookOf(at: NodeTally): NodeLook {
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
