import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import type { CommitDiff } from '../../../../contract/workflows.ts';
import { t, tn } from '../../../../lib/language.ts';

/** A diff of two versions, made ready for reading: every change with what stood there and what stands there now. */
export interface FieldChange {
  /** Path for people, such as `config.expression`. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
}
export interface NodeChange {
  readonly id: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly type: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
  /** Nothing but its place on the canvas. */
  readonly moved: boolean;
}
export interface EdgeChange {
  readonly kind: 'added' | 'removed';
  readonly text: string;
}
export interface ReadableDiff {
  readonly nodes: readonly NodeChange[];
  readonly edges: readonly EdgeChange[];
  readonly settings: readonly FieldChange[];
  readonly same: boolean;
  readonly summary: string;
}

/** `from`, `to`: the definitions that the diff is of; they give the values that its patches only name. */
export function readableDiff(diff: CommitDiff, from: Definition, to: Definition): ReadableDiff {
  const before = new Map(from.nodes.map((node) => [node.id, node]));
  const after = new Map(to.nodes.map((node) => [node.id, node]));
  const whole = (kind: 'added' | 'removed', node: WorkflowNode): NodeChange => ({
    id: node.id,
    kind,
    type: node.type,
    name: node.name ?? node.id,
    fields: [],
    moved: false,
  });
  const nodes: NodeChange[] = [
    ...diff.nodes.added.map((node) => whole('added', node)),
    ...diff.nodes.removed.map((node) => whole('removed', node)),
    ...diff.nodes.changed.map(({ id, patch }): NodeChange => {
      const now = after.get(id);
      const fields = fieldChanges(patch, before.get(id), now);
      return {
        id,
        kind: 'changed',
        type: now?.type ?? '',
        name: now?.name ?? id,
        fields,
        moved: fields.length > 0 && fields.every((field) => field.path.startsWith('position')),
      };
    }),
  ];
  const edges: EdgeChange[] = [
    ...diff.edges.added.map((edge) => ({ kind: 'added' as const, text: edgeText(edge) })),
    ...diff.edges.removed.map((edge) => ({ kind: 'removed' as const, text: edgeText(edge) })),
  ];
  const { nodes: _fromNodes, edges: _fromEdges, ...oldSettings } = from;
  const { nodes: _toNodes, edges: _toEdges, ...newSettings } = to;
  const settings = fieldChanges(diff.settings, oldSettings, newSettings);
  const same = nodes.length + edges.length + settings.length === 0;
  return { nodes, edges, settings, same, summary: summarise(nodes, edges, settings) };
}

/** Patches of one value, in the order of their paths; several that touch the same field become one. */
export function fieldChanges(
  patch: readonly { op: string; path: string; from?: unknown }[],
  before: unknown,
  after: unknown,
): FieldChange[] {
  const pointers = new Set<string>();
  for (const step of patch) {
    pointers.add(wholeField(step.path, before, after));
    if (step.op === 'move' && typeof step.from === 'string') pointers.add(wholeField(step.from, before, after));
  }
  return [...pointers].sort().flatMap((pointer): FieldChange[] => {
    const was = at(before, pointer);
    const is = at(after, pointer);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [
      {
        path: readablePath(pointer),
        kind: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
        before: was,
        after: is,
      },
    ];
  });
}

/** An index into a list means another element once one before it came or went, so such a change is told of the whole list. */
function wholeField(pointer: string, before: unknown, after: unknown): string {
  const steps = pointer.split('/').slice(1);
  for (let depth = 0; depth < steps.length; depth++) {
    const parent = depth === 0 ? '' : `/${steps.slice(0, depth).join('/')}`;
    if (Array.isArray(at(before, parent)) || Array.isArray(at(after, parent))) return parent;
  }
  return pointer;
}

function at(value: unknown, pointer: string): unknown {
  let node = value;
  for (const step of pointer.split('/').slice(1)) {
    if (node === null || typeof node !== 'object') return undefined;
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    node = Object.getOwnPropertyDescriptor(node, key)?.value;
  }
  return node;
}

const readablePath = (pointer: string): string =>
  pointer === ''
    ? t('whole value')
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .join('.');
export const edgeText = (edge: { from: string; to: string; port?: string | undefined }): string =>
  `${edge.from} → ${edge.to}${edge.port === undefined ? '' : ` (${edge.port})`}`;

/** One line for a list: what came, went and changed. */
function summarise(
  nodes: readonly NodeChange[],
  edges: readonly EdgeChange[],
  settings: readonly FieldChange[],
): string {
  const count = (kind: 'added' | 'removed' | 'changed') =>
    nodes.filter((node) => node.kind === kind && !node.moved).length;
  const edge = (kind: 'added' | 'removed') => edges.filter((one) => one.kind === kind).length;
  const counted: readonly [count: number, words: (n: number) => string][] = [
    [count('added'), (n) => tn('{count} node added', '{count} nodes added', n)],
    [count('removed'), (n) => tn('{count} node removed', '{count} nodes removed', n)],
    [count('changed'), (n) => tn('{count} node changed', '{count} nodes changed', n)],
    [nodes.filter((node) => node.moved).length, (n) => tn('{count} node moved', '{count} nodes moved', n)],
    [edge('added'), (n) => tn('{count} edge added', '{count} edges added', n)],
    [edge('removed'), (n) => tn('{count} edge removed', '{count} edges removed', n)],
    [settings.length, (n) => tn('{count} setting changed', '{count} settings changed', n)],
  ];
  const parts = counted.filter(([n]) => n > 0).map(([n, words]) => words(n));
  return parts.length === 0 ? t('No differences') : parts.join(', ');
}

/** A value as people read it: a text as it is, all else as JSON. */
export const readableValue = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
