import type { TSchema } from 'typebox';
import { DefinitionSchema, NODE_CONFIGS } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { stringValue, memberValue, type Path } from '../../../ui/json-text/locate.ts';
import type { Schema } from '../../../ui/json-text/check.ts';
import type { JsonNode } from '../../../ui/json-text/scan.ts';

/** A schema of the contract, of which a text is checked by less. */
export const readSchema = (schema: TSchema): Schema => schema;
export const definitionSchema = readSchema(DefinitionSchema);
const configs: Readonly<Record<string, TSchema>> = NODE_CONFIGS;

/** The words of JSON Schema that an author of an input schema needs, so that `input` completes too. */
const inputSchema: Schema = {
  type: 'object',
  properties: {
    type: {
      description: t('Value type'),
      anyOf: ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'].map((value) => ({ const: value })),
    },
    properties: { type: 'object', description: t('Properties by name, each with its own schema') },
    required: {
      type: 'array',
      description: t('Names of required properties'),
      items: { type: 'string' },
    },
    additionalProperties: { description: t('Whether other properties are allowed'), type: 'boolean' },
    items: { type: 'object', description: t('Schema of the array items') },
    enum: { type: 'array', description: t('Allowed values') },
    description: { type: 'string', description: t('Display name') },
    examples: { type: 'array', description: t('Example values') },
    default: { description: t('Default value for examples') },
    format: {
      description: t('String format'),
      anyOf: ['date-time', 'date', 'email', 'uri', 'uuid'].map((value) => ({ const: value })),
    },
    pattern: { type: 'string', description: t('Regular expression that the string must match') },
    minLength: { type: 'integer', description: t('Minimum length') },
    maxLength: { type: 'integer', description: t('Maximum length') },
    minimum: { type: 'number', description: t('Minimum value') },
    maximum: { type: 'number', description: t('Maximum value') },
    minItems: { type: 'integer', description: t('Min. items') },
    maxItems: { type: 'integer', description: t('Max. items') },
  },
};

/** The schema of a node's `config`; undefined for a type that is not known. */
export const configSchema = (type: string | null): Schema | undefined =>
  type === null || !Object.hasOwn(configs, type) ? undefined : configs[type];

/** The schema of the value at a path. Below `config` it depends on the node's type, which is read from the document. */
export function schemaAt(root: JsonNode | null, path: Path): Schema | undefined {
  if (path[0] === 'input') return insideInput(path.slice(1));
  let schema: Schema | undefined = definitionSchema;
  for (const [depth, step] of path.entries()) {
    if (path[0] === 'nodes' && depth === 2 && step === 'config')
      schema = configSchema(typeOfNode(root, Number(path[1])));
    else if (isInnerConfig(path, depth)) schema = configSchema(innerType(root, Number(path[1])));
    else if (typeof step === 'number') schema = schema?.items;
    else schema = schema?.properties?.[step] ?? Object.values(schema?.patternProperties ?? {})[0];
  }
  return schema;
}

/** An input schema nests: a property and an element are schemas again. */
function insideInput(path: Path): Schema | undefined {
  let schema: Schema | undefined = inputSchema;
  for (let i = 0; i < path.length; i++) {
    if (schema !== inputSchema) schema = schema?.items;
    else if (path[i] === 'properties' && i + 1 < path.length) i++;
    else if (path[i] !== 'items') schema = inputSchema.properties?.[String(path[i])];
  }
  return schema;
}

const nodeAt = (root: JsonNode | null, index: number): JsonNode | undefined => {
  const nodes = memberValue(root, 'nodes');
  return nodes?.kind === 'array' ? nodes.items[index] : undefined;
};
export const typeOfNode = (root: JsonNode | null, index: number): string | null =>
  stringValue(memberValue(nodeAt(root, index), 'type'));

/** The node that a `forEach` runs for each item stands in its configuration, with a type and a configuration of its own. */
const isInnerConfig = (path: Path, depth: number): boolean =>
  path[0] === 'nodes' && depth === 4 && path[2] === 'config' && path[3] === 'node' && path[4] === 'config';
export const innerType = (root: JsonNode | null, index: number): string | null =>
  stringValue(memberValue(memberValue(memberValue(nodeAt(root, index), 'config'), 'node'), 'type'));

/** The type of the node, or inner node, in whose configuration a path ends; null elsewhere. */
export function typeAround(root: JsonNode | null, path: Path): string | null {
  if (path[0] !== 'nodes' || path[2] !== 'config') return null;
  return path[3] === 'node' && path[4] === 'config'
    ? innerType(root, Number(path[1]))
    : typeOfNode(root, Number(path[1]));
}

/** Nodes of the document as far as they are typed: place in the list, id, type. */
export function typedNodes(root: JsonNode | null): { index: number; id: string; type: string | null }[] {
  const nodes = memberValue(root, 'nodes');
  if (nodes?.kind !== 'array') return [];
  return nodes.items.flatMap((node, index) => {
    const id = stringValue(memberValue(node, 'id'));
    return id === null ? [] : [{ index, id, type: stringValue(memberValue(node, 'type')) }];
  });
}
