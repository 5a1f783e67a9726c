import { isRawNumber, parseJson } from './json.ts';

/** Takes the values of secrets out of texts: `[secret NAME]` stands where one was. */
export interface Redactor {
  /** Any text; the same text where it holds none. */
  text(text: string): string;
  /**
   * JSON text; it stays JSON where a value stood inside of a string, a key or a number. With `under`, only what lies
   * under one of these keys is touched, so that a value that is a common word breaks no structure.
   */
  json(text: string, under?: ReadonlySet<string>): string;
  /** Any JSON value; the very same one where it holds none. */
  value<T>(value: T): T;
}

export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

const NOTHING: Redactor = { text: (text) => text, json: (text) => text, value: (value) => value };

/**
 * Looks for the values, and for what texts make of them: as they stand inside of JSON strings, in addresses, and as
 * base64. Values shorter than `least` characters are left out.
 */
export function createRedactor(secrets: readonly NamedSecret[], least: number): Redactor {
  const names = new Map<string, string>();
  for (const { name, value } of secrets)
    for (const form of value.length < least ? [] : formsOf(value)) names.set(form, name);
  if (names.size === 0) return NOTHING;
  // Where one value begins with another, the longer one is meant.
  const forms = [...names.keys()].sort((a, b) => b.length - a.length);
  const any = new RegExp(forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'), 'g');
  const text = (given: string): string => given.replace(any, (form) => `[secret ${names.get(form)}]`);
  const holds = (given: string): boolean => given.search(any) >= 0;

  function inside(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number' || isRawNumber(value)) {
      const digits = typeof value === 'number' ? String(value) : value.rawJSON;
      return holds(digits) ? text(digits) : value;
    }
    if (Array.isArray(value)) return value.map(inside);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), inside(inner)]));
  }

  function within(value: unknown, under: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((one) => within(one, under));
    if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, under.has(key) ? inside(inner) : within(inner, under)]),
    );
  }

  return {
    text,
    json(given, under) {
      if (!holds(given)) return given;
      try {
        const value = parseJson(given);
        return JSON.stringify(under ? within(value, under) : inside(value));
      } catch {
        return text(given);
      }
    },
    value: (given) => (holds(JSON.stringify(given) ?? '') ? (inside(given) as typeof given) : given),
  };
}

/** Lines of a value that has several (a private key) are secret one by one. */
const LINES = 200;
const LINE_CHARACTERS = 16;

function formsOf(value: string): Set<string> {
  const forms = new Set([value, JSON.stringify(value).slice(1, -1)]);
  if (value.includes('\n'))
    for (const line of value.split(/\r?\n/).slice(0, LINES)) if (line.length >= LINE_CHARACTERS) forms.add(line);
  try {
    forms.add(encodeURIComponent(value));
  } catch {
    // Half of a character pair has no form in an address.
  }
  const bytes = Buffer.from(value);
  // Short base64 would be found by chance.
  if (bytes.length >= 9)
    for (const coded of [bytes.toString('base64'), bytes.toString('base64url')]) forms.add(coded.replace(/=+$/, ''));
  return forms;
}
