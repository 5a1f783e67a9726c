import { nodeTypeDoc, freshId } from './node-types.ts';
import { memberValue } from '../../../ui/json-text/locate.ts';
import { typedNodes } from './schema.ts';
import { scanJson } from '../../../ui/json-text/scan.ts';

export interface Insertion {
  readonly at: number;
  readonly text: string;
  /** The id of the new node in the changed text, to be selected. */
  readonly select: { readonly from: number; readonly to: number };
}

/** Where and what to write so that the definition gets one more node, or null where it has no list of nodes to add to. */
export function nodeInsertion(text: string, type: string): Insertion | null {
  const { root } = scanJson(text);
  const nodes = memberValue(root, 'nodes');
  if (nodes?.kind !== 'array' || !nodes.closed) return null;
  const id = freshId(type, new Set(typedNodes(root).map((node) => node.id)));
  const config = nodeTypeDoc(type)?.config ?? {};
  const node = `{ "id": ${JSON.stringify(id)}, "type": ${JSON.stringify(type)}${Object.keys(config).length === 0 ? '' : `, "config": ${spaced(config)}`} }`;
  const last = nodes.items.at(-1);
  const indent = '    ';
  const at = last ? last.to : nodes.from + 1;
  const before = last ? `,\n${indent}` : `\n${indent}`;
  const after = last ? '' : '\n  ';
  const from = at + before.length + '{ "id": "'.length;
  return { at, text: `${before}${node}${after}`, select: { from, to: from + id.length } };
}

const spaced = (config: Readonly<Record<string, unknown>>): string =>
  `{ ${Object.entries(config)
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ')} }`;
