import type { Definition } from '../../../contract/definition.ts';
import { isRawNumber } from '../../../lib/json.ts';
import { formatDefinition } from '../../ui/json-text/format.ts';

/**
 * The text of a stored definition for people. Versions are kept with their keys sorted; here what comes first in
 * thought comes first: a node begins with its id and type, not with its configuration.
 */
export const readableDefinition = (definition: Definition): string =>
  formatDefinition(JSON.stringify(ordered(definition)));

const TOP = ['schemaVersion', 'name', 'input', 'response', 'nodes', 'edges', 'output', 'canvas'];
const NODE = [
  'id',
  'type',
  'name',
  'config',
  'join',
  'retries',
  'retryBackoffSeconds',
  'scheduleTimeoutSeconds',
  'runTimeoutSeconds',
  'position',
];
const EDGE = ['from', 'to', 'port'];
const POSITION = ['x', 'y'];
const SCHEMA = ['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum'];

function ordered(definition: Definition): unknown {
  return first(TOP, {
    ...definition,
    ...(definition.input === undefined ? {} : { input: orderedSchema(definition.input) }),
    nodes: definition.nodes.map((node) =>
      first(NODE, node.position === undefined ? node : { ...node, position: first(POSITION, node.position) }),
    ),
    edges: definition.edges.map((edge) => first(EDGE, edge)),
  });
}

/** A JSON Schema and those inside it. What `properties` holds are names, which keep their order. */
function orderedSchema(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema) || isRawNumber(schema)) return schema;
  const inner = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === 'properties' && value !== null && typeof value === 'object')
      return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, orderedSchema(one)]))];
    return [key, key === 'items' ? orderedSchema(value) : value];
  });
  return first(SCHEMA, Object.fromEntries(inner));
}

/** The same object with these keys first. */
function first(keys: readonly string[], value: object): unknown {
  if (isRawNumber(value)) return value;
  const record: Record<string, unknown> = { ...value };
  const known = keys.filter((key) => Object.hasOwn(record, key));
  return Object.fromEntries(
    [...known, ...Object.keys(record).filter((key) => !keys.includes(key))].map((key) => [key, record[key]]),
  );
}
