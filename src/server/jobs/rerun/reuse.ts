import type { Graph } from '../../../contract/graph.ts';
import type { ReadHandle } from '../../store/port.ts';
import * as sql from './sql.ts';

/** What a node came to in the job that is run again. */
export interface FinishedNode {
  readonly id: string | null;
  readonly type: string;
  readonly port: string | null;
  readonly input: string;
  readonly output: string;
}

/** The nodes that finished in one replica of a job, with their texts: tasks, and lists whose outputs are joined. */
export function finishedNodes(read: ReadHandle, jobSeq: number, replica: number): Map<string, FinishedNode> {
  const found = new Map<string, FinishedNode>();
  for (const row of read.query<{ node: string } & FinishedNode>(sql.FINISHED_TASKS).all(jobSeq, replica))
    found.set(row.node, row);
  for (const row of read.query<{ node: string } & FinishedNode>(sql.FINISHED_FOREACHS).all(jobSeq, replica))
    found.set(row.node, row);
  return found;
}

export interface Reuse {
  /** Nodes whose outputs are taken over, in the order of the graph. */
  readonly nodes: readonly string[];
  /** Nodes that have to run although they do not depend on the one that is begun with. */
  readonly due: boolean;
  /** A node before it that has not finished: it would have to run first. */
  readonly missing: string | null;
}

/**
 * What of a replica is taken over where a job is run again from `from`: whatever finished and does not depend on it, in
 * the graph of the commit that is run now. A node is taken over only where all before it are.
 */
export function planReuse(
  graph: Graph,
  found: ReadonlyMap<string, Pick<FinishedNode, 'type' | 'port'>>,
  from: string,
): Reuse {
  const standing = new Map<string, 'done' | 'skipped' | 'due' | 'waiting'>();
  const nodes: string[] = [];
  for (const id of graph.order) {
    if (id === graph.inputId) {
      standing.set(id, 'done');
      continue;
    }
    let live = 0;
    let waiting = id === from;
    for (const edge of graph.incoming.get(id) ?? []) {
      const before = standing.get(edge.from);
      if (before === 'skipped') continue;
      if (before !== 'done') waiting = true;
      else if (edge.port === undefined || found.get(edge.from)?.port === edge.port) live++;
    }
    const known = !waiting && live > 0 && id !== graph.outputId && found.get(id)?.type === graph.nodes.get(id)?.type;
    if (known) nodes.push(id);
    standing.set(id, waiting ? 'waiting' : live === 0 ? 'skipped' : known ? 'done' : 'due');
  }
  const unfinished = before(graph, from).find((id) => standing.get(id) !== 'done' && standing.get(id) !== 'skipped');
  return {
    nodes,
    due: [...standing].some(([id, stands]) => stands === 'due' && id !== graph.outputId),
    missing: unfinished ?? null,
  };
}

/** All nodes that a node depends on, in the order of the graph. */
function before(graph: Graph, from: string): string[] {
  const needed = new Set([from]);
  for (const id of needed) for (const edge of graph.incoming.get(id) ?? []) needed.add(edge.from);
  needed.delete(from);
  return graph.order.filter((id) => needed.has(id));
}
