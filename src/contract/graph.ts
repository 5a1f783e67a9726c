import type { Definition, WorkflowEdge, WorkflowNode } from './definition.ts';

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
export type NodeStanding = 'done' | 'skipped' | 'active' | 'due' | 'waiting';

/** Builds the graph of a definition that has no faults; throws on a cycle. */
export function graphOf(definition: Definition): Graph {
  const nodes = new Map(definition.nodes.map((n) => [n.id, n]));
  const incoming = new Map<string, WorkflowEdge[]>(definition.nodes.map((n) => [n.id, []]));
  const outgoing = new Map<string, WorkflowEdge[]>(definition.nodes.map((n) => [n.id, []]));
  for (const edge of definition.edges) {
    incoming.get(edge.to)?.push(edge);
    outgoing.get(edge.from)?.push(edge);
  }
  const open = new Map(definition.nodes.map((n) => [n.id, incoming.get(n.id)?.length ?? 0]));
  const order = definition.nodes.filter((n) => open.get(n.id) === 0).map((n) => n.id);
  for (let i = 0; i < order.length; i++) {
    for (const edge of outgoing.get(order[i] as string) ?? []) {
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
export function standings(
  graph: Graph,
  progress: Pick<ReadonlyMap<string, NodeProgress>, 'get'>,
): Map<string, NodeStanding> {
  const standing = new Map<string, NodeStanding>();
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
 * What the end of one node brings about, as `standings` would tell, without a look at what does not depend on it: the
 * nodes that are due or skipped now, in the order of the graph.
 */
export function standingsAfter(
  graph: Graph,
  progress: Pick<ReadonlyMap<string, NodeProgress>, 'get'>,
  from: string,
): { changed: string[]; standing: Pick<ReadonlyMap<string, NodeStanding>, 'get'> } {
  const known = new Map<string, NodeStanding>();
  const standingOf = (id: string): NodeStanding => {
    let standing = known.get(id);
    if (standing === undefined) known.set(id, (standing = lookAt(id)));
    return standing;
  };
  const lookAt = (id: string): NodeStanding => {
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
  standing: Pick<ReadonlyMap<string, NodeStanding>, 'get'>,
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
