import { valueAt } from '../../../../lib/item-at.ts';
import type { Definition, WorkflowEdge, WorkflowNode } from '../../../../contract/definition.ts';
import { isJsonEqual } from '../../../ui/json-text/json-equal.ts';
import { type Conflict, type ConflictResolver, mergeMembers, mergeOrder, mergeValue, type Side } from './three-way.ts';

export interface Merge {
  /** With the choices made; where none was made, mine. */
  readonly definition: Definition;
  /** All of them, decided or not, in the order of the definition. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Brings together what two authors made of one definition: by setting, by node and in a node by member, by edge, and by
 * note and group of the canvas. What only one of them changed is taken; what both changed in the same way is taken once;
 * the rest is a conflict and never lost in silence. Pure. Graphs that were in order on both sides are so together, or a conflict names why not:
 * a node that one took away and the other still leads to, edges that only together make a circle.
 */
export function mergeDefinitions(
  base: Definition,
  theirs: Definition,
  mine: Definition,
  choices: ReadonlyMap<string, Side> = new Map(),
): Merge {
  const conflicts: Conflict[] = [];
  const judge: ConflictResolver = {
    decide(conflict) {
      conflicts.push(conflict);
      return conflict[choices.get(conflict.key) ?? 'mine'];
    },
  };
  const settings = mergeSettings(base, theirs, mine, judge);
  const nodes = mergeNodes(base, theirs, mine, settings.output, judge);
  const edges = mergeEdges(base, theirs, mine, new Set(nodes.map(({ id }) => id)), judge);
  const canvas = mergeCanvas(base.canvas, theirs.canvas, mine.canvas, new Set(nodes.map(({ id }) => id)));
  return { definition: { ...settings, nodes, edges, ...(canvas === undefined ? {} : { canvas }) }, conflicts };
}

function mergeSettings(
  base: Definition,
  theirs: Definition,
  mine: Definition,
  judge: ConflictResolver,
): Omit<Definition, 'nodes' | 'edges' | 'canvas'> {
  const only = (side: Definition) => {
    const { nodes: _, edges: __, canvas: ___, ...settings } = side;
    return settings;
  };
  return mergeMembers('settings', only(base), only(theirs), only(mine), judge, 1) as Omit<
    Definition,
    'nodes' | 'edges' | 'canvas'
  >;
}

const byId = (definition: Definition): ReadonlyMap<string, WorkflowNode> =>
  new Map(definition.nodes.map((node) => [node.id, node]));
const idsOf = (definition: Definition): string[] => definition.nodes.map(({ id }) => id);

/** Nodes that a side leads edges to or from that were not there before, or that it makes the output. */
function wantedBy(base: Definition, side: Definition): ReadonlySet<string> {
  const before = new Set(base.edges.map(edgeKey));
  const ids = side.edges.flatMap((edge) => (before.has(edgeKey(edge)) ? [] : [edge.from, edge.to]));
  return new Set(side.output === base.output ? ids : [...ids, side.output]);
}

function mergeNodes(
  base: Definition,
  theirs: Definition,
  mine: Definition,
  output: string,
  judge: ConflictResolver,
): WorkflowNode[] {
  const [inBase, inTheirs, inMine] = [byId(base), byId(theirs), byId(mine)];
  const [wantedByThem, wantedByMe] = [wantedBy(base, theirs), wantedBy(base, mine)];
  const merged = new Map<string, WorkflowNode>();
  for (const id of new Set([...idsOf(mine), ...idsOf(theirs), ...idsOf(base)])) {
    const [b, t, m] = [inBase.get(id), inTheirs.get(id), inMine.get(id)];
    const key = `nodes/${id}`;
    let node: unknown;
    if (b && t && m)
      node = withPlace(
        mergeMembers(key, placeless(b), placeless(t), placeless(m), judge, t.type === m.type ? 2 : 1),
        b,
        t,
        m,
      );
    else if (b && t && !m)
      node =
        isJsonEqual(placeless(b), placeless(t)) && !wantedByThem.has(id)
          ? undefined
          : judge.decide({ key, base: b, theirs: t, mine: undefined });
    else if (b && m && !t)
      node =
        isJsonEqual(placeless(b), placeless(m)) && !wantedByMe.has(id)
          ? undefined
          : judge.decide({ key, base: b, theirs: undefined, mine: m });
    else node = t && m && isJsonEqual(placeless(t), placeless(m)) ? m : mergeValue(key, b, t, m, judge);
    // Merged member by member of nodes, or one of them.
    if (node !== undefined) merged.set(id, node as WorkflowNode);
  }
  // The chosen output may be a node that the other side took away.
  const lost = merged.has(output) ? undefined : (inMine.get(output) ?? inTheirs.get(output));
  if (lost) merged.set(output, lost);
  return mergeOrder(idsOf(base), idsOf(theirs), idsOf(mine), new Set(merged.keys())).map((id) => valueAt(merged, id));
}

function placeless(node: WorkflowNode): Omit<WorkflowNode, 'position'> {
  const { position: _, ...rest } = node;
  return rest;
}

/** Where a node lies on the canvas is no matter to ask about: mine where I moved it. */
function withPlace(node: unknown, base: WorkflowNode, theirs: WorkflowNode, mine: WorkflowNode): WorkflowNode {
  const position = isJsonEqual(base.position, mine.position) ? theirs.position : mine.position;
  return { ...(node as WorkflowNode), ...(position === undefined ? {} : { position }) };
}

const edgeKey = ({ from, to, port }: WorkflowEdge): string => JSON.stringify([from, to, port ?? null]);

function mergeEdges(
  base: Definition,
  theirs: Definition,
  mine: Definition,
  nodes: ReadonlySet<string>,
  judge: ConflictResolver,
): WorkflowEdge[] {
  const byKey = ({ edges }: Definition) => new Map(edges.map((edge) => [edgeKey(edge), edge]));
  const [inBase, inTheirs, inMine] = [byKey(base), byKey(theirs), byKey(mine)];
  const kept = new Set<string>();
  for (const key of new Set([...inMine.keys(), ...inTheirs.keys()])) {
    const [b, t, m] = [inBase.has(key), inTheirs.has(key), inMine.has(key)];
    if (t === m ? m : t !== b ? t : m) kept.add(key);
  }
  const among = (edges: readonly WorkflowEdge[]) => edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  const merged = among(
    mergeOrder([...inBase.keys()], [...inTheirs.keys()], [...inMine.keys()], kept).map(
      (key) => inMine.get(key) ?? valueAt(inTheirs, key),
    ),
  );
  if (
    isJsonEqual(merged, mine.edges) ||
    isJsonEqual(merged, theirs.edges) ||
    !isCircular(merged) ||
    isCircular(theirs.edges) ||
    isCircular(mine.edges)
  )
    return merged;
  return among(
    judge.decide({ key: 'edges', base: base.edges, theirs: theirs.edges, mine: mine.edges }) as WorkflowEdge[],
  );
}

function isCircular(edges: readonly WorkflowEdge[]): boolean {
  const open = new Map<string, number>();
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) {
    open.set(from, open.get(from) ?? 0);
    open.set(to, (open.get(to) ?? 0) + 1);
    after.set(from, [...(after.get(from) ?? []), to]);
  }
  const ready = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []));
  for (const id of ready)
    for (const to of after.get(id) ?? []) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) ready.push(to);
    }
  return ready.length < open.size;
}

type Canvas = NonNullable<Definition['canvas']>;

/** Notes and groups are looks: where both changed one, mine stands. A note that one changed and the other took away stays. */
function mergeCanvas(
  base: Canvas | undefined,
  theirs: Canvas | undefined,
  mine: Canvas | undefined,
  nodes: ReadonlySet<string>,
): Canvas | undefined {
  if (isJsonEqual(theirs, mine) || isJsonEqual(base, theirs)) return mine && within(mine, nodes);
  if (isJsonEqual(base, mine)) return theirs && within(theirs, nodes);
  const notes = mergeList(base?.notes, theirs?.notes, mine?.notes);
  const groups = mergeList(base?.groups, theirs?.groups, mine?.groups);
  return within({ ...(notes ? { notes } : {}), ...(groups ? { groups } : {}) }, nodes);
}

/** A group holds nodes that there are. */
function within(canvas: Canvas, nodes: ReadonlySet<string>): Canvas {
  if (canvas.groups?.every((group) => group.nodes.every((id) => nodes.has(id))) ?? true) return canvas;
  return {
    ...canvas,
    groups: (canvas.groups ?? [])
      .map((group) => ({ ...group, nodes: group.nodes.filter((id) => nodes.has(id)) }))
      .filter((group) => group.nodes.length > 0),
  };
}

function mergeList<T extends { readonly id: string }>(
  base: readonly T[] = [],
  theirs: readonly T[] | undefined,
  mine: readonly T[] | undefined,
): T[] | undefined {
  if (!theirs && !mine) return undefined;
  const indexed = (list: readonly T[] = []) => new Map(list.map((one) => [one.id, one]));
  const [inBase, inTheirs, inMine] = [indexed(base), indexed(theirs), indexed(mine)];
  const prefersMine: ConflictResolver = { decide: ({ theirs: t, mine: m }) => m ?? t };
  const merged = new Map<string, T>();
  for (const id of new Set([...inMine.keys(), ...inTheirs.keys()])) {
    const one = mergeValue(id, inBase.get(id), inTheirs.get(id), inMine.get(id), prefersMine);
    // Merged member by member of such values, or one of them.
    if (one !== undefined) merged.set(id, one as T);
  }
  return mergeOrder([...inBase.keys()], [...inTheirs.keys()], [...inMine.keys()], new Set(merged.keys())).map((id) =>
    valueAt(merged, id),
  );
}
