import type { Definition, WorkflowEdge } from '../../../contract/definition.ts';
import { t } from '../../../lib/language.ts';
import { edgeKey } from './edits.ts';

/** The ways out of a node: a condition has two that are named, an output none, all others one without a name. */
export function portsOf(type: string): readonly (string | undefined)[] {
  if (type === 'condition') return ['true', 'false'];
  return type === 'output' ? [] : [undefined];
}
export const takesInput = (type: string): boolean => type !== 'input';

/**
 * Why an edge would be a fault, in words for people; null: it may be drawn. The master's checker (`check-graph.ts`) finds the
 * same things in a definition as a whole; here they are refused before they are there. `instead`: an edge that it replaces.
 */
export function whyNotConnect(definition: Definition, edge: WorkflowEdge, instead?: WorkflowEdge): string | null {
  const from = definition.nodes.find((node) => node.id === edge.from);
  const to = definition.nodes.find((node) => node.id === edge.to);
  if (!from || !to) return t('There is no such node.');
  if (from === to) return t('A node cannot hand its output to itself.');
  if (!takesInput(to.type)) return t('No edge may lead to the input node: what is called hands it its input.');
  if (from.type === 'output') return t('No edge may leave the output node: its input is the answer.');
  if (!portsOf(from.type).includes(edge.port)) return from.type === 'condition' ? t('An edge leaves a condition at true or at false.') : t('This node has one way out, without a name.');
  const left = instead ? definition.edges.filter((one) => edgeKey(one) !== edgeKey(instead)) : definition.edges;
  const key = edgeKey(edge);
  if (left.some((one) => edgeKey(one) === key)) return t('These two are connected already.');
  const way = wayBetween(left, edge.to, edge.from);
  if (way) return t('This would close a circle: {way}.', { way: [...way, edge.to].join(' → ') });
  return null;
}

/** Why no other node of a type may be there; null: it may. */
export function whyNotAdd(definition: Definition, type: string): string | null {
  return type === 'input' && definition.nodes.some((node) => node.type === 'input') ? t('A workflow has one input node, and this one has it.') : null;
}

/** The shortest way along edges, ends included; null: there is none. */
function wayBetween(edges: readonly WorkflowEdge[], start: string, end: string): string[] | null {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const before = new Map<string, string | null>([[start, null]]);
  for (const [id] of before) {
    if (id === end) {
      const way: string[] = [];
      for (let at: string | null = end; at !== null; at = before.get(at) ?? null) way.unshift(at);
      return way;
    }
    for (const to of next.get(id) ?? []) if (!before.has(to)) before.set(to, id);
  }
  return null;
}
