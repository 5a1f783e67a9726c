import { t, tn } from '../../../lib/language.ts';
import { pointerFromPath, memberValue, type Path } from './locate.ts';
import type { JsonNode } from './scan.ts';

/** The part of JSON Schema that the contract's schemas are written in. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** One thing that is wrong with a document. `pointer` leads into it. */
export interface JsonFault {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

export const MAX_FAULTS = 200;

/** What an input schema that is written in the common words forbids in a list of inputs. The master tells all of it when they are sent. */
export function inputFaults(root: JsonNode, schema: unknown): JsonFault[] {
  const faults: JsonFault[] = [];
  const tell: Report = (path, message) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: pointerFromPath(path), code: 'INPUT', message });
  };
  if (root.kind !== 'array') tell([], t('Expected an array of inputs.'));
  else if (schema !== null && typeof schema === 'object')
    for (const [index, item] of root.items.entries()) checkSchema(item, plainSchema(schema), [index], tell);
  return faults;
}

/** The part of an author's schema that this file understands; a word of another form is left out, so that nothing good is marked. */
function plainSchema(schema: object, depth = 0): Schema {
  const own = schema as Record<string, unknown>;
  const kept: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(PLAIN)) if (typeof own[key] === kind) kept[key] = own[key];
  if (typeof kept['type'] === 'string' && !Object.hasOwn(WORDS, kept['type'])) delete kept['type'];
  if (Array.isArray(own['required'])) kept['required'] = own['required'].filter((name) => typeof name === 'string');
  // Only words of the right kinds were kept.
  if (depth > 20) return kept as Schema;
  if (isObject(own['items'])) kept['items'] = plainSchema(own['items'], depth + 1);
  if (isObject(own['properties']))
    kept['properties'] = Object.fromEntries(
      Object.entries(own['properties']).map(([name, one]) => [name, isObject(one) ? plainSchema(one, depth + 1) : {}]),
    );
  // Patterned names are not looked at: with them, what is additional cannot be told here.
  if (own['patternProperties'] !== undefined) delete kept['additionalProperties'];
  return kept as Schema;
}
const PLAIN: Readonly<Record<string, string>> = {
  type: 'string',
  additionalProperties: 'boolean',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  minLength: 'number',
  maxLength: 'number',
  maxItems: 'number',
};
const isObject = (value: unknown): value is object =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** What a schema of the contract forbids in a document of any kind. */
export function shapeFaults(root: JsonNode, schema: unknown): JsonFault[] {
  const faults: JsonFault[] = [];
  checkSchema(root, schema as Schema, [], (path, message) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: pointerFromPath(path), code: 'FORM', message });
  });
  return faults;
}

/** Properties written twice: JSON keeps the last one, which is seldom meant. */
export function duplicateKeys(root: JsonNode): { from: number; to: number; message: string }[] {
  const found: { from: number; to: number; message: string }[] = [];
  const walk = (node: JsonNode | null) => {
    if (node?.kind === 'array') for (const item of node.items) walk(item);
    if (node?.kind !== 'object') return;
    const seen = new Set<string>();
    for (const member of node.members) {
      if (seen.has(member.key))
        found.push({
          from: member.keyFrom,
          to: member.keyTo,
          message: t('Duplicate key “{key}”; only the last one is used.', { key: member.key }),
        });
      seen.add(member.key);
      walk(member.value);
    }
  };
  walk(root);
  return found;
}

export type Report = (path: Path, message: string) => void;

export function checkSchema(node: JsonNode, schema: Schema, path: Path, tell: Report): void {
  const constants = (schema.anyOf ?? [schema]).flatMap((one) => (one.const === undefined ? [] : [one.const]));
  if (constants.length > 0) {
    if (!constants.some((value) => value === plain(node)))
      tell(path, t('Expected {value}.', { value: constants.map((value) => JSON.stringify(value)).join(t(' or ')) }));
    return;
  }
  const kinds = (schema.anyOf ?? [schema]).flatMap((one) => (one.type === undefined ? [] : [one.type]));
  if (kinds.length > 0 && !kinds.some((kind) => fits(node, kind))) {
    tell(
      path,
      t('Expected {value}, found {value2}.', {
        value: kinds.map((kind) => WORDS[kind] ?? kind).join(t(' or ')),
        value2: WORDS[kindOf(node)] ?? kindOf(node),
      }),
    );
    return;
  }
  const able = schema.anyOf?.filter((one) => one.type !== undefined && fits(node, one.type));
  const own = schema.anyOf ? (able?.find((one) => bears(node, one)) ?? able?.[0]) : schema;
  if (!own) return;
  if (node.kind === 'object') checkObject(node, own, path, tell);
  else if (node.kind === 'array') {
    if (own.maxItems !== undefined && node.items.length > own.maxItems)
      tell(
        path,
        t('Expected at most {maxItems} items, found {count}.', {
          maxItems: own.maxItems,
          count: node.items.length,
        }),
      );
    for (const [index, item] of node.items.entries())
      if (own.items) checkSchema(item, own.items, [...path, index], tell);
  } else if (node.kind === 'string') checkText(node.value, own, path, tell);
  else if (node.kind === 'number') checkNumber(node.value, own, path, tell);
}

/** Whether an object has the constants by which one kind is told from others. */
const bears = (node: JsonNode, { properties = {} }: Schema): boolean =>
  Object.entries(properties).every(
    ([key, { const: value }]) => value === undefined || plain(memberValue(node, key) ?? node) === value,
  );

function checkObject(node: Extract<JsonNode, { kind: 'object' }>, schema: Schema, path: Path, tell: Report): void {
  const missing = (schema.required ?? []).filter((key) => memberValue(node, key) === null);
  if (missing.length > 0)
    tell(
      path,
      tn('{names} is missing.', '{names} are missing.', missing.length, {
        names: missing.map((key) => `“${key}”`).join(', '),
      }),
    );
  for (const member of node.members) {
    const inner = [...path, member.key];
    const known =
      schema.properties && Object.hasOwn(schema.properties, member.key) ? schema.properties[member.key] : undefined;
    const schemaOf = known ?? Object.values(schema.patternProperties ?? {})[0];
    if (schemaOf) {
      if (member.value) checkSchema(member.value, schemaOf, inner, tell);
    } else if (schema.additionalProperties === false) {
      const names = Object.keys(schema.properties ?? {});
      tell(
        inner,
        names.length === 0
          ? t('Unknown key “{key}”; no keys are expected here.', { key: member.key })
          : t('Unknown key “{key}”; expected {names}.', { key: member.key, names: names.join(', ') }),
      );
    }
  }
}

const PATTERN_WORDS: Readonly<Record<string, string>> = {
  '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$': t(
    'Use letters, digits, underscore, dot, colon and hyphen; start with a letter, digit or underscore.',
  ),
};

function checkText(value: string, schema: Schema, path: Path, tell: Report): void {
  if (schema.minLength !== undefined && value.length < schema.minLength)
    tell(
      path,
      schema.minLength === 1
        ? t('Must not be empty.')
        : t('Expected at least {minLength} characters, found {count}.', {
            minLength: schema.minLength,
            count: value.length,
          }),
    );
  else if (schema.maxLength !== undefined && value.length > schema.maxLength)
    tell(
      path,
      t('Expected at most {maxLength} characters, found {count}.', {
        maxLength: schema.maxLength,
        count: value.length,
      }),
    );
  else if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    tell(path, PATTERN_WORDS[schema.pattern] ?? t('Expected a string matching {pattern}', { pattern: schema.pattern }));
}

function checkNumber(value: number, schema: Schema, path: Path, tell: Report): void {
  const { minimum, maximum, exclusiveMinimum } = schema;
  if (schema.type === 'integer' && !Number.isInteger(value)) tell(path, t('Expected an integer.'));
  else if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))
    tell(
      path,
      t('Expected {minimum} to {maximum}, found {value}.', { minimum: minimum ?? '…', maximum: maximum ?? '…', value }),
    );
  else if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    tell(path, t('Expected more than {exclusiveMinimum}, found {value}.', { exclusiveMinimum, value }));
}

const WORDS: Readonly<Record<string, string>> = {
  object: t('an object'),
  array: t('an array'),
  string: t('a string'),
  number: t('a number'),
  integer: t('an integer'),
  boolean: t('true or false'),
  null: 'null',
};
const kindOf = (node: JsonNode): string =>
  node.kind !== 'word' ? node.kind : node.value === 'null' ? 'null' : 'boolean';
const fits = (node: JsonNode, type: string): boolean => kindOf(node) === (type === 'integer' ? 'number' : type);
const plain = (node: JsonNode): unknown =>
  node.kind === 'word'
    ? node.value === 'null'
      ? null
      : node.value === 'true'
    : node.kind === 'string' || node.kind === 'number'
      ? node.value
      : undefined;
