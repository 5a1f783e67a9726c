import { keysOf } from '../../../../contract/tables.ts';
import type { Definition, WorkflowEdge } from '../../../../contract/definition.ts';
import { t, tn } from '../../../../lib/language.ts';
import { isJsonEqual } from '../../../ui/json-text/json-equal.ts';

/** What one author made of the base, in lines for people. */
export function mergeSummary(base: Definition, side: Definition): string[] {
  const before = new Map(base.nodes.map((node) => [node.id, node]));
  const after = new Map(side.nodes.map((node) => [node.id, node]));
  const added = side.nodes.filter(({ id }) => !before.has(id)).map(({ id }) => t('adds {id}', { id }));
  const removed = base.nodes.filter(({ id }) => !after.has(id)).map(({ id }) => t('removes {id}', { id }));
  const changed = side.nodes.flatMap((node) => {
    const old = before.get(node.id);
    if (!old || isJsonEqual(old, node)) return [];
    const members = [...new Set([...keysOf(old), ...keysOf(node)])].filter((key) => !isJsonEqual(old[key], node[key]));
    return [t('changes {id}: {members}', { id: node.id, members: members.join(', ') })];
  });
  const keys = (edges: readonly WorkflowEdge[]) =>
    new Set(edges.map((edge) => JSON.stringify([edge.from, edge.to, edge.port])));
  const [old, now] = [keys(base.edges), keys(side.edges)];
  const more = [...now].filter((key) => !old.has(key)).length;
  const fewer = [...old].filter((key) => !now.has(key)).length;
  const settings = [...new Set([...keysOf(base), ...keysOf(side)])].filter(
    (key) => key !== 'nodes' && key !== 'edges' && !isJsonEqual(base[key], side[key]),
  );
  return [
    ...added,
    ...removed,
    ...changed,
    ...(more > 0 ? [tn('adds {count} edge', 'adds {count} edges', more)] : []),
    ...(fewer > 0 ? [tn('removes {count} edge', 'removes {count} edges', fewer)] : []),
    ...settings.map((name) => t('changes the setting {name}', { name })),
  ];
}

/** Where a conflict is, for people. */
export function placeOf(key: string): string {
  if (key === 'edges') return t('The edges: combined, they would create a cycle');
  const [list, ...path] = key.split('/');
  if (list === 'settings') return t('Setting {name}', { name: path.join(' › ') });
  const [id = '', ...members] = path;
  return members.length === 0 ? t('Node {id}', { id }) : t('Node {id}: {member}', { id, member: members.join(' › ') });
}

/** A side of a conflict as text. */
export const sideText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
