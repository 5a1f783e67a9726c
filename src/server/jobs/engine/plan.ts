import type { Graph } from '../../../contract/graph.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { WaitRule } from '../waits/wait-rule.ts';
import type { LeasedNode } from '../../../contract/worker-protocol.ts';

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
