import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { type After, edgeKey } from '../definition/edits.ts';

/** The ways out of a node: a condition has two that are named, an output none, all others one without a name. */
export function portsForType(type: string): readonly (string | undefined)[] {
  if (type === 'condition') return ['true', 'false'];
  return type === 'output' ? [] : [undefined];
}
export const takesInput = (type: string): boolean => type !== 'input';

/**
 * Why an edge would be a fault, in words for people; null: it may be drawn. The master's checker (`check-graph.ts`) finds the
 * same things in a definition as a whole; here they are refused before they are there. `instead`: an edge that it replaces.
 */
export const whyNotConnect = (definition: Definition, edge: WorkflowEdge, instead?: WorkflowEdge): string | null =>
  whyNotFollow(definition, edge, instead)(edge.to);

/** The same for one way out and any node that it may lead to: what they share is looked at once. */
export function whyNotFollow(
  definition: Definition,
  { from: id, port }: Pick<WorkflowEdge, 'from' | 'port'>,
  instead?: WorkflowEdge,
): (to: string) => string | null {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const from = nodes.get(id);
  const left = instead ? definition.edges.filter((one) => edgeKey(one) !== edgeKey(instead)) : definition.edges;
  const taken = new Set(left.flatMap((edge) => (edge.from === id && edge.port === port ? [edge.to] : [])));
  let next: ReadonlyMap<string, string> | null = null;
  return (target) => {
    const to = nodes.get(target);
    if (!from || !to) return t('Node not found.');
    if (from === to) return t("A node can't be connected to itself.");
    if (!takesInput(to.type)) return t("The input node can't have incoming edges: its input comes from the call.");
    if (from.type === 'output') return t("The output node can't have outgoing edges: its input is the response.");
    if (!portsForType(from.type).includes(port))
      return from.type === 'condition'
        ? t('An edge from a condition must start at true or false.')
        : t('This node has a single, unnamed output.');
    if (taken.has(target)) return t('These nodes are already connected.');
    next ??= waysTo(left, id);
    if (!next.has(target)) return null;
    const way = [target];
    for (let at = next.get(target); at !== undefined && at !== id; at = next.get(at)) way.push(at);
    return t('This would create a cycle: {way}.', { way: [...way, id, target].join(' → ') });
  };
}

/** Where a node of a type goes that is added while one node (`from`) is chosen: behind that, before what follows there; of the ways out of a condition the first that leads nowhere. Null: by itself. */
export function positionAfterNode(definition: Definition, from: string | null, type: string): After | null {
  const node = definition.nodes.find((one) => one.id === from);
  if (!node || !takesInput(type)) return null;
  const ports = portsForType(node.type);
  if (ports.length === 0) return null;
  const port =
    ports.find((one) => !definition.edges.some((edge) => edge.from === node.id && edge.port === one)) ?? ports[0];
  return { from: node.id, port, between: true };
}

/** Whether a node of a type can stand between two others. */
export const hasInputAndOutput = (type: string): boolean => takesInput(type) && portsForType(type).length > 0;

/** Whether a node that is there can be put into an edge: one that has no edge of its own yet. */
export function canInsertIntoEdge(definition: Definition, id: string, edge: WorkflowEdge): boolean {
  const node = definition.nodes.find((one) => one.id === id);
  return (
    node !== undefined &&
    hasInputAndOutput(node.type) &&
    !definition.edges.some(({ from, to }) => from === id || to === id) &&
    definition.edges.some((one) => edgeKey(one) === edgeKey(edge))
  );
}

/** Why no other node of a type may be there; null: it may. */
export function whyNotAdd(definition: Definition, type: string): string | null {
  return type === 'input' && definition.nodes.some((node) => node.type === 'input')
    ? t('A workflow can have only one input node.')
    : null;
}

/** Every node from which edges lead to this one, with the next node on the shortest way there. */
function waysTo(edges: readonly WorkflowEdge[], end: string): ReadonlyMap<string, string> {
  const before = Map.groupBy(edges, ({ to }) => to);
  const next = new Map<string, string>();
  const queue = [end];
  for (const at of queue) {
    for (const { from } of before.get(at) ?? []) {
      if (from === end || next.has(from)) continue;
      next.set(from, at);
      queue.push(from);
    }
  }
  return next;
}
