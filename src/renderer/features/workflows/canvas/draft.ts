import { CanvasSchema, type Definition } from '../../../../contract/definition.ts';
import { parseJson } from '../../../../lib/json.ts';
import { t } from '../../../../lib/language.ts';
import { shapeFaults } from '../../../ui/json-text/check.ts';
import { stringValue, memberValue } from '../../../ui/json-text/locate.ts';
import type { JsonNode, Parsed } from '../../../ui/json-text/scan.ts';

/** What a text can be drawn as. `fault`: why it cannot; then there is no definition. */
export type Draft =
  | { readonly definition: Definition; readonly fault: null }
  | { readonly definition: null; readonly fault: string };

/**
 * Reads a text as far as canvas and forms need it. Less strict than the schema of a definition: a name that is empty for a
 * moment, a setting out of its range, an unknown type are all drawn, and said as faults. Refused is what no edit by id could work on.
 */
export function readDraft(text: string, { root, errors }: Parsed): Draft {
  const fault = errors[0]?.message ?? (root === null ? t('The text is empty.') : whyNotDrawn(root));
  if (fault !== null && fault !== undefined) return { definition: null, fault };
  return { definition: parseJson<Definition>(text), fault: null };
}

function whyNotDrawn(root: JsonNode): string | null {
  const nodes = memberValue(root, 'nodes');
  const edges = memberValue(root, 'edges');
  if (root.kind !== 'object' || nodes?.kind !== 'array' || edges?.kind !== 'array')
    return t('A definition must be an object with lists of nodes and edges.');
  const seen = new Set<string>();
  for (const [index, node] of nodes.items.entries()) {
    const id = stringValue(memberValue(node, 'id'));
    const [config, position] = [memberValue(node, 'config'), memberValue(node, 'position')];
    if (id === null || id === '' || stringValue(memberValue(node, 'type')) === null)
      return t('Node {number} has no ID or no type.', { number: index + 1 });
    if (seen.has(id)) return t('Two nodes have the ID {id}.', { id });
    if (config && config.kind !== 'object') return t('The settings of {id} must be an object.', { id });
    if (position && (memberValue(position, 'x')?.kind !== 'number' || memberValue(position, 'y')?.kind !== 'number'))
      return t('The position of {id} must have x and y.', { id });
    seen.add(id);
  }
  for (const [index, edge] of edges.items.entries()) {
    const port = memberValue(edge, 'port');
    if (
      stringValue(memberValue(edge, 'from')) === null ||
      stringValue(memberValue(edge, 'to')) === null ||
      (port && port.kind !== 'string')
    )
      return t('Edge {number} must have a source and a target.', { number: index + 1 });
  }
  const canvas = memberValue(root, 'canvas');
  const faults = canvas ? shapeFaults(canvas, CanvasSchema) : [];
  return faults[0] ? t('Could not parse notes and groups: {fault}', { fault: faults[0].message }) : null;
}

/** The node or edge that a JSON pointer leads into, by its place in the list; null where it leads to neither. */
export function faultPath(pointer: string): { list: 'nodes' | 'edges'; index: number } | null {
  const found = /^\/(nodes|edges)\/(\d+)/.exec(pointer);
  return found ? { list: found[1] as 'nodes' | 'edges', index: Number(found[2]) } : null;
}
