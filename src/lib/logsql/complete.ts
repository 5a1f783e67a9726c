import { Fault } from '../fault.ts';
import { isOneOf } from '../is-one-of.ts';
import { itemAt } from '../item-at.ts';
import { STATS } from './ast.ts';
import { FILTER_FUNCTIONS } from './parse-function.ts';
import { MATH_FUNCTIONS } from './parse-math.ts';
import { PIPE_NAMES } from './parse-pipe.ts';
import { type Token, tokensOf } from './tokens.ts';

/** What may stand at the caret. Names and values of fields are the store's to give. */
export type Offer =
  | { readonly kind: 'fields' }
  | { readonly kind: 'values'; readonly field: string }
  | { readonly kind: 'pipes' | 'functions' | 'keywords'; readonly names: readonly string[] };

export interface Completion {
  /** The piece of the text that a choice replaces: what was typed of it so far. */
  readonly from: number;
  readonly to: number;
  /** The piece as typed, without a quote that is still open. */
  readonly typed: string;
  readonly offers: readonly Offer[];
}

const FIELDS: Offer = { kind: 'fields' };
const words = (kind: 'pipes' | 'functions' | 'keywords', names: readonly string[]): Offer => ({ kind, names });
/** Words that a pipe takes besides fields. */
const PIPE_WORDS: Readonly<Record<string, readonly string[]>> = {
  sort: ['by', 'desc', 'limit', 'offset', 'partition by', 'rank'],
  order: ['by', 'desc', 'limit', 'offset', 'partition by', 'rank'],
  first: ['by', 'partition by'],
  last: ['by', 'partition by'],
  uniq: ['by', 'with hits', 'limit'],
  top: ['by', 'hits as', 'rank'],
  field_values: ['limit'],
  unroll: ['by'],
  extract: ['from', 'if', 'keep_original_fields', 'skip_empty_results'],
  extract_regexp: ['from', 'if', 'keep_original_fields', 'skip_empty_results'],
  unpack_json: ['from', 'fields', 'result_prefix', 'if', 'keep_original_fields', 'skip_empty_results'],
  unpack_logfmt: ['from', 'fields', 'result_prefix', 'if', 'keep_original_fields', 'skip_empty_results'],
  format: ['as', 'if', 'keep_original_fields', 'skip_empty_results'],
  replace: ['at', 'if', 'limit'],
  replace_regexp: ['at', 'if', 'limit'],
  rename: ['as'],
  mv: ['as'],
  copy: ['as'],
  cp: ['as'],
  len: ['as'],
  json_array_len: ['as'],
  join: ['by', 'inner', 'prefix'],
  pack_json: ['fields', 'as'],
  pack_logfmt: ['fields', 'as'],
  stream_context: ['before', 'after'],
  facets: ['max_values_per_field', 'max_value_len', 'keep_const_fields'],
};
/** Pipes whose names of fields stand without parentheses. */
const BARE = new Set([
  'fields',
  'keep',
  'delete',
  'del',
  'rm',
  'drop',
  'rename',
  'mv',
  'copy',
  'cp',
  'len',
  'json_array_len',
  'decolorize',
  'field_values',
  'unroll',
  'math',
  'eval',
]);

/** What may stand at the caret (a position in UTF-16 units), whatever state the rest of the text is in. */
export function complete(text: string, caret: number): Completion {
  const before = text.slice(0, caret);
  const { tokens, open } = lexed(before);
  let cut = tokens.length;
  if (open === null) {
    while (
      cut > 0 &&
      isPart(itemAt(tokens, cut - 1)) &&
      itemAt(tokens, cut - 1).end === (cut === tokens.length ? caret : itemAt(tokens, cut).at)
    )
      cut--;
    // A `-` before a word is a negation, not part of it.
    while (cut < tokens.length && tokens[cut]?.kind === 'sign') cut++;
  }
  const from = open ?? tokens[cut]?.at ?? caret;
  const typed = open === null ? before.slice(from) : before.slice(from + 1);
  const rest = /^[\p{L}\p{N}_.$-]*/u.exec(text.slice(caret))?.[0] ?? '';
  return {
    from,
    to: caret + (open === null && typed !== '' ? rest.length : 0),
    typed,
    offers: offersAfter(tokens.slice(0, cut)),
  };
}

const isPart = (token: Token): boolean =>
  token.kind === 'word' || (token.kind === 'sign' && '-./+'.includes(token.text));

/** The tokens of a text that may break off anywhere; `open` is where a quoted text begins that has no end. */
function lexed(text: string): { tokens: readonly Token[]; open: number | null } {
  for (let end = text.length; ;) {
    try {
      return { tokens: tokensOf(text.slice(0, end)).slice(0, -1), open: end === text.length ? null : end };
    } catch (error) {
      const at = error instanceof Fault ? error.extra['position'] : undefined;
      // What cannot be read is left out with all behind it.
      end = typeof at === 'number' && at < end ? at : end - 1;
      if (end <= 0) return { tokens: [], open: text.length === 0 ? null : 0 };
    }
  }
}

function offersAfter(tokens: readonly Token[]): readonly Offer[] {
  let depth = 0;
  let at = tokens.length - 1;
  for (; at >= 0; at--) {
    const { kind, text } = itemAt(tokens, at);
    if (kind !== 'sign') continue;
    if (')]}'.includes(text)) depth++;
    else if ('([{'.includes(text)) depth--;
    else if (text === '|' && depth <= 0) break;
  }
  const part = tokens.slice(at + 1);
  return at < 0 ? inFilter(part) : inPipe(part);
}

const isSign = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token?.kind === 'sign' && texts.includes(token.text);

function inFilter(tokens: readonly Token[]): readonly Offer[] {
  const last = tokens.at(-1);
  const opening = openingOf(tokens);
  if (isSign(opening?.token, '{')) {
    if (isSign(last, '=', '!=', '=~', '!~')) return [{ kind: 'values', field: tokens.at(-2)?.text ?? '' }];
    return isSign(last, '{', ',') ? [FIELDS] : [];
  }
  if (isSign(last, ':'))
    return [{ kind: 'values', field: nameBefore(tokens, tokens.length - 1) }, words('functions', FILTER_FUNCTIONS)];
  if (isSign(last, '=', '!=', '~', '!~', '=~', '>', '<', '>=', '<=') && isSign(tokens.at(-2), ':'))
    return [{ kind: 'values', field: nameBefore(tokens, tokens.length - 2) }];
  if (opening !== null) {
    const { index } = opening;
    const called = tokens[index - 1];
    if (isSign(called, ':'))
      return [{ kind: 'values', field: nameBefore(tokens, index - 1) }, words('keywords', ['and', 'or', 'not'])];
    if (called?.kind === 'word' && isSign(tokens[index - 2], ':')) {
      if (called.text.endsWith('_field')) return [FIELDS];
      return isSign(last, '(', ',') ? [{ kind: 'values', field: nameBefore(tokens, index - 2) }] : [];
    }
  }
  const ended =
    last !== undefined &&
    (last.kind !== 'sign' || isSign(last, ')', ']', '}', '*')) &&
    !/^(?:and|or|not)$/i.test(last.text);
  return ended ? [FIELDS, words('keywords', ['and', 'or', 'not'])] : [FIELDS, words('keywords', ['not'])];
}

function inPipe(tokens: readonly Token[]): readonly Offer[] {
  const [first] = tokens;
  if (first === undefined) return [words('pipes', PIPE_NAMES), words('functions', STATS)];
  const name = first.text.toLowerCase();
  if (name === 'filter' || name === 'where') return inFilter(tokens.slice(1));
  const opening = openingOf(tokens);
  const last = tokens.at(-1);
  const condition = opening !== null && tokens[opening.index - 1]?.text.toLowerCase() === 'if';
  if (condition) return inFilter(tokens.slice(opening.index + 1));
  const other = opening !== null && (name === 'union' || (name === 'join' && isSign(tokens[opening.index - 1], ')')));
  if (other) return inFilter(tokens.slice(opening.index + 1));
  if (opening !== null)
    return last?.kind === 'word' && (name === 'sort' || name === 'order') ? [words('keywords', ['desc'])] : [FIELDS];
  const stats = name === 'stats' || name === 'by' || isOneOf(STATS, name);
  if (stats) {
    if (tokens.length === 1) return [words('functions', STATS), words('keywords', ['by'])];
    return isSign(last, ',') || (isSign(tokens[tokens.length - 1], ')') && isBy(tokens))
      ? [words('functions', STATS)]
      : [words('keywords', ['as', 'if', 'limit'])];
  }
  const known = words('keywords', PIPE_WORDS[name] ?? []);
  if (name === 'math' || name === 'eval')
    return [FIELDS, words('functions', Object.keys(MATH_FUNCTIONS)), words('keywords', ['as'])];
  if (BARE.has(name) || /^(?:from|at|as|by)$/i.test(last?.text ?? ''))
    return tokens.length === 1 || isSign(last, ',') || last?.kind === 'word' ? [FIELDS, known] : [known];
  if (['fields', 'keep'].includes(name)) return [FIELDS];
  return PIPE_WORDS[name] === undefined && !PIPE_NAMES.includes(name) ? inFilter(tokens) : [known];
}

/** True behind `by (…)`, where functions begin. */
function isBy(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (let i = tokens.length - 1; i >= 0; i--) {
    if (isSign(tokens[i], ')')) depth++;
    else if (isSign(tokens[i], '(') && --depth === 0) return tokens[i - 1]?.text.toLowerCase() === 'by';
  }
  return false;
}

/** The innermost bracket that is still open. */
function openingOf(tokens: readonly Token[]): { token: Token; index: number } | null {
  let depth = 0;
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = itemAt(tokens, index);
    if (isSign(token, ')', ']', '}')) depth++;
    else if (isSign(token, '(', '[', '{') && depth-- === 0) return { token, index };
  }
  return null;
}

/** The name of the field before the colon at `colon`. */
function nameBefore(tokens: readonly Token[], colon: number): string {
  let text = '';
  for (let i = colon - 1; i >= 0; i--) {
    const token = itemAt(tokens, i);
    if (token.kind === 'quoted') return token.text;
    if (!isPart(token) || token.end !== itemAt(tokens, i + 1).at) break;
    if (token.kind === 'sign' && !token.glued) break;
    text = token.text + text;
  }
  return text;
}
