import type { CommitDiff } from '../../../contract/api.ts';
import type { Definition, WorkflowNode } from '../../../contract/definition.ts';
import { t } from '../../../lib/language.ts';

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
  const whole = (kind: 'added' | 'removed', node: WorkflowNode): NodeChange => ({ id: node.id, kind, type: node.type, name: node.name ?? node.id, fields: [], moved: false });
  const nodes: NodeChange[] = [
    ...(diff.nodes.added as WorkflowNode[]).map((node) => whole('added', node)),
    ...(diff.nodes.removed as WorkflowNode[]).map((node) => whole('removed', node)),
    ...diff.nodes.changed.map(({ id, patch }): NodeChange => {
      const now = after.get(id);
      const fields = fieldChanges(patch, before.get(id), now);
      return { id, kind: 'changed', type: now?.type ?? '', name: now?.name ?? id, fields, moved: fields.length > 0 && fields.every((field) => field.path.startsWith('position')) };
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
export function fieldChanges(patch: readonly { op: string; path: string; from?: unknown }[], before: unknown, after: unknown): FieldChange[] {
  const pointers = new Set<string>();
  for (const step of patch) {
    pointers.add(wholeField(step.path, before, after));
    if (step.op === 'move' && typeof step.from === 'string') pointers.add(wholeField(step.from, before, after));
  }
  return [...pointers].sort().flatMap((pointer): FieldChange[] => {
    const was = at(before, pointer);
    const is = at(after, pointer);
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ path: readablePath(pointer), kind: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed', before: was, after: is }];
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
    node = Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined;
  }
  return node;
}

const readablePath = (pointer: string): string => (pointer === '' ? 'everything' : pointer.slice(1).split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')).join('.'));
export const edgeText = (edge: { from: string; to: string; port?: string | undefined }): string => `${edge.from} → ${edge.to}${edge.port === undefined ? '' : ` (${edge.port})`}`;

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** One line for a list: what came, went and changed. */
function summarise(nodes: readonly NodeChange[], edges: readonly EdgeChange[], settings: readonly FieldChange[]): string {
  const parts: string[] = [];
  for (const kind of ['added', 'removed', 'changed'] as const) {
    const found = nodes.filter((node) => node.kind === kind && !node.moved).length;
    if (found > 0) parts.push(`${plural(found, 'node')} ${kind}`);
  }
  const moved = nodes.filter((node) => node.moved).length;
  if (moved > 0) parts.push(`${plural(moved, 'node')} moved`);
  for (const kind of ['added', 'removed'] as const) {
    const found = edges.filter((edge) => edge.kind === kind).length;
    if (found > 0) parts.push(`${plural(found, 'edge')} ${kind}`);
  }
  if (settings.length > 0) parts.push(`${plural(settings.length, 'setting')} changed`);
  return parts.length === 0 ? t('No difference') : parts.join(', ');
}

/** A value as people read it: a text as it is, all else as JSON. */
export const readableValue = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2));
