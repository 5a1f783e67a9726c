import { scanJson, type JsonNode } from './scan.ts';

const WIDTH = 100;

/**
 * Lays JSON text out for reading: two spaces, and what fits in a line stays in one. Numbers and texts keep their very
 * spelling. Text that is no JSON comes back as it is.
 */
export function formatDefinition(text: string): string {
  const { root, errors } = scanJson(text);
  if (root === null || errors.length > 0) return text;
  return `${layOut(root, text, '', 0)}\n`;
}

/** A value laid out in the same way, to stand in a text. `indent`: of its line; null: all in one line. `before`: columns that are taken on the line. */
export function formatValue(value: unknown, indent: string | null, before = 0): string {
  const text = JSON.stringify(value);
  const root = scanJson(text).root as JsonNode;
  return indent === null ? oneLine(root, text) : layOut(root, text, indent, before);
}

/** JSON text laid out in the same way, to stand in a text at that indent. */
export const formatPart = (text: string, indent: string, before: number): string =>
  layOut(scanJson(text).root as JsonNode, text, indent, before);

/** `before`: columns that are taken on the line already. */
function layOut(node: JsonNode, text: string, indent: string, before: number): string {
  if (node.kind !== 'object' && node.kind !== 'array') return text.slice(node.from, node.to);
  const parts =
    node.kind === 'object'
      ? // Only texts without faults are laid out: each name has its value.
        node.members.map((m) => [text.slice(m.keyFrom, m.keyTo), m.value as JsonNode] as const)
      : node.items.map((item) => [null, item] as const);
  if (parts.length === 0) return node.kind === 'object' ? '{}' : '[]';
  // Nodes and edges are read one to a line, however few they are.
  const records = node.kind === 'array' && node.items.some((item) => item.kind === 'object');
  if (indent !== '' && !records && depthOf(node) <= 3) {
    const line = oneLine(node, text);
    if (indent.length + before + line.length <= WIDTH) return line;
  }
  const inner = `${indent}  `;
  const lines = parts.map(
    ([key, value]) =>
      `${inner}${key === null ? '' : `${key}: `}${layOut(value, text, inner, key === null ? 0 : key.length + 2)}`,
  );
  return `${node.kind === 'object' ? '{' : '['}\n${lines.join(',\n')}\n${indent}${node.kind === 'object' ? '}' : ']'}`;
}

function oneLine(node: JsonNode, text: string): string {
  if (node.kind === 'object') {
    if (node.members.length === 0) return '{}';
    // Without faults each name has its value.
    return `{ ${node.members.map((m) => `${text.slice(m.keyFrom, m.keyTo)}: ${oneLine(m.value as JsonNode, text)}`).join(', ')} }`;
  }
  if (node.kind === 'array') return `[${node.items.map((item) => oneLine(item, text)).join(', ')}]`;
  return text.slice(node.from, node.to);
}

function depthOf(node: JsonNode): number {
  if (node.kind === 'object')
    return 1 + Math.max(0, ...node.members.slice(0, 100).map((m) => (m.value ? depthOf(m.value) : 0)));
  if (node.kind === 'array') return 1 + Math.max(0, ...node.items.slice(0, 100).map(depthOf));
  return 0;
}
