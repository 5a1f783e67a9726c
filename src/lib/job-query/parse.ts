import { Fault } from '../fault.ts';
import { t } from '../language.ts';
import {
  fieldNames,
  findField,
  JOB_LANGUAGE,
  queryDuration,
  queryNumber,
  queryTime,
  type FieldInfo,
  type QueryField,
  type QueryLanguage,
  type QueryTerm,
  type QueryTest,
} from './fields.ts';
import { parsePath, pathText } from './field-path.ts';

/** Offsets into the text of the query, the end not in it. */
export interface QueryPlace {
  readonly from: number;
  readonly to: number;
}
export interface QueryError extends QueryPlace {
  readonly message: string;
}
export type ParsedQuery<F extends string = QueryField> =
  | { readonly ok: true; readonly terms: readonly QueryTerm<F>[]; readonly places: readonly QueryPlace[] }
  | { readonly ok: false; readonly error: QueryError };

/** Carries an error up to `parseJobQuery`, which never throws. */
class Wrong extends Error {
  readonly from: number;
  readonly to: number;
  constructor(message: string, from: number, to: number) {
    super(message);
    [this.from, this.to] = [from, to];
  }
}

/**
 * The query line of jobs: `status:failed duration:>5s -workflow:x error:"timed out"`. Terms stand side by side and must all
 * hold; a word by itself is searched for in the inputs. What is wrong is told with its place.
 */
export const parseJobQuery = (text: string): ParsedQuery => parseQueryLine(text, JOB_LANGUAGE);

/** The same grammar with the fields of another list. */
export function parseQueryLine<F extends string>(text: string, language: QueryLanguage<F>): ParsedQuery<F> {
  const terms: QueryTerm<F>[] = [];
  const places: QueryPlace[] = [];
  try {
    for (let at = skipSpace(text, 0); at < text.length; at = skipSpace(text, at)) {
      const [term, to] = readTerm(text, at, language);
      terms.push(term);
      places.push({ from: at, to });
      at = to;
    }
    return { ok: true, terms, places };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const from = Math.min(error.from, text.length);
    return { ok: false, error: { message: error.message, from, to: Math.max(from, Math.min(error.to, text.length)) } };
  }
}

/** The terms of a query. Throws QUERY_INVALID with the position. */
export function jobQueryTerms(query: string): readonly QueryTerm[] {
  const parsed = parseJobQuery(query);
  if (parsed.ok) return parsed.terms;
  const { message, from } = parsed.error;
  throw new Fault('QUERY_INVALID', `${message} (at character ${from + 1} of the query)`, {
    extra: { position: from },
    errors: [{ pointer: '/query', message }],
  });
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}

function readTerm<F extends string>(text: string, start: number, language: QueryLanguage<F>): [QueryTerm<F>, number] {
  const not = text[start] === '-' && start + 1 < text.length && !/\s/.test(text.charAt(start + 1));
  const from = not ? start + 1 : start;
  const colon = colonAfter(text, from);
  if (colon === null) {
    const [value, to] = readValue(text, from);
    if (to === from || text[to] === ',')
      throw new Wrong(t('expected a field and a value, such as status:failed'), from, to + 1);
    if (text[from] !== '"') assertNoOperator(value, from, to);
    const field = language.words;
    if (not && isExact(language.fields[field])) throw exactOnly({ field, ...language.fields[field] }, start, to);
    return [{ not, field, name: null, tests: [wordsTest(value, from, to)] }, to];
  }
  const { field, name } = readField(text, from, colon, language);
  const info = { field, ...language.fields[field] };
  const tests: QueryTest[] = [];
  let at = colon + 1;
  for (;;) {
    const [test, to] = readTest(text, at, info);
    tests.push(test);
    at = to;
    if (text[at] !== ',') break;
    at++;
  }
  if (at < text.length && !/\s/.test(text.charAt(at)))
    throw new Wrong(t('expected a space or a comma after the value'), at, at + 1);
  const plain = info.kind === 'prose' ? 'contains' : 'is';
  const odd = not || tests.some(({ op }) => op !== plain);
  if (isExact(info) && (odd || (info.single === true && tests.length > 1))) throw exactOnly(info, start, at);
  return [{ not, field, name, tests }, at];
}

type Info<F extends string> = FieldInfo & { readonly field: F };
const isExact = ({ single, several }: FieldInfo): boolean => single === true || several === true;
const exactOnly = ({ field, kind, single }: Info<string>, from: number, to: number): Wrong =>
  new Wrong(
    kind === 'prose'
      ? t('{field} searches for one text, without signs before it', { field })
      : single === true
        ? t('{field} takes one exact value', { field })
        : t('{field} takes exact values, without a minus sign', { field }),
    from,
    to,
  );

/** Who writes queries elsewhere writes operators: searched for as words they would find nothing, and nobody would know why. */
function assertNoOperator(word: string, from: number, to: number): void {
  if (word === 'OR' || word === '||')
    throw new Wrong(t('there is no OR between fields; several values of one field are separated by commas'), from, to);
  if (word === 'AND' || word === '&&')
    throw new Wrong(t('all conditions must match anyway: leave out {word}', { word }), from, to);
  if (word === 'NOT' || word === '!')
    throw new Wrong(t('write a minus sign before the field instead, such as -status:failed'), from, to);
  if (/^!?\(/.test(word)) throw new Wrong(t('there are no parentheses; put text with them in quotes'), from, to);
}

/** Where the name of a field ends; null: what stands here is a word. Names in brackets and quotes may hold anything. */
function colonAfter(text: string, from: number): number | null {
  if (!/[\p{L}_]/u.test(text.charAt(from))) return null;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === ':') return at;
    else if (/\s/.test(char) || char === ',') return null;
    else if (char === '"' || char === "'") {
      if (text[at - 1] !== '[') return null;
      quote = char;
    }
  }
  return null;
}

function readField<F extends string>(
  text: string,
  from: number,
  colon: number,
  language: QueryLanguage<F>,
): { field: F; name: string | null } {
  const whole = text.slice(from, colon);
  const dot = whole.search(/[.[]/);
  const field = findField(language, dot < 0 ? whole : whole.slice(0, dot));
  if (field === null)
    throw new Wrong(
      t('there is no field {name}; fields are {fields}', {
        name: JSON.stringify(whole.slice(0, 60)),
        fields: fieldNames(language).join(', '),
      }),
      from,
      colon,
    );
  const { named } = language.fields[field];
  const name = dot < 0 ? '' : whole.slice(whole[dot] === '.' ? dot + 1 : dot);
  if (named === undefined) {
    if (dot >= 0) throw new Wrong(t('{field} has no parts', { field }), from + dot, colon);
    return { field, name: null };
  }
  if (name === '')
    throw new Wrong(
      named === 'path'
        ? t('input needs a path, such as input.customer.country:DE')
        : t('label needs a name, such as label.team:billing'),
      from,
      colon,
    );
  if (named === 'key') {
    if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/.test(name))
      throw new Wrong(t('{name} is not the name of a label', { name: JSON.stringify(name) }), from + dot + 1, colon);
    return { field, name };
  }
  try {
    const path = parsePath(name);
    if (path.length === 0) throw new Fault('VALIDATION_FAILED', 'empty');
    return { field, name: pathText(path) };
  } catch {
    throw new Wrong(
      t('{path} is not a path: separate names with dots, and quote special names as ["odd.name"]', {
        path: JSON.stringify(name.slice(0, 60)),
      }),
      from + dot + 1,
      colon,
    );
  }
}

function readTest(text: string, start: number, info: Info<string>): [QueryTest, number] {
  const { field, kind, always, words } = info;
  if (text[start] === '*' && ends(text, start + 1)) {
    if (always === true) throw new Wrong(t('every job has {field}: give a value', { field }), start, start + 1);
    return [{ op: 'exists' }, start + 1];
  }
  const op = /^(?:>=|<=|>|<|~|=)/.exec(text.slice(start, start + 2))?.[0] ?? '';
  const from = start + op.length;
  const open = op === '' ? rangeStart(text, from) : null;
  if (open !== null) return openRange(text, from, info);
  const [value, to, quoted] = readValue(text, from);
  if (to === from) throw new Wrong(t('{field} needs a value', { field }), start, Math.max(to, start + 1));
  const compared = kind === 'number' || kind === 'duration' || kind === 'time' || kind === 'value';
  if (op === '' && compared) {
    const range = readRange(text, { from, to, value, quoted }, info);
    if (range) return range;
  }
  if (op === '>' || op === '>=' || op === '<' || op === '<=') {
    if (!compared) throw new Wrong(t('{field} cannot be compared with {op}', { field, op }), start, to);
    return [{ op, value: checked(info, value, from, to) }, to];
  }
  if (kind === 'words') {
    if (op !== '') throw new Wrong(t('text searches whole words: leave out {op}', { op }), start, to);
    return [wordsTest(value, from, to), to];
  }
  if (op === '~' || (op === '' && kind === 'prose')) {
    if (words !== undefined || kind === 'number' || kind === 'duration' || kind === 'time')
      throw new Wrong(t('{field} is compared whole: leave out ~', { field }), start, to);
    return [{ op: 'contains', value: checked(info, value, from, to) }, to];
  }
  return [{ op: 'is', value: checked(info, value, from, to) }, to];
}

const ends = (text: string, at: number): boolean => at >= text.length || /[\s,]/.test(text.charAt(at));
const rangeStart = (text: string, at: number): number | null => (text.startsWith('..', at) ? at : null);

/** `..5`: up to it. */
function openRange(text: string, from: number, info: Info<string>): [QueryTest, number] {
  const [value, to] = readValue(text, from + 2);
  if (to === from + 2) throw new Wrong(t('a range needs a value on one side, such as 1..5'), from, to);
  assertRange(info, from, to);
  return [{ op: '<=', value: checked(info, value, from + 2, to) }, to];
}

interface ReadValue {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly quoted: boolean;
}

/** `1..5`, `1..` and `"a".."b"`; null: the value stands alone. */
function readRange(
  text: string,
  { from, to, value, quoted }: ReadValue,
  info: Info<string>,
): [QueryTest, number] | null {
  const dots = quoted ? (text.startsWith('..', to) ? 0 : -1) : value.indexOf('..');
  if (dots < 0) return null;
  const first = quoted ? value : value.slice(0, dots);
  const behind = quoted ? to + 2 : from + dots + 2;
  const [second, end] = readValue(text, behind);
  if (first === '' && !quoted) throw new Wrong(t('a range needs a value on one side, such as 1..5'), from, end);
  const low = checked(info, first, from, behind - 2);
  if (end === behind) return [{ op: '>=', value: low }, end];
  if (second.includes('..') && text[behind] !== '"')
    throw new Wrong(t('a range has two ends, such as 1..5'), from, end);
  return [{ op: 'range', from: low, to: checked(info, second, behind, end) }, end];
}

function assertRange({ field, kind }: Info<string>, from: number, to: number): void {
  if (kind !== 'number' && kind !== 'duration' && kind !== 'time' && kind !== 'value')
    throw new Wrong(t('{field} has no ranges', { field }), from, to);
}

/** A bare value up to the next space or comma, or one in double quotes; where it ends, and whether it was quoted. */
function readValue(text: string, from: number): [value: string, to: number, quoted: boolean] {
  if (text[from] !== '"') {
    let to = from;
    while (to < text.length && !/[\s,"]/.test(text.charAt(to))) to++;
    return [text.slice(from, to), to, false];
  }
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return [value, at + 1, true];
    if (char === '\\' && at + 1 < text.length) value += text.charAt(++at);
    else value += char;
  }
  throw new Wrong(t('this quote is not closed'), from, text.length);
}

function wordsTest(value: string, from: number, to: number): QueryTest {
  if (!/[\p{L}\p{N}]/u.test(value)) throw new Wrong(t('expected a word of letters or digits'), from, to);
  return { op: 'is', value };
}

/** The value as the field takes it; throws where it takes no such value. */
function checked({ field, kind, words, whole }: Info<string>, value: string, from: number, to: number): string {
  if (words !== undefined) {
    const word = value.toLowerCase().replaceAll('-', '_');
    if (words.includes(word)) return word;
    const list = words.join(', ');
    throw new Wrong(t('{field} is one of {words}', { field, words: list }), from, to);
  }
  if (whole === true && !/^\d{1,15}$/.test(value))
    throw new Wrong(t('{field} needs a whole number from 0, such as 2', { field }), from, to);
  if (kind === 'number' && queryNumber(value) === null)
    throw new Wrong(t('{field} needs a number, such as 2', { field }), from, to);
  if (kind === 'duration' && queryDuration(value) === null)
    throw new Wrong(t('{field} needs a duration, such as 500ms, 5s, 2m, 1h or 7d', { field }), from, to);
  if (kind === 'time' && queryTime(value) === null)
    throw new Wrong(t('{field} needs a time, such as 2026-03-01 or 2026-03-01T12:00Z', { field }), from, to);
  if (field === 'failure' && !/^[0-9a-f]{16}$/.test(value))
    throw new Wrong(t('failure needs the ID of a failure group, 16 digits'), from, to);
  if (field === 'trace' && !/^[0-9a-f]{32}$/.test(value))
    throw new Wrong(t('trace needs a trace ID, 32 digits'), from, to);
  return value;
}
