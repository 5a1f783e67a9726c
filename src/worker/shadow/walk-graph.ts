import { isRecord } from '../../lib/is-record.ts';
import type { Definition, WorkflowEdge, WorkflowNode } from '../../contract/definition.ts';
import { buildGraph } from '../../contract/graph.ts';
import type { ReplayError } from '../../contract/replay.ts';
import type { LeasedNode } from '../../contract/worker-protocol.ts';
import type { Outcome } from '../executors/executor.ts';
import { toReportedFailure } from '../task-execution-error.ts';
import { payloadFromText, type Payload } from '../payload.ts';

/** What is given in place of running a node (or one item of its list): an end, or why there is none. */
export type Answer = { readonly output: string } | { readonly error: ReplayError } | { readonly missing: string };

export interface WalkDeps {
  readonly definition: Definition;
  /** JSON text. */
  readonly input: string;
  /** Seconds that a node may run where it does not say. */
  readonly runTimeoutSeconds: number;
  /** Runs one node, or (`item` given) its inner node for one item. */
  execute(node: LeasedNode, input: Payload, item: number | null): Promise<Outcome>;
  /** What is given in its place; null: it runs. `type`: of the node, or of the inner node of a list. */
  answer(ask: {
    readonly node: string;
    readonly type: string;
    readonly item: number | null;
    readonly input: string;
  }): Answer | null;
}

export interface NodeEnd {
  readonly id: string;
  readonly type: string;
  readonly state: 'done' | 'failed' | 'skipped' | 'missing' | 'unreached';
  /** It did not run: an answer was given. */
  readonly given: boolean;
  /** JSON texts; null where it was not reached. */
  readonly input: string | null;
  readonly output: string | null;
  readonly port: string | null;
  readonly error: ReplayError | null;
  readonly ms: number;
}

export interface WalkResult {
  /** JSON text of the replica's output; null where it did not come to one. */
  readonly output: string | null;
  readonly nodes: readonly NodeEnd[];
  /** Edges along which a value went on, also to a node that was not run because another one failed. */
  readonly taken: readonly WorkflowEdge[];
}

const STRUCTURE = new Set(['input', 'output']);
/** Items of a list that run at once. */
const ITEMS_AT_ONCE = 4;

class Missing extends Error {}
class RecordedFailure extends Error {
  readonly recorded: ReplayError;
  constructor(recorded: ReplayError) {
    super(recorded.message);
    this.recorded = recorded;
  }
}

/**
 * Runs one input through a definition, node after node in the order of the graph, by the engine's rules of joins,
 * conditions and lists; a test holds the two together. Waits are not waited for, and nothing is tried twice.
 */
export async function walkGraph({
  definition,
  input,
  runTimeoutSeconds,
  execute,
  answer,
}: WalkDeps): Promise<WalkResult> {
  const graph = buildGraph(definition);
  const ends = new Map<string, NodeEnd>();
  for (const id of graph.order) {
    const node = graph.nodes.get(id);
    if (node === undefined) continue;
    ends.set(id, id === graph.inputId ? endOf(node, { state: 'done', input, output: input }) : await one(node));
  }

  async function one(node: WorkflowNode): Promise<NodeEnd> {
    const edges = graph.incoming.get(node.id) ?? [];
    const live = new Map<string, string>();
    for (const edge of edges) {
      const before = ends.get(edge.from);
      if (before === undefined || before.state === 'skipped') continue;
      if (before.state !== 'done') return endOf(node, { state: 'unreached' });
      if (edge.port === undefined || before.port === edge.port) live.set(edge.from, before.output ?? 'null');
    }
    if (live.size === 0)
      return node.id === graph.outputId
        ? endOf(node, { state: 'skipped', output: 'null' })
        : endOf(node, { state: 'skipped' });
    const single = edges.length === 1 || node.join === 'value';
    const [only = 'null'] = live.values();
    const text = single
      ? only
      : `{${[...live].map(([from, output]) => `${JSON.stringify(from)}:${output}`).join(',')}}`;
    return STRUCTURE.has(node.type) ? endOf(node, { state: 'done', input: text, output: text }) : run(node, text);
  }

  async function run(node: WorkflowNode, text: string): Promise<NodeEnd> {
    const started = performance.now();
    const took = () => performance.now() - started;
    try {
      if (isPassing(node)) return endOf(node, { state: 'done', given: true, input: text, output: text });
      const given = node.type === 'forEach' ? null : answered(node.id, node.type, null, text);
      if (given)
        return endOf(node, {
          state: given.error ? 'failed' : 'done',
          given: true,
          input: text,
          output: given.output,
          error: given.error,
        });
      const leased: LeasedNode = {
        id: node.id,
        type: node.type,
        name: node.name ?? node.id,
        config: node.config ?? {},
        runTimeoutSeconds: node.runTimeoutSeconds ?? runTimeoutSeconds,
      };
      const outcome = await execute(leased, payloadFromText(text), null);
      if (outcome.items)
        return { ...endOf(node, { state: 'done', input: text, ...(await list(leased, outcome.items)) }), ms: took() };
      return {
        ...endOf(node, { state: 'done', input: text, output: outcome.output.text(), port: outcome.port ?? null }),
        ms: took(),
      };
    } catch (error) {
      if (error instanceof Missing)
        return {
          ...endOf(node, { state: 'missing', input: text, error: { code: 'NOT_RECORDED', message: error.message } }),
          ms: took(),
        };
      return { ...endOf(node, { state: 'failed', input: text, error: toReplayError(error) }), ms: took() };
    }
  }

  function answered(
    node: string,
    type: string,
    item: number | null,
    text: string,
  ): { output: string | null; error: ReplayError | null } | null {
    const found = answer({ node, type, item, input: text });
    if (found === null) return null;
    if ('missing' in found) throw new Missing(found.missing);
    return 'error' in found ? { output: null, error: found.error } : { output: found.output, error: null };
  }

  /** The outputs of a list in its order. The first failure is the node's, unless failures are collected. */
  async function list(node: LeasedNode, items: readonly string[]): Promise<{ output: string; given: boolean }> {
    const inner = isRecord(node.config['node']) ? node.config['node'] : {};
    const type = String(inner['type']);
    const collect = node.config['onError'] === 'collect';
    const outputs = Array.from({ length: items.length }, () => 'null');
    let given = false;
    const remaining = items.entries();
    const runner = async () => {
      for (const [item, text] of remaining) {
        try {
          const known = isPassing(inner) ? { output: text, error: null } : answered(node.id, type, item, text);
          if (known) given = true;
          if (known?.error) throw new RecordedFailure(known.error);
          outputs[item] = known?.output ?? (await execute(node, payloadFromText(text), item)).output.text();
        } catch (error) {
          if (error instanceof Missing || !collect) throw error;
          outputs[item] = JSON.stringify({ error: toReplayError(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(ITEMS_AT_ONCE, items.length) }, runner));
    return { output: `[${outputs.join(',')}]`, given };
  }

  const nodes = [...ends.values()];
  const output = ends.get(graph.outputId);
  const broken = nodes.some(({ state }) => state === 'failed' || state === 'missing');
  return {
    output: broken || !output || output.state === 'unreached' ? null : output.output,
    nodes,
    taken: definition.edges.filter(({ from, port }) => {
      const before = ends.get(from);
      return before?.state === 'done' && (port === undefined || before.port === port);
    }),
  };
}

/** Waits for a time, and hands its input on. */
const isPassing = ({ type, config }: { readonly type?: unknown; readonly config?: unknown }): boolean =>
  type === 'delay' || (type === 'wait' && isRecord(config) && config['for'] === 'time');

const endOf = ({ id, type }: WorkflowNode, end: Partial<NodeEnd> & Pick<NodeEnd, 'state'>): NodeEnd => ({
  id,
  type,
  given: false,
  input: null,
  output: null,
  port: null,
  error: null,
  ms: 0,
  ...end,
});

function toReplayError(error: unknown): ReplayError {
  if (error instanceof RecordedFailure) return error.recorded;
  const { code, message } = toReportedFailure(error);
  return { code, message };
}
