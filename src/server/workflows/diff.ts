import { createPatch, type Operation } from 'rfc6902';
import type { Definition, WorkflowEdge } from '../../contract/definition.ts';
import type { CommitDiff } from '../../contract/workflows.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { isRawNumber } from '../../lib/json.ts';

/** Product of lengths above which two arrays are not compared item by item: that takes its square in time. */
const MAX_PAIRS = 40_000;

/** What leads from one definition to another: nodes by id, edges as a set, the rest as a patch (RFC 6902). */
export function diffDefinitions(a: Definition, b: Definition): Omit<CommitDiff, 'from' | 'to'> {
  const before = new Map(a.nodes.map((node) => [node.id, node]));
  const after = new Map(b.nodes.map((node) => [node.id, node]));
  const changed = [...after].flatMap(([id, node]) => {
    const old = before.get(id);
    const patch = old === undefined ? [] : patchOf(old, node);
    return patch.length === 0 ? [] : [{ id, patch }];
  });
  return {
    nodes: {
      added: b.nodes.filter((node) => !before.has(node.id)),
      removed: a.nodes.filter((node) => !after.has(node.id)),
      changed,
    },
    edges: { added: without(b.edges, a.edges), removed: without(a.edges, b.edges) },
    settings: patchOf(settingsOf(a), settingsOf(b)),
  };
}

function patchOf(a: unknown, b: unknown): Operation[] {
  return createPatch(a, b, (from: unknown, to: unknown, pointer) => {
    if (isRawNumber(from) || isRawNumber(to))
      return JSON.stringify(from) === JSON.stringify(to)
        ? []
        : [{ op: 'replace', path: pointer.toString(), value: to }];
    if (Array.isArray(from) && Array.isArray(to) && from.length * to.length > MAX_PAIRS)
      return canonicalJson(from) === canonicalJson(to) ? [] : [{ op: 'replace', path: pointer.toString(), value: to }];
    return undefined;
  });
}

function settingsOf({ nodes: _nodes, edges: _edges, ...settings }: Definition): Record<string, unknown> {
  return settings;
}

const keyOf = (edge: WorkflowEdge) => JSON.stringify([edge.from, edge.to, edge.port]);

function without(edges: readonly WorkflowEdge[], others: readonly WorkflowEdge[]): WorkflowEdge[] {
  const known = new Set(others.map(keyOf));
  return edges.filter((edge) => !known.has(keyOf(edge)));
}
