import { isRecord } from '../../../lib/is-record.ts';

/** A first input for a workflow, made from its input schema: what is required, with examples and defaults where the schema has them. */
export function sampleInput(schema: unknown, depth = 0): unknown {
  if (!isRecord(schema) || depth > 6) return {};
  const s = schema;
  if (Array.isArray(s['examples']) && s['examples'].length > 0) return s['examples'][0];
  if ('default' in s) return s['default'];
  if ('const' in s) return s['const'];
  if (Array.isArray(s['enum']) && s['enum'].length > 0) return s['enum'][0];
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(s[key]) && s[key].length > 0 && s['type'] === undefined) return sampleInput(s[key][0], depth + 1);
  const type = Array.isArray(s['type']) ? s['type'][0] : (s['type'] ?? (s['properties'] ? 'object' : undefined));
  switch (type) {
    case 'object':
    case undefined:
      return sampleObject(s, depth);
    case 'array':
      return Array.from({ length: Math.min(3, Math.max(1, count(s['minItems']))) }, () =>
        sampleInput(s['items'] ?? { type: 'string' }, depth + 1),
      );
    case 'string':
      return sampleText(s);
    case 'integer':
    case 'number':
      return sampleNumber(s);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function sampleObject(s: Record<string, unknown>, depth: number): Record<string, unknown> {
  const properties = isRecord(s['properties']) ? s['properties'] : {};
  const required: string[] = Array.isArray(s['required']) ? s['required'] : [];
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 5);
  return Object.fromEntries(
    names.map((name) => [name, sampleInput(properties[name] ?? { type: 'string' }, depth + 1)]),
  );
}

function sampleText(s: Record<string, unknown>): string {
  const byFormat: Record<string, string> = {
    'date-time': '2026-01-01T00:00:00.000Z',
    date: '2026-01-01',
    email: 'someone@example.com',
    uri: 'https://example.com/',
    uuid: '00000000-0000-4000-8000-000000000000',
  };
  return byFormat[String(s['format'])] ?? 'text'.padEnd(Math.min(200, count(s['minLength'])), 't');
}

function sampleNumber(s: Record<string, unknown>): number {
  const low =
    typeof s['minimum'] === 'number'
      ? s['minimum']
      : typeof s['exclusiveMinimum'] === 'number'
        ? s['exclusiveMinimum'] + 1
        : null;
  const high = typeof s['maximum'] === 'number' ? s['maximum'] : null;
  return low ?? (high !== null && high < 1 ? high : 1);
}

const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.ceil(value) : 0);

/** Text of the array that the try-it editor starts with. */
export function sampleInputs(schema: unknown): string {
  return `${JSON.stringify([schema === undefined || typeof schema === 'boolean' ? { content: 'hello' } : sampleInput(schema)], null, 2)}\n`;
}

/** Text of the array with that one input, spelled as it is; null where there is none. */
export const listOf = (input: string | null): string | null =>
  input === null || input.trim() === '' ? null : `[\n${input.trim().replaceAll(/^/gm, '  ')}\n]\n`;
