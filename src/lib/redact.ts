import { BoundedMap } from './bounded-map.ts';
import { createCoreSearch } from './core-search.ts';
import { createCutSearch, CUT } from './cut-end.ts';
import { coreOf, disguisesOf, isTelling } from './disguises.ts';
import { isRawNumber, parseJson } from './json.ts';
import { maskJson, maskText } from './mask-hits.ts';

/** Takes the values of secrets out of texts: `[secret NAME]` stands where one was. */
export interface Redactor {
  /** Any text; the same text where it holds none. */
  text(text: string): string;
  /**
   * JSON text; it stays JSON where a value stood inside of a string, a key or a number, or in pieces in several of them.
   * With `under`, only what lies under one of these keys is touched, so that a value that is a common word breaks no structure.
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

/** What is looked for, in a text or in JSON text. */
interface Search {
  /** False: there is nothing. */
  holds(given: string, isJson: boolean): boolean;
  /** The text without it. */
  text(given: string): string;
  /** JSON text without what lies in pieces in several of its texts and numbers; each by itself was looked through before. */
  pieces(json: string): string;
}

/**
 * Looks for the values, and for what texts make of them: as they stand inside of JSON strings, in addresses, and as
 * base64. Values shorter than `least` characters are left out. Quick where secrets are few.
 */
export function createRedactor(secrets: readonly NamedSecret[], least: number): Redactor {
  const names = formNames(secrets, least);
  if (names.size === 0) return NOTHING;
  const any = anyOf([...names.keys()]);
  return redactorOf({
    holds: (given) => given.search(any) >= 0,
    text: (given) => given.replace(any, (form) => mark(names.get(form) ?? '')),
    pieces: (json) => json,
  });
}

/**
 * Looks for the usual disguises too (`disguises.ts`): in pieces, backwards, encoded. Reads each letter by itself, at some 50 to 100
 * MB a second however many secrets there are: for what tasks give and people see, not for every line of a log.
 */
export function createDisguiseRedactor(secrets: readonly NamedSecret[], least: number): Redactor {
  const given = secrets.filter(({ value }) => value.length >= least);
  if (given.length === 0) return NOTHING;
  let made: Search | null = null;
  const search = (): Search => (made ??= disguiseSearch(given, least));
  return redactorOf({
    holds: (text, isJson) => search().holds(text, isJson),
    text: (text) => search().text(text),
    pieces: (json) => search().pieces(json),
  });
}

function disguiseSearch(secrets: readonly NamedSecret[], least: number): Search {
  const names = formNames(secrets, least);
  const cores = new Map<string, string>();
  for (const { name, value } of secrets) for (const core of knownDisguises(value)) cores.set(core, name);
  const weak: string[] = [];
  for (const [form, name] of names) {
    // In JSON an escape is seen as the sign that it stands for.
    if (isTelling(coreOf(form.replace(/\\(u[0-9a-fA-F]{4}|.)/g, '')))) cores.set(coreOf(form), name);
    else weak.push(form);
  }
  const { mayHold, find } = createCoreSearch(cores);
  const cutEnd = createCutSearch(cores);
  // With too few letters and digits to be found by them.
  const weakForms = weak.length === 0 ? null : anyOf(weak);
  const any = anyOf([...names.keys()]);
  /** A payload that is shown in part may end in the middle of a value. */
  function holdsCut(given: string, end: string): boolean {
    for (let at = given.indexOf(end); at >= 0; at = given.indexOf(end, at + 1)) if (cutEnd(given, at)) return true;
    return false;
  }

  return {
    holds: (given, isJson) =>
      (mayHold(given, isJson) && find(given, isJson).length > 0) ||
      (weakForms !== null && given.search(weakForms) >= 0) ||
      holdsCut(given, isJson ? `${CUT}"` : CUT),
    text(given) {
      const exact = given.replace(any, (form) => mark(names.get(form) ?? ''));
      const hits = find(exact, false);
      const clean = hits.length === 0 ? exact : maskText(exact, hits, mark);
      const cut = clean.endsWith(CUT) ? cutEnd(clean, clean.length - CUT.length) : null;
      return cut === null ? clean : `${clean.slice(0, cut[0])}${mark(cut[1])}${CUT}`;
    },
    pieces(json) {
      const hits = find(json, true);
      return hits.length === 0 ? json : maskJson(json, hits, mark);
    },
  };
}

/** Disguises of values that were asked for lately: a change of one secret makes those of the others no second time. */
const KEPT = 2000;
const disguises = new BoundedMap<string, ReadonlySet<string>>(KEPT);
function knownDisguises(value: string): ReadonlySet<string> {
  let known = disguises.get(value);
  if (!known) disguises.set(value, (known = disguisesOf(value)));
  return known;
}

function redactorOf({ holds, text, pieces }: Search): Redactor {
  /** A piece of JSON as one: a value may be spread over it. */
  const inside = <T>(value: T): T => {
    const json = JSON.stringify(leaves(value)) ?? 'null';
    return parseJson<T>(pieces(json));
  };

  function leaves(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number' || isRawNumber(value)) {
      const digits = typeof value === 'number' ? String(value) : value.rawJSON;
      const clean = text(digits);
      return clean === digits ? value : clean;
    }
    if (Array.isArray(value)) return value.map(leaves);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), leaves(inner)]));
  }

  function within(value: unknown, under: ReadonlySet<string>): unknown {
    if (Array.isArray(value)) return value.map((one) => within(one, under));
    if (value === null || typeof value !== 'object' || isRawNumber(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, under.has(key) ? inside(inner) : within(inner, under)]),
    );
  }

  return {
    text: (given) => (holds(given, false) ? text(given) : given),
    json(given, under) {
      if (!holds(given, true) && (isJsonLike(given) || !holds(given, false))) return given;
      try {
        const value = parseJson(given);
        return JSON.stringify(under ? within(value, under) : inside(value));
      } catch {
        return text(given);
      }
    },
    value: (given) => (holds(JSON.stringify(given) ?? '', true) ? inside(given) : given),
  };
}

const isJsonLike = (text: string): boolean => /^\s*[[{"\d-]/.test(text);

const mark = (name: string): string => `[secret ${name}]`;

/** Where one begins with another, the longer one is meant. */
const anyOf = (forms: readonly string[]): RegExp =>
  new RegExp(
    forms
      .toSorted((a, b) => b.length - a.length)
      .map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('|'),
    'g',
  );

/** What each form of the values stands for. */
const formNames = (secrets: readonly NamedSecret[], least: number): Map<string, string> =>
  new Map(
    secrets.flatMap(({ name, value }) =>
      value.length < least ? [] : [...formsOf(value)].map((form): [string, string] => [form, name]),
    ),
  );

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
