import { isRecord } from './is-record.ts';

/** A field of a form for people, from a property of the form's schema. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';
  /** JSON texts of what can be chosen. */
  readonly choices: readonly string[];
  readonly required: boolean;
}

/**
 * Fields of a JSON Schema of an object; what no simple field can ask for is asked for as JSON. Of another schema: one field of JSON, without a name.
 * What is required comes first, in the order in which it is named: members of a stored schema have no order.
 */
export function formFields(schema: unknown): readonly FormField[] {
  if (schema === null || schema === undefined) return [];
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : null;
  if (!isRecord(schema) || properties === null)
    return [{ name: '', label: 'Answer', help: 'As JSON', kind: 'json', choices: [], required: true }];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const place = (name: string) => (required.includes(name) ? required.indexOf(name) : required.length);
  const sorted = Object.entries(properties).sort(([a], [b]) => place(a) - place(b));
  return sorted.map(([name, property]) => {
    const of = isRecord(property) ? property : {};
    const text = (key: string) => (typeof of[key] === 'string' ? of[key] : null);
    const choices = Array.isArray(of['enum']) ? of['enum'].map((one) => JSON.stringify(one)) : [];
    return {
      name,
      label: text('title') ?? name,
      help: text('description') ?? '',
      kind: choices.length > 0 ? 'choice' : kindOf(of['type']),
      choices,
      required: required.includes(name),
    };
  });
}

function kindOf(type: unknown): FormField['kind'] {
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    default:
      return 'json';
  }
}

/** What was filled in. What cannot be read as its kind is left as text: the schema says what is wrong with it. */
export function formValue(fields: readonly FormField[], sent: (name: string) => string | null): unknown {
  const [first] = fields;
  if (first?.name === '' && fields.length === 1) return readJson(sent('') ?? '');
  const value: Record<string, unknown> = {};
  for (const field of fields) {
    const text = sent(field.name);
    if (field.kind === 'boolean') define(value, field.name, text === 'true');
    else if (text !== null && text !== '') define(value, field.name, readField(field, text));
  }
  return value;
}

const define = (value: Record<string, unknown>, name: string, one: unknown): void =>
  void Object.defineProperty(value, name, { value: one, enumerable: true, configurable: true, writable: true });

function readField({ kind }: FormField, text: string): unknown {
  if (kind === 'text') return text;
  if (kind === 'number' || kind === 'integer') return Number.isNaN(Number(text)) ? text : Number(text);
  return readJson(text);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
