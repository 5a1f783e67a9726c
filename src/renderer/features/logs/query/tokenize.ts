import { nameText, valueText } from '../../../../lib/logsql/quote.ts';

/**
 * A query in pieces, as far as typing help needs them. It takes every text, also one that is half typed; whether it is
 * good LogsQL, the log store decides and marks.
 */
export type TokenKind = 'word' | 'phrase' | 'field' | 'colon' | 'operator' | 'range' | 'paren';
export interface Token {
  readonly kind: TokenKind;
  /** Offsets into the query. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const QUOTES = new Set(['"', "'", '`']);
const WORD_END = /[\s"'`:()[\]|,]/;

export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: TokenKind, to: number) => {
    tokens.push({ kind, from: at, to, text: query.slice(at, to) });
    at = to;
  };
  while (at < query.length) {
    const char = query.charAt(at);
    if (/\s/.test(char)) at++;
    else if (QUOTES.has(char)) {
      const to = phraseEnd(query, at);
      push(nextChar(query, to) === ':' ? 'field' : 'phrase', to);
    } else if (char === ':') push('colon', at + 1);
    else if (char === '(' || char === ')' || char === '|' || char === ',') push('paren', at + 1);
    else if ((char === '[' || char === ']') && tokens.at(-1)?.kind === 'colon') push('range', rangeEnd(query, at));
    else if (char === '!' || char === '[' || char === ']') push('operator', at + 1);
    else {
      let to = at + 1;
      while (to < query.length && !WORD_END.test(query.charAt(to))) to++;
      const afterColon = tokens.at(-1)?.kind === 'colon' && tokens.at(-1)?.to === at;
      // A time has colons of its own; only the first one of a filter parts field and value.
      if (afterColon && tokens.at(-2)?.text === '_time')
        while (to < query.length && !/[\s()|]/.test(query.charAt(to))) to++;
      const text = query.slice(at, to);
      if (query[to] === ':' && !afterColon) push('field', to);
      else push(!afterColon && /^(and|or|not)$/i.test(text) ? 'operator' : 'word', to);
    }
  }
  return tokens;
}

function phraseEnd(query: string, from: number): number {
  const quote = query[from];
  for (let i = from + 1; i < query.length; i++) {
    if (query[i] === '\\') i++;
    else if (query[i] === quote) return i + 1;
  }
  return query.length;
}

function rangeEnd(query: string, from: number): number {
  for (let i = from + 1; i < query.length; i++) if (query[i] === ']' || query[i] === ')') return i + 1;
  return query.length;
}

const nextChar = (query: string, at: number): string | undefined => query[at];

/** The text that a phrase stands for. */
function unquote(text: string): string {
  if (!QUOTES.has(text[0] ?? '')) return text;
  const closed = text.length > 1 && text.at(-1) === text[0];
  return text
    .slice(1, closed ? -1 : undefined)
    .replace(/\\(.)/gs, (_all, char: string) => ({ n: '\n', t: '\t', r: '\r' })[char] ?? char);
}

/** The query that also asks for (or, with `negate`, without) records whose field has this value. Asked twice it stays as it is. */
export function withFilter(query: string, field: string, value: string, negate: boolean): string {
  const [filters, pipes] = cutAtPipe(withoutComments(query));
  // An empty value matches records without the field.
  const filter = value === '' ? `${nameText(field)}:""` : `${nameText(field)}:=${valueText(value)}`;
  const opposite = negate ? filter : `NOT ${filter}`;
  const wanted = negate ? `NOT ${filter}` : filter;
  // With an OR that stands in no parentheses the whole is one part: a new filter must not become one of its sides.
  const parts = hasBareOr(filters) ? [`(${filters.trim()})`] : topLevelParts(filters);
  if (parts.includes(wanted)) return query;
  const kept = parts.filter((part) => part !== opposite && part !== '*');
  return `${[...kept, wanted].join(' AND ')}${pipes}`;
}

/** Comments run to the end of the line: a filter behind one would be a part of it. */
export function withoutComments(query: string): string {
  const sign = tokenize(query).find(({ kind, text }) => kind !== 'phrase' && text.includes('#'));
  if (sign === undefined) return query;
  const from = sign.from + sign.text.indexOf('#');
  const end = query.indexOf('\n', from);
  return end < 0 ? query.slice(0, from) : withoutComments(query.slice(0, from) + query.slice(end));
}

function hasBareOr(part: string): boolean {
  let depth = 0;
  for (const { kind, text } of tokenize(part)) {
    if (kind === 'paren') depth += text === '(' ? 1 : text === ')' ? -1 : 0;
    else if (depth === 0 && kind === 'operator' && /^or$/i.test(text)) return true;
  }
  return false;
}

/** True where a query makes rows of its own from what its filters leave. */
export const hasPipes = (query: string): boolean => /[^|\s]/.test(cutAtPipe(query)[1].replace('|', ''));

/** The filters of a query, and its pipes with the space before them. */
export function cutAtPipe(query: string): readonly [filters: string, pipes: string] {
  let depth = 0;
  for (const { kind, text, from } of tokenize(query)) {
    if (kind !== 'paren') continue;
    if (text === '|' && depth === 0) return [query.slice(0, from), ` ${query.slice(from)}`];
    depth += text === '(' ? 1 : text === ')' ? -1 : 0;
  }
  return [query, ''];
}

/** The parts between ANDs that stand in no parentheses. */
function topLevelParts(query: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const token of tokenize(query)) {
    if (token.kind === 'paren') depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (depth === 0 && token.kind === 'operator' && /^and$/i.test(token.text)) {
      parts.push(query.slice(from, token.from).trim());
      from = token.to;
    }
  }
  parts.push(query.slice(from).trim());
  return parts.filter((part) => part !== '');
}

/** Words and phrases that a message is searched for, to mark them in it. */
export function searchedWords(query: string): string[] {
  const tokens = tokenize(cutAtPipe(query)[0]);
  const needles: string[] = [];
  let depth = 0;
  /** How deep the brackets are whose words are values of a field, as in `level:in(WARN, ERROR)`. */
  let values = Number.POSITIVE_INFINITY;
  for (const [i, token] of tokens.entries()) {
    if (token.text === '(') {
      depth++;
      if (tokens[i - 2]?.kind === 'colon' || tokens[i - 1]?.kind === 'colon') values = Math.min(values, depth);
    } else if (token.text === ')' && depth-- === values) values = Number.POSITIVE_INFINITY;
    if ((token.kind !== 'word' && token.kind !== 'phrase') || depth >= values || tokens[i + 1]?.text === '(') continue;
    // `field:="a text"` is one filter, of that field.
    const before = tokens[i - 1]?.text === '=' && tokens[i - 1]?.to === token.from ? tokens[i - 2] : tokens[i - 1];
    if (token.text === '=') continue;
    const negated = (t: Token | undefined) => t?.kind === 'operator' && (t.text === '!' || /^not$/i.test(t.text));
    if (before?.kind === 'colon') {
      const field = tokens[tokens.indexOf(before) - 1];
      if (field?.text !== '_msg' || negated(tokens[tokens.indexOf(before) - 2])) continue;
    } else if (negated(before)) continue;
    const text = unquote(token.text).replace(/^=|\*+$/g, '');
    if (text !== '') needles.push(text);
  }
  return needles;
}
