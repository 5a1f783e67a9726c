import { isRawNumber } from '../../../../lib/json.ts';

/**
 * An input schema as a tree of properties. Pure; each change gives a new schema and leaves what the form does not know as it
 * is. A place is told by the names that lead to it; `ITEMS` leads into the elements of a list.
 */
export type SchemaValue = Readonly<Record<string, unknown>>;
export type Place = readonly string[];
export const ITEMS = '[]';

export const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;
export const FORMATS = ['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname'] as const;

export interface Property {
  readonly name: string;
  readonly place: Place;
  readonly schema: SchemaValue;
  readonly required: boolean;
}

export const isSchema = (value: unknown): value is SchemaValue =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !isRawNumber(value);

/** The one type of a schema; null where it has none, or several. */
export function schemaType(schema: SchemaValue): string | null {
  const { type, properties, enum: allowed } = schema;
  if (typeof type === 'string') return type;
  if (type !== undefined) return null;
  if (isSchema(properties)) return 'object';
  return Array.isArray(allowed) && allowed.length > 0 && allowed.every((one) => typeof one === 'string')
    ? 'string'
    : null;
}

/** The properties of an object, in their order. */
export function schemaProperties(schema: SchemaValue, place: Place = []): Property[] {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  const required = requiredOf(schema);
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    place: [...place, name],
    schema: isSchema(inner) ? inner : {},
    required: required.includes(name),
  }));
}

/** The elements of a list, where they have a schema. */
export const itemsOf = (schema: SchemaValue, place: Place): { place: Place; schema: SchemaValue } | null =>
  schemaType(schema) === 'array'
    ? { place: [...place, ITEMS], schema: isSchema(schema['items']) ? schema['items'] : {} }
    : null;

const requiredOf = (schema: SchemaValue): string[] =>
  Array.isArray(schema['required'])
    ? schema['required'].filter((name): name is string => typeof name === 'string')
    : [];

/** Changes the schema at a place. */
export function changeAt(schema: SchemaValue, place: Place, change: (schema: SchemaValue) => SchemaValue): SchemaValue {
  const [step, ...rest] = place;
  if (step === undefined) return change(schema);
  if (step === ITEMS)
    return { ...schema, items: changeAt(isSchema(schema['items']) ? schema['items'] : {}, rest, change) };
  const properties = isSchema(schema['properties']) ? schema['properties'] : {};
  if (!Object.hasOwn(properties, step)) return schema;
  return {
    ...schema,
    properties: { ...properties, [step]: changeAt(isSchema(properties[step]) ? properties[step] : {}, rest, change) },
  };
}

/** Sets a word of the schema at a place; `undefined` takes it away. */
export const setWord = (schema: SchemaValue, place: Place, word: string, value: unknown): SchemaValue =>
  changeAt(schema, place, (at) => {
    const { [word]: _, ...rest } = at;
    return value === undefined ? rest : { ...at, [word]: value };
  });

/** Words that mean something for one type alone, and go with it. */
const OF_TYPE: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  items: 'array',
  minItems: 'array',
  maxItems: 'array',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
};
const OF_NUMBERS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]);

export const setType = (schema: SchemaValue, place: Place, type: string): SchemaValue =>
  changeAt(schema, place, (at) => {
    const fits = (word: string) =>
      OF_NUMBERS.has(word)
        ? type === 'number' || type === 'integer'
        : OF_TYPE[word] === undefined || OF_TYPE[word] === type;
    const kept = Object.fromEntries(
      Object.entries(at).filter(([word]) => fits(word) && word !== 'enum' && word !== 'const'),
    );
    return {
      ...kept,
      type,
      ...(type === 'object' && kept['properties'] === undefined ? { properties: {} } : {}),
      ...(type === 'array' && kept['items'] === undefined ? { items: { type: 'string' } } : {}),
    };
  });

/** Adds a property with a name that is free; says which. */
export function addProperty(schema: SchemaValue, place: Place): { schema: SchemaValue; name: string } {
  let name = 'field';
  const next = changeAt(schema, place, (at) => {
    const properties = isSchema(at['properties']) ? at['properties'] : {};
    for (let n = 2; Object.hasOwn(properties, name); n++) name = `field${n}`;
    return { ...at, type: at['type'] ?? 'object', properties: { ...properties, [name]: { type: 'string' } } };
  });
  return { schema: next, name };
}

export const removeProperty = (schema: SchemaValue, place: Place): SchemaValue =>
  inParent(
    schema,
    place,
    (properties, name) => Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name)),
    (names, name) => names.filter((one) => one !== name),
  );

/** The property keeps its place in the order. A name that another has already changes nothing. */
export function renameProperty(schema: SchemaValue, place: Place, next: string): SchemaValue {
  let taken = false;
  const renamed = inParent(
    schema,
    place,
    (properties, name) => {
      taken = Object.hasOwn(properties, next);
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key === name ? next : key, value]));
    },
    (names, name) => names.map((one) => (one === name ? next : one)),
  );
  return taken ? schema : renamed;
}

export const setRequired = (schema: SchemaValue, place: Place, required: boolean): SchemaValue =>
  inParent(
    schema,
    place,
    (properties) => properties,
    (names, name) => (required ? [...names.filter((one) => one !== name), name] : names.filter((one) => one !== name)),
  );

function inParent(
  schema: SchemaValue,
  place: Place,
  properties: (properties: SchemaValue, name: string) => SchemaValue,
  required: (names: string[], name: string) => string[],
): SchemaValue {
  const name = place.at(-1) ?? '';
  return changeAt(schema, place.slice(0, -1), (at) => {
    const after = properties(isSchema(at['properties']) ? at['properties'] : {}, name);
    const { required: _, ...rest } = at;
    const names = required(requiredOf(at), name);
    return { ...rest, properties: after, ...(names.length === 0 ? {} : { required: names }) };
  });
}
