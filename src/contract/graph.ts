import { tableOf } from './tables.ts';
import type { Definition, WorkflowEdge, WorkflowNode } from './definition.ts';
import { TASK_STATES, type TaskState } from './vocabulary.ts';

/**
 * The graph of a definition, ready for walking. Pure; the engine decides what runs next with it and the console
 * draws skipped branches with it, so both always agree.
 */
export interface Graph {
  readonly nodes: ReadonlyMap<string, WorkflowNode>;
  readonly incoming: ReadonlyMap<string, readonly WorkflowEdge[]>;
  readonly outgoing: ReadonlyMap<string, readonly WorkflowEdge[]>;
  /** Node ids, each after all of its predecessors. */
  readonly order: readonly string[];
  readonly inputId: string;
  readonly outputId: string;
}

/** What is known of a node that made a task in one replica. `port` is set for a condition that completed. */
export interface NodeProgress {
  readonly done: boolean;
  readonly port?: string | undefined;
}

/** `waiting`: some predecessor is still open. `due`: all that it depends on is done and it has made no task yet. */
export type NodeProgressState = 'done' | 'skipped' | 'active' | 'due' | 'waiting';

/** Builds the graph of a definition that has no faults; throws on a cycle. */
export function buildGraph(definition: Definition): Graph {
  const nodes = new Map(definition.nodes.map((n) => [n.id, n]));
  const incoming = new Map<string, WorkflowEdge[]>(definition.nodes.map((n) => [n.id, []]));
  const outgoing = new Map<string, WorkflowEdge[]>(definition.nodes.map((n) => [n.id, []]));
  for (const edge of definition.edges) {
    incoming.get(edge.to)?.push(edge);
    outgoing.get(edge.from)?.push(edge);
  }
  const open = new Map(definition.nodes.map((n) => [n.id, incoming.get(n.id)?.length ?? 0]));
  const order = definition.nodes.filter((n) => open.get(n.id) === 0).map((n) => n.id);
  // It grows as it is walked.
  for (const id of order) {
    for (const edge of outgoing.get(id) ?? []) {
      const left = (open.get(edge.to) ?? 0) - 1;
      open.set(edge.to, left);
      if (left === 0) order.push(edge.to);
    }
  }
  if (order.length !== nodes.size) throw new Error('the definition has a cycle');
  const inputId = definition.nodes.find((n) => n.type === 'input')?.id;
  if (inputId === undefined) throw new Error('the definition has no input node');
  return { nodes, incoming, outgoing, order, inputId, outputId: definition.output };
}

/**
 * Where every node of one replica stands, from the tasks that it has made so far. A node is skipped when each of its
 * incoming edges comes from a skipped node or from the port of a condition that was not taken.
 */
export function nodeStates(
  graph: Graph,
  progress: Pick<ReadonlyMap<string, NodeProgress>, 'get'>,
): Map<string, NodeProgressState> {
  const standing = new Map<string, NodeProgressState>();
  for (const id of graph.order) {
    const own = progress.get(id);
    if (own) {
      standing.set(id, own.done ? 'done' : 'active');
      continue;
    }
    const edges = graph.incoming.get(id) ?? [];
    if (id === graph.inputId) {
      standing.set(id, 'done');
      continue;
    }
    let live = 0;
    let waiting = false;
    for (const edge of edges) {
      const before = standing.get(edge.from);
      if (before === 'skipped') continue;
      if (before !== 'done') waiting = true;
      else if (edge.port === undefined || progress.get(edge.from)?.port === edge.port) live++;
    }
    standing.set(id, waiting ? 'waiting' : live > 0 ? 'due' : 'skipped');
  }
  return standing;
}

/**
 * What the end of one node brings about, as `nodeStates` would tell, without a look at what does not depend on it: the
 * nodes that are due or skipped now, in the order of the graph.
 */
export function nodeStatesAfter(
  graph: Graph,
  progress: Pick<ReadonlyMap<string, NodeProgress>, 'get'>,
  from: string,
): { changed: string[]; standing: Pick<ReadonlyMap<string, NodeProgressState>, 'get'> } {
  const known = new Map<string, NodeProgressState>();
  const standingOf = (id: string): NodeProgressState => {
    let standing = known.get(id);
    if (standing === undefined) known.set(id, (standing = lookAt(id)));
    return standing;
  };
  const lookAt = (id: string): NodeProgressState => {
    const own = progress.get(id);
    if (own) return own.done ? 'done' : 'active';
    if (id === graph.inputId) return 'done';
    let isLive = false;
    for (const { from: before, port } of graph.incoming.get(id) ?? []) {
      const standing = standingOf(before);
      if (standing === 'skipped') continue;
      if (standing !== 'done') return 'waiting';
      isLive ||= port === undefined || progress.get(before)?.port === port;
    }
    return isLive ? 'due' : 'skipped';
  };
  const changed = new Set<string>();
  const look = new Set([from]);
  for (const id of look) {
    for (const { to } of graph.outgoing.get(id) ?? []) {
      const standing = standingOf(to);
      if (standing === 'due' || standing === 'skipped') changed.add(to);
      if (standing === 'skipped') look.add(to);
    }
  }
  const inOrder = changed.size > 1 ? graph.order.filter((id) => changed.has(id)) : [...changed];
  return { changed: inOrder, standing: { get: standingOf } };
}

/** The predecessors of a node that ran and hand it their output, in the order of its edges. */
export function livePredecessors(
  graph: Graph,
  progress: Pick<ReadonlyMap<string, NodeProgress>, 'get'>,
  standing: Pick<ReadonlyMap<string, NodeProgressState>, 'get'>,
  id: string,
): string[] {
  const live = new Set<string>();
  for (const edge of graph.incoming.get(id) ?? []) {
    if (standing.get(edge.from) !== 'done') continue;
    if (edge.port !== undefined && progress.get(edge.from)?.port !== edge.port) continue;
    live.add(edge.from);
  }
  return [...live];
}

/** What the replicas of a job came to at one node. Each replica counts once, items of a `forEach` each for themselves. */
export interface NodeTally {
  /** Tasks by state. */
  readonly states: Record<TaskState, number>;
  /** FAILED tasks that wait for a retry; counted in `states` too. */
  retrying: number;
  /** Replicas that went by another branch. */
  skipped: number;
  /** Replicas that passed a node that made no task. */
  passed: number;
  /** Replicas that have not come here (yet). */
  waiting: number;
}

/** What of a task the tally needs. */
export interface TallyTask {
  readonly node: string;
  readonly replica: number;
  /** Place in the list of a `forEach`; null for other tasks, and for the one that only makes such a list. */
  readonly item: number | null;
  readonly state: TaskState;
  readonly port: string | null;
  readonly retryAt: string | number | null;
}

export interface JobTally {
  readonly nodes: ReadonlyMap<string, NodeTally>;
  /** Keys of the edges that at least one replica took. */
  readonly taken: ReadonlySet<string>;
}

export const edgeKey = (edge: { from: string; to: string; port?: string | undefined }): string =>
  JSON.stringify([edge.from, edge.to, edge.port]);

export const emptyTally = (): NodeTally => ({
  states: tableOf(TASK_STATES, () => 0),
  retrying: 0,
  skipped: 0,
  passed: 0,
  waiting: 0,
});

/**
 * Adds up a job, replica by replica: `add` takes all tasks of one, `result` counts the replicas that have none too.
 * A caller with many may stop between two. Tasks of nodes that the graph does not have are left out.
 */
export function openTally(graph: Graph): {
  add(tasks: readonly TallyTask[]): void;
  result(replicas: number): JobTally;
} {
  const nodes = new Map([...graph.nodes.keys()].map((id) => [id, emptyTally()]));
  const taken = new Set<string>();
  let added = 0;
  return {
    add(tasks) {
      added++;
      addReplica(
        graph,
        nodes,
        taken,
        tasks.filter(({ node }) => nodes.has(node)),
        1,
      );
    },
    result(replicas) {
      if (replicas > added) addReplica(graph, nodes, taken, [], replicas - added);
      return { nodes, taken };
    },
  };
}

/** The same of tasks in any order; those of replicas beyond `replicas` are left out. */
export function tally(graph: Graph, tasks: readonly TallyTask[], replicas: number): JobTally {
  const byReplica = new Map<number, TallyTask[]>();
  for (const task of tasks) {
    if (task.replica >= replicas) continue;
    const own = byReplica.get(task.replica);
    if (own) own.push(task);
    else byReplica.set(task.replica, [task]);
  }
  const open = openTally(graph);
  for (const own of byReplica.values()) open.add(own);
  return open.result(replicas);
}

function addReplica(
  graph: Graph,
  nodes: ReadonlyMap<string, NodeTally>,
  taken: Set<string>,
  tasks: readonly TallyTask[],
  times: number,
): void {
  const progress = new Map<string, NodeProgress>();
  const fanned = new Set(tasks.filter(({ item }) => item !== null).map(({ node }) => node));
  const listed = new Set(tasks.filter(({ node, item }) => item === null && fanned.has(node)).map(({ node }) => node));
  for (const task of tasks) {
    // What made the list is no item: it tells whether the node is through, and is not counted beside them.
    const isList = task.item === null && fanned.has(task.node);
    // Tasks are of nodes of their graph.
    if (!isList) count(nodes.get(task.node) as NodeTally, task, times);
    if (listed.has(task.node) && !isList) continue;
    const before = progress.get(task.node);
    const done =
      (task.state === 'COMPLETED' || (collects(graph, task.node) && isFinal(task))) && (before?.done ?? true);
    progress.set(task.node, { done, port: task.port ?? before?.port });
  }
  markEmptyLists(graph, progress);
  const stands = nodeStates(graph, progress);
  for (const [id, standing] of stands) {
    // Standings are of the nodes of the graph.
    const at = nodes.get(id) as NodeTally;
    if (standing === 'skipped') at.skipped += times;
    else if (standing === 'waiting') at.waiting += times;
    else if (!progress.has(id)) {
      // A structure node is passed as soon as it is due; another that is due has its task in the making.
      if (makesNoTask(graph, id)) at.passed += times;
      else at.waiting += times;
    } else if (!tasks.some(({ node }) => node === id)) at.passed += times;
  }
  for (const edges of graph.outgoing.values())
    for (const edge of edges) if (isTaken(edge, stands, progress)) taken.add(edgeKey(edge));
}

function count(at: NodeTally, task: TallyTask, times: number): void {
  at.states[task.state] += times;
  if (task.state === 'FAILED' && task.retryAt !== null) at.retrying += times;
}

/** A `forEach` over an empty list makes no task; that it was passed shows in what came after it. */
function markEmptyLists(graph: Graph, progress: Map<string, NodeProgress>): void {
  for (const [id, node] of graph.nodes) {
    if (node.type !== 'forEach' || progress.has(id)) continue;
    if (graph.outgoing.get(id)?.some((edge) => progress.has(edge.to))) progress.set(id, { done: true });
  }
}

/** A failed item does not keep the replica from going on. */
const collects = (graph: Graph, id: string): boolean => {
  const node = graph.nodes.get(id);
  return node?.type === 'forEach' && node.config?.['onError'] === 'collect';
};

const isFinal = ({ state, retryAt }: TallyTask): boolean =>
  (state === 'FAILED' && retryAt === null) || state === 'RUN_TIMEOUT' || state === 'SCHEDULE_TIMEOUT';

const makesNoTask = (graph: Graph, id: string): boolean =>
  id === graph.inputId || id === graph.outputId || graph.nodes.get(id)?.type === 'output';

function isTaken(
  edge: WorkflowEdge,
  stands: ReadonlyMap<string, NodeProgressState>,
  progress: ReadonlyMap<string, NodeProgress>,
): boolean {
  if (stands.get(edge.from) !== 'done') return false;
  return edge.port === undefined || progress.get(edge.from)?.port === edge.port;
}
