import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isRecord } from '../../../../lib/is-record.ts';
import { isRawNumber } from '../../../../lib/json.ts';
import { isSchema, type SchemaValue } from './schema-tree.ts';

const DEEPEST = 30;
/** What a text looks like. One that its format refuses all the same, such as 2026-02-30, is a text like any other. */
const FORMATS = [
  ['date-time', /^\d{4}-\d{2}-\d{2}T/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['uuid', /^[0-9a-f]{8}-/i],
  ['email', /^[^\s@]+@[^\s@]+$/],
  ['uri', /^https?:\/\/\S+$/],
] as const;
/** Characters. Some formats take long to refuse a long text. */
const LONGEST_FORMATTED = 2000;

/** A schema that an example meets: every member is required, lists take what all of their elements have in common. */
export function inferSchema(value: unknown, depth = 0): SchemaValue {
  if (value === null) return { type: 'null' };
  if (isRawNumber(value)) return { type: /^-?\d+$/.test(value.rawJSON) ? 'integer' : 'number' };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value === 'string') return textSchema(value);
  if (depth >= DEEPEST) return {};
  if (Array.isArray(value)) {
    const items = value.map((one) => inferSchema(one, depth + 1));
    return items.length === 0 ? { type: 'array' } : { type: 'array', items: items.reduce(inCommon) };
  }
  const entries = Object.entries(value ?? {});
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, one]) => [name, inferSchema(one, depth + 1)])),
    ...(entries.length === 0 ? {} : { required: entries.map(([name]) => name) }),
  };
}

function textSchema(text: string): SchemaValue {
  const format = text.length <= LONGEST_FORMATTED && FORMATS.find(([, looks]) => looks.test(text))?.[0];
  return { type: 'string', ...(format && meets(format, text) ? { format } : {}) };
}

/** As the master checks it: by the same table. */
function meets(name: (typeof FORMATS)[number][0], text: string): boolean {
  const format: unknown = fullFormats[name];
  const check = isRecord(format) && 'validate' in format ? format['validate'] : format;
  return check instanceof RegExp ? check.test(text) : check instanceof Function && check(text) === true;
}

const schemasIn = (value: unknown): Record<string, SchemaValue> =>
  Object.fromEntries(
    Object.entries(value ?? {}).filter((member): member is [string, SchemaValue] => isSchema(member[1])),
  );
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A schema that both take. */
export function inCommon(a: SchemaValue, b: SchemaValue): SchemaValue {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  const types = [...new Set([a['type'], b['type']].flat())].filter((type): type is string => typeof type === 'string');
  if (a['type'] === undefined || b['type'] === undefined) return {};
  if (types.length > 1)
    return types.every((type) => type === 'integer' || type === 'number') ? { type: 'number' } : { type: types };
  if (types[0] === 'object') {
    const [inA, inB] = [schemasIn(a['properties']), schemasIn(b['properties'])];
    const names = [...new Set([...Object.keys(inA), ...Object.keys(inB)])];
    const properties = Object.fromEntries(
      names.map((name) => [name, inA[name] && inB[name] ? inCommon(inA[name], inB[name]) : (inA[name] ?? inB[name])]),
    );
    const needed = listIn(a['required']).filter((name) => listIn(b['required']).includes(name));
    return { type: 'object', properties, ...(needed.length === 0 ? {} : { required: needed }) };
  }
  if (types[0] === 'array')
    return isRecord(a['items']) && isRecord(b['items'])
      ? { type: 'array', items: inCommon(a['items'], b['items']) }
      : { type: 'array', ...(a['items'] ? { items: a['items'] } : b['items'] ? { items: b['items'] } : {}) };
  return { type: types[0] };
}
