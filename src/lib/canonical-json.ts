import { isRawNumber } from './json.ts';

/** Canonical JSON: keys sorted by UTF-16 code unit at every level, two spaces, final newline. Raw numbers stay as they came. */
export function canonicalJson(value: unknown): string {
  return `${write(value, '')}\n`;
}

function write(value: unknown, indent: string): string {
  if (value === null || typeof value !== 'object' || isRawNumber(value)) return JSON.stringify(value) ?? 'null';
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + write(item, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => byCodeUnit(a, b));
  if (members.length === 0) return '{}';
  return `{\n${members.map(([key, member]) => `${inner}${JSON.stringify(key)}: ${write(member, inner)}`).join(',\n')}\n${indent}}`;
}

const byCodeUnit = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
