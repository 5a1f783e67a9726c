import { isRecord } from '../../../lib/is-record.ts';
import { escapePointer } from '../../../lib/validation-errors.ts';
import { withPlainNumbers } from '../../../lib/json.ts';

export interface SchemaFault {
  /** JSON pointer into the schema. */
  pointer: string;
  message: string;
}

const ONE = new Set([
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  'additionalItems',
]);
const MANY = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAP = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/** The keyword that charges the meter; see compile.ts. */
export const METER_KEYWORD = 'x-yardmaster-step';

/**
 * A copy of a user's schema in which each subschema charges the meter, and what is refused in it: references out of
 * the document, or to places that are no subschema (they would be checked without being charged).
 */
export function prepareSchema(schema: unknown, schemaBytes: number): { prepared: unknown; faults: SchemaFault[] } {
  const faults: SchemaFault[] = [];
  const size = Buffer.byteLength(JSON.stringify(schema));
  if (size > schemaBytes)
    return {
      prepared: true,
      faults: [{ pointer: '', message: `the schema has ${size} bytes; the maximum is ${schemaBytes}` }],
    };
  const copy = withPlainNumbers(schema);
  const subschemas = new Set<unknown>();
  const references: { pointer: string; target: string }[] = [];
  const anchors = new Set<string>();

  function visit(node: unknown, pointer: string): void {
    if (!isRecord(node) || subschemas.has(node)) return;
    subschemas.add(node);
    for (const [key, value] of Object.entries(node)) {
      const here = `${pointer}/${escapePointer(key)}`;
      if (ONE.has(key)) visit(value, here);
      else if (MANY.has(key) || (key === 'items' && Array.isArray(value))) {
        if (Array.isArray(value)) value.forEach((item, i) => visit(item, `${here}/${i}`));
      } else if (key === 'items') visit(value, here);
      else if (MAP.has(key)) {
        if (isRecord(value))
          for (const [name, item] of Object.entries(value)) visit(item, `${here}/${escapePointer(name)}`);
      } else if (REFERENCES.has(key)) references.push({ pointer: here, target: String(value) });
      else if (key === '$anchor' || key === '$dynamicAnchor') anchors.add(String(value));
      else if (key === '$id' && pointer !== '')
        faults.push({
          pointer: here,
          message: '$id inside a schema is not supported; use #/$defs/… references instead',
        });
      else if (key === '$async' || key === '$data' || key === 'nullable' || key === METER_KEYWORD)
        faults.push({ pointer: here, message: `${key} is not supported` });
      else if (key === '$schema' && (pointer !== '' || !/^https?:\/\/json-schema\.org\//.test(String(value))))
        faults.push({ pointer: here, message: '$schema: only JSON Schema draft 2020-12 is supported' });
    }
    node[METER_KEYWORD] = 1 + Object.keys(node).length + sizeOf(node['enum']) + sizeOf(node['const']);
  }

  visit(copy, '');
  if (isRecord(copy)) {
    delete copy['$id'];
    delete copy['$schema'];
  }
  for (const { pointer, target } of references) {
    if (!target.startsWith('#'))
      faults.push({
        pointer,
        message: `${target}: only references inside the schema are supported, such as #/$defs/name`,
      });
    else if (target !== '#' && !target.startsWith('#/')) {
      if (!anchors.has(target.slice(1))) faults.push({ pointer, message: `${target}: anchor not found` });
    } else {
      const found = follow(copy, target.slice(1));
      if (typeof found !== 'boolean' && !subschemas.has(found))
        faults.push({ pointer, message: `${target} does not point to a schema` });
    }
  }
  return { prepared: copy, faults };
}

/** What it costs to compare with a value: its members, and those of its members. */
function sizeOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + 1 + sizeOf(member), 0);
}

function follow(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split('/').slice(1)) {
    if (at === null || typeof at !== 'object') return undefined;
    let key: string;
    try {
      key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    } catch {
      return undefined;
    }
    at = Object.getOwnPropertyDescriptor(at, key)?.value;
  }
  return at;
}
