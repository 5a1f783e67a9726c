import type { SeededRandom } from '../../lib/seeded-random.ts';

/** Values for a fuzz of the routes: what their schemas ask for, and what nobody should send. */

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  patternProperties?: Record<string, Schema>;
}

export const JUNK_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  '1e999',
  '9'.repeat(400),
  'a'.repeat(3000),
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/etc/passwd',
  'file:///etc/passwd',
  '%00',
  '\u0000',
  '\u202e',
  '\ud800',
  '💥'.repeat(50),
  "'; DROP TABLE job; --",
  '" OR 1=1 --',
  '%',
  '%25',
  '%zz',
  '*',
  '[',
  '(((((',
  '{{',
  '{{secrets.x}}',
  '$$',
  '${7*7}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '<script>alert(1)</script>',
  '\r\nx-injected: 1',
  'true',
  '[]',
  '{}',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '0001-01-01T00:00:00Z',
];

/** Each is made when it is picked: some are large. */
const JUNK_MAKERS: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -1, 1.5, -0, 1e21, 1e-7, Number.MAX_SAFE_INTEGER + 2].map((value) => () => value),
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ({ a: null }),
  ...JUNK_TEXTS.map((text) => () => text),
  () => nested(150, 'array'),
  () => nested(150, 'object'),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown,
  () => Array.from({ length: 1200 }, (_, i) => i),
  () => Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i])),
];

function nested(depth: number, kind: 'array' | 'object'): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = kind === 'array' ? [value] : { a: value };
  return value;
}

export const junkText = (chance: SeededRandom): string => chance.pick(JUNK_TEXTS);
export const junk = (chance: SeededRandom): unknown => chance.pick(JUNK_MAKERS)();

/** A value as the schema asks for it, but for the parts that chance spoils (`spoilt` in a hundred). */
export function valueFor(
  schema: Schema,
  chance: SeededRandom,
  spoilt: number,
  known: Readonly<Record<string, string>>,
  name = '',
): unknown {
  if (chance.percent(spoilt)) return junk(chance);
  if ('const' in schema) return schema.const;
  if (schema.enum) return chance.pick(schema.enum);
  if (schema.anyOf) return valueFor(chance.pick(schema.anyOf), chance, spoilt, known, name);
  switch (Array.isArray(schema.type) ? chance.pick(schema.type) : schema.type) {
    case 'object':
      return objectFor(schema, chance, spoilt, known);
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + chance.below(3) }, () =>
        valueFor(schema.items ?? {}, chance, spoilt, known, name),
      );
    case 'string':
      return textFor(schema, chance, known, name);
    case 'integer':
    case 'number':
      return numberFor(schema, chance);
    case 'boolean':
      return chance.percent(50);
    case 'null':
      return null;
    default:
      return chance.percent(50) ? junk(chance) : { content: 'a' };
  }
}

function objectFor(
  schema: Schema,
  chance: SeededRandom,
  spoilt: number,
  known: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const wanted = schema.required?.includes(name) ? !chance.percent(spoilt) : chance.percent(40);
    if (wanted) entries.push([name, valueFor(inner, chance, spoilt, known, name)]);
  }
  for (const inner of Object.values(schema.patternProperties ?? {}))
    for (let i = chance.below(3); i > 0; i--)
      entries.push([
        chance.percent(70) ? chance.pick(Object.keys(known)) : junkText(chance),
        valueFor(inner, chance, spoilt, known),
      ]);
  if (chance.percent(spoilt)) entries.push([junkText(chance), junk(chance)]);
  return Object.fromEntries(entries);
}

function numberFor({ minimum = 0, maximum = 1000 }: Schema, chance: SeededRandom): number {
  return chance.pick([
    minimum,
    maximum,
    minimum - 1,
    maximum + 1,
    Math.round(minimum + chance() * (Math.min(maximum, minimum + 50) - minimum)),
    0.5,
  ]);
}

function textFor(
  { pattern, format, minLength = 0 }: Schema,
  chance: SeededRandom,
  known: Readonly<Record<string, string>>,
  name: string,
): string {
  const fitting = known[name];
  if (fitting !== undefined && chance.percent(70)) return fitting;
  if (format === 'date-time') return new Date(chance.below(2 ** 41)).toISOString();
  if (pattern !== undefined) {
    const [choice] = /^\^\(([^()]*)\)/.exec(pattern)?.slice(1) ?? [];
    return choice === undefined
      ? chance.pick(Object.values(known))
      : `${chance.pick(choice.split('|'))}${chance.pick(['', ',asc', ',desc'])}`;
  }
  return chance.percent(50) ? 'x'.repeat(minLength + chance.below(5)) : junkText(chance);
}
