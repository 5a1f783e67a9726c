import type { WorkflowNode } from '../../../contract/definition.ts';
import { type Graph, nodeStates } from '../../../contract/graph.ts';
import type { Limits } from '../../../contract/limits.ts';
import { findSecretNames } from '../../../contract/secret-names.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { LeasedNode } from '../../../contract/worker-protocol.ts';
import type { Runnable } from '../../workflows/port.ts';
import { waitRule, type WaitRule } from '../waits/wait-rule.ts';
import { hasTrait } from './node-traits.ts';

/** What the engine asks of a node on the way of an event, worked out once for each commit. */
export interface PlanNode {
  readonly id: string;
  readonly type: string;
  readonly retries: number;
  readonly backoffSeconds: number;
  readonly scheduleTimeoutMs: number;
  readonly runTimeoutMs: number;
  /** The handler that a worker must have registered to be given its tasks; null: any worker will do. */
  readonly handler: string | null;
  /** Of a forEach: what becomes of its list. Its own task only evaluates that. */
  readonly foreach: ForeachRule | null;
  /** The workflow that the master calls for its tasks, without a worker; null: a worker runs them. */
  readonly child: { readonly workflowId: string; readonly environment: Environment } | null;
  /** What its tasks wait for, once a worker has filled in the texts; null: it is no wait node. */
  readonly wait: WaitRule | null;
  /**
   * Where each successor has this node as its only predecessor and no port lies between: the ones that make tasks, and
   * whether the replica's output is this node's. Null: who is next depends on the replica's other tasks.
   */
  readonly simple: { readonly next: readonly string[]; readonly isOutput: boolean } | null;
  /** The linear run of nodes that starts after this one; a condition only as its last. */
  readonly chain: readonly string[];
  /** It, or a node of its chain, acts outside its worker: what is begun twice may be done twice. */
  readonly hasEffects: boolean;
  /** It and its chain only compute, within their worker: they may be leased ahead. */
  readonly computes: boolean;
  /** Secrets that it names. A node that names some follows no other in a lease: they are given to its own tasks alone. */
  readonly secrets: readonly string[];
}

export interface ForeachRule {
  /** Of the item tasks. */
  readonly item: PlanNode;
  /** Items of one replica that may be queued or with workers at once; `foreach/run-foreach.ts` withholds the others, so dispatch never meets them. */
  readonly concurrency: number;
  /** A failed item does not fail the replica. */
  readonly collect: boolean;
}

export interface Plan {
  readonly workflowId: string;
  readonly commit: string;
  readonly response: 'list' | 'first';
  readonly graph: Graph;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  /** Nodes that are due as soon as the replica begins. */
  readonly first: readonly string[];
  /** No node has effects outside its worker: run again from the start, nothing is done twice. */
  readonly isFreeOfSideEffects: boolean;
  /** The output is the input itself: the graph leads nowhere else. */
  readonly outputIsInput: boolean;
  /** Some node is a forEach. */
  readonly hasForeach: boolean;
  /** What a worker has to know of the commit. */
  readonly leased: readonly LeasedNode[];
}

/** Plans by commit; the runnables themselves are kept, in bounds, by the workflows room. They are made anew once a limit has changed that they took in. */
export function createPlans(limits: Readonly<Limits>): (runnable: Runnable) => Plan {
  let plans = new WeakMap<Runnable, Plan>();
  let { retries, retryBackoffSeconds, scheduleTimeoutSeconds } = limits;
  return (runnable) => {
    if (
      retries !== limits.retries ||
      retryBackoffSeconds !== limits.retryBackoffSeconds ||
      scheduleTimeoutSeconds !== limits.scheduleTimeoutSeconds
    ) {
      plans = new WeakMap();
      ({ retries, retryBackoffSeconds, scheduleTimeoutSeconds } = limits);
    }
    let plan = plans.get(runnable);
    if (!plan) {
      plan = buildPlan(runnable, limits);
      plans.set(runnable, plan);
    }
    return plan;
  };
}

export function buildPlan(
  runnable: Pick<Runnable, 'workflowId' | 'commit' | 'definition' | 'graph'>,
  limits: Readonly<Limits>,
): Plan {
  const { graph, definition } = runnable;
  const working = [...graph.nodes.values()].filter((node) => !hasTrait(node.type, 'structure'));
  const nodes = new Map(working.map((node) => [node.id, planNode(graph, node, limits)]));
  const standing = nodeStates(graph, new Map());
  const due = [...standing].filter(([, stands]) => stands === 'due').map(([id]) => id);
  return {
    workflowId: runnable.workflowId,
    commit: runnable.commit,
    response: definition.response,
    graph,
    nodes,
    first: due.filter((id) => nodes.has(id)),
    isFreeOfSideEffects: working.every(({ type }) => hasTrait(type, 'repeatable')),
    outputIsInput: due.includes(graph.outputId),
    hasForeach: working.some(({ type }) => type === 'forEach'),
    leased: working.map((node) => leasedNode(node, limits)),
  };
}

/**
 * The plan of a commit that cannot be run any more (a newer check found a fault in it): its tasks are still leased, and
 * the worker, which is told of no nodes, fails them. Nothing else of the master stands still for it.
 */
export function brokenPlan(workflowId: string, commit: string, limits: Readonly<Limits>): Plan {
  const node = (id: string): PlanNode => ({
    id,
    type: 'unknown',
    retries: 0,
    backoffSeconds: limits.retryBackoffSeconds,
    scheduleTimeoutMs: limits.scheduleTimeoutSeconds * 1000,
    runTimeoutMs: limits.runTimeoutSeconds * 1000,
    handler: null,
    foreach: null,
    child: null,
    wait: null,
    simple: { next: [], isOutput: false },
    chain: [],
    hasEffects: false,
    computes: false,
    secrets: [],
  });
  const nodes: Plan['nodes'] = Object.assign(new Map<string, PlanNode>(), { get: node });
  return {
    workflowId,
    commit,
    response: 'list',
    graph: { nodes: new Map(), incoming: new Map(), outgoing: new Map(), order: [], inputId: '', outputId: '' },
    nodes,
    first: ['unknown'],
    isFreeOfSideEffects: false,
    outputIsInput: false,
    hasForeach: false,
    leased: [],
  };
}

function planNode(graph: Graph, node: WorkflowNode, limits: Readonly<Limits>): PlanNode {
  const chain = chainAfter(graph, node.id);
  const plain: PlanNode = {
    id: node.id,
    type: node.type,
    retries: node.retries ?? limits.retries,
    backoffSeconds: node.retryBackoffSeconds ?? limits.retryBackoffSeconds,
    scheduleTimeoutMs: (node.scheduleTimeoutSeconds ?? limits.scheduleTimeoutSeconds) * 1000,
    runTimeoutMs: runTimeout(node, limits) * 1000,
    handler: handlerOf(node),
    foreach: null,
    child: childOf(node),
    wait: waitRule(node.id, node.name || node.id, node),
    simple: simpleSuccessors(graph, node),
    chain,
    hasEffects: [node.id, ...chain].some((id) => hasTrait(graph.nodes.get(id)?.type ?? node.type, 'effects')),
    computes: [node.id, ...chain].every((id) => hasTrait(graph.nodes.get(id)?.type ?? node.type, 'computes')),
    // The list of a forEach is made without them; its items are given what their node names.
    secrets: node.type === 'forEach' ? [] : secretsOf(node),
  };
  return node.type === 'forEach'
    ? { ...plain, foreach: foreachRule(plain, node.name || node.id, node.config ?? {}) }
    : plain;
}

const secretsOf = ({ type, config = {} }: Typed): string[] => findSecretNames(type, config);

const ITEMS_AT_ONCE = 10;

type Typed = Pick<WorkflowNode, 'type' | 'config'>;

const handlerOf = ({ type, config = {} }: Typed): string | null =>
  type === 'handler' ? String(config['handler']) : null;

function childOf({ type, config = {} }: Typed): PlanNode['child'] {
  return type === 'workflow'
    ? // Checked when the version was saved.
      { workflowId: String(config['workflowId']), environment: config['environment'] as Environment }
    : null;
}

function foreachRule(node: PlanNode, name: string, config: Record<string, unknown>): ForeachRule {
  // Checked when the version was saved.
  const inner = config['node'] as Typed;
  return {
    item: {
      ...node,
      handler: handlerOf(inner),
      child: childOf(inner),
      wait: waitRule(node.id, name, inner),
      simple: null,
      chain: [],
      hasEffects: hasTrait(inner.type, 'effects'),
      computes: hasTrait(inner.type, 'computes'),
      secrets: secretsOf(inner),
    },
    concurrency: (config['concurrency'] as number | undefined) ?? ITEMS_AT_ONCE,
    collect: config['onError'] === 'collect',
  };
}

function simpleSuccessors(graph: Graph, node: WorkflowNode): PlanNode['simple'] {
  const edges = graph.outgoing.get(node.id) ?? [];
  if (edges.some((edge) => edge.port !== undefined || (graph.incoming.get(edge.to) ?? []).length !== 1)) return null;
  const targets = [...new Set(edges.map((edge) => edge.to))];
  return { next: targets.filter((id) => id !== graph.outputId), isOutput: targets.includes(graph.outputId) };
}

/** Nodes that are leased with one, at most: what comes after is handed out when they are done. */
export const MAX_CHAIN = 50;

function chainAfter(graph: Graph, start: string): string[] {
  const chain: string[] = [];
  for (let at = start; chain.length < MAX_CHAIN && !hasTrait(graph.nodes.get(at)?.type ?? '', 'endsChain');) {
    const edges = graph.outgoing.get(at) ?? [];
    const next = edges[0]?.to;
    if (
      edges.length !== 1 ||
      next === undefined ||
      next === graph.outputId ||
      (graph.incoming.get(next) ?? []).length !== 1
    )
      break;
    const following = graph.nodes.get(next);
    if (!following || hasTrait(following.type, 'beginsChain') || secretsOf(following).length > 0) break;
    chain.push(next);
    at = next;
  }
  return chain;
}

function leasedNode(node: WorkflowNode, limits: Readonly<Limits>): LeasedNode {
  return {
    id: node.id,
    type: node.type,
    name: node.name ?? node.id,
    config: node.config ?? {},
    runTimeoutSeconds: runTimeout(node, limits),
  };
}

const runTimeout = (node: WorkflowNode, limits: Readonly<Limits>): number =>
  node.runTimeoutSeconds ?? limits.runTimeoutSeconds;
