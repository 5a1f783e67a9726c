import type { Definition, DefinitionFault as GraphFault, WorkflowNode } from '../../contract/definition.ts';
import { OUTSIDE_TYPES } from '../../contract/node-types.ts';
import { invalidAt } from '../../lib/fault.ts';

/** What of a definition a draft run runs. */
export interface DraftPlan {
  /** The last node; null: all of it. */
  readonly upTo: string | null;
  /** Nodes that reach beyond the worker do what they say. */
  readonly runEffects: boolean;
  /** What stand-ins give, by node id. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

const MARK = '/* stand-in */';
/** What a stand-in gives where nothing was named: an answer of the shape that comes after a call that went well. */
const HTTP_ANSWER = { status: 200, headers: {}, body: {} };
const OUTPUT = '~output';

/** True for the node that was put in another's place. */
export const isStandIn = (node: Pick<WorkflowNode, 'type' | 'config'> | undefined): boolean =>
  node?.type === 'code' && String(node.config?.['source'] ?? '').startsWith(MARK);

/**
 * The definition that a draft run runs: cut off after `upTo`, with stand-ins where it must not reach beyond the worker, and
 * without retries, so that an author sees the first error at once. `places` says where each of its nodes stood before.
 * Throws VALIDATION_FAILED for an id that the definition does not have.
 */
export function draftDefinition(
  definition: Definition,
  plan: DraftPlan,
): { definition: Definition; places: readonly number[] } {
  const known = new Set(definition.nodes.map(({ id }) => id));
  for (const [pointer, id] of [
    ...(plan.upTo === null ? [] : [['/upTo', plan.upTo] as const]),
    ...Object.keys(plan.outputs).map((id) => [`/outputs/${id}`, id] as const),
  ])
    if (!known.has(id))
      throw invalidAt(pointer, `node ${id} not found in the definition`, 'is not a node of the definition');
  const cut =
    plan.upTo === null
      ? { ...definition, kept: definition.nodes.map((_, index) => index) }
      : cutAfter(definition, plan.upTo);
  const nodes = cut.nodes.map((node) =>
    once(isStoodIn(node, plan) ? standIn(node, plan.outputs) : withInner(node, plan)),
  );
  return { definition: { ...definition, nodes, edges: cut.edges, output: cut.output }, places: cut.kept };
}

/** Faults as they lie in the definition that came, where those of nodes have moved. */
export function mapFaultPointers(faults: readonly GraphFault[], places: readonly number[]): GraphFault[] {
  return faults.map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace(/^\/nodes\/(\d+)/, (_, index) => `/nodes/${places[Number(index)] ?? index}`),
  }));
}

/** A node and all that it depends on, with an output of its own behind it. */
function cutAfter(
  { nodes, edges, output }: Definition,
  upTo: string,
): Pick<Definition, 'nodes' | 'edges' | 'output'> & { kept: number[] } {
  const needed = new Set([upTo]);
  for (const id of needed) for (const edge of edges) if (edge.to === id) needed.add(edge.from);
  const kept = nodes.flatMap(({ id }, index) => (needed.has(id) ? [index] : []));
  const inside = edges.filter(({ from, to }) => needed.has(from) && needed.has(to));
  const left = kept.flatMap((index) => nodes[index] ?? []);
  if (upTo === output) return { nodes: left, edges: inside, output, kept };
  const isCondition = nodes.find(({ id }) => id === upTo)?.type === 'condition';
  const out: WorkflowNode = { id: OUTPUT, type: 'output', join: 'value' };
  // Whichever port it takes, that is where the run ends.
  const last = isCondition
    ? ['true', 'false'].map((port) => ({ from: upTo, to: OUTPUT, port }))
    : [{ from: upTo, to: OUTPUT }];
  return { nodes: [...left, out], edges: [...inside, ...last], output: OUTPUT, kept };
}

const isStoodIn = ({ id, type }: WorkflowNode, { runEffects, outputs }: DraftPlan): boolean =>
  type !== 'input' && type !== 'output' && (Object.hasOwn(outputs, id) || (!runEffects && OUTSIDE_TYPES.has(type)));

function standIn(node: WorkflowNode, outputs: DraftPlan['outputs']): WorkflowNode {
  if (node.type === 'wait' && !Object.hasOwn(outputs, node.id))
    return { ...node, type: 'code', config: { source: waitSource(node.id, node.config) } };
  const output = Object.hasOwn(outputs, node.id) ? outputs[node.id] : defaultOutput(node.type);
  // A condition hands its input on over a port: it stays what it is.
  if (node.type === 'condition') return { ...node, config: { expression: output === false ? 'false' : 'true' } };
  return { ...node, type: 'code', config: { source: codeOf(output) } };
}

const defaultOutput = (type: string): unknown => (type === 'http' ? HTTP_ANSWER : {});
/** The text is JSON twice, so that no name in it (`__proto__`) means anything to the code. */
const codeOf = (output: unknown): string =>
  `${MARK} return JSON.parse(${JSON.stringify(JSON.stringify(output) ?? 'null')})`;

/** In the place of a wait: what it waits for has come, a signal without payload or an approval by nobody. */
function waitSource(id: string, config: Readonly<Record<string, unknown>> = {}): string {
  if (config['for'] === 'time') return `${MARK} return input`;
  const come =
    config['for'] === 'signal'
      ? { signal: { name: config['name'] ?? id, sentBy: 'draft', sentAt: null, payload: null } }
      : { approval: { id: null, decision: 'approve', comment: null, decidedBy: 'draft', decidedAt: null, form: null } };
  return `${MARK} return { input, ...JSON.parse(${JSON.stringify(JSON.stringify(come))}), timedOut: false }`;
}

/** Of a forEach: what it does with each item. */
function withInner(node: WorkflowNode, { runEffects }: DraftPlan): WorkflowNode {
  const inner =
    node.type === 'forEach' && !runEffects
      ? (node.config?.['node'] as { type?: unknown; config?: Record<string, unknown> } | undefined)
      : undefined;
  if (typeof inner?.type !== 'string' || !OUTSIDE_TYPES.has(inner.type)) return node;
  const source = inner.type === 'wait' ? waitSource(node.id, inner.config) : codeOf(defaultOutput(inner.type));
  return { ...node, config: { ...node.config, node: { type: 'code', config: { source } } } };
}

const once = (node: WorkflowNode): WorkflowNode =>
  node.type === 'input' || node.type === 'output' ? node : { ...node, retries: 0 };
