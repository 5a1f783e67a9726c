import type { Filter } from './ast.ts';
import { durationOf, spanOf } from './time.ts';
import { badQuery, endOfWord, tokensOf, type Token } from './tokens.ts';

/** Deepest nesting of parentheses and negations. */
const DEPTH = 100;

/**
 * Parses the filter part of LogsQL: words, phrases, `field:value`, `:=`, prefixes, `in(…)`, comparisons, `_time:…`,
 * `and`, `or`, `not` and parentheses. Throws a `Fault` QUERY_INVALID with the 0-based `position` of what is wrong.
 *
 * @param now microseconds since the epoch, for relative times
 */
export function parseQuery(query: string, now: number): Filter {
  if (query.trim() === '') return { kind: 'all' };
  return new Parser(query, now).parse();
}

class Parser {
  readonly #query: string;
  readonly #now: number;
  readonly #tokens: Token[];
  #i = 0;
  #depth = 0;
  constructor(query: string, now: number) {
    this.#query = query;
    this.#now = now;
    this.#tokens = tokensOf(query);
  }

  parse(): Filter {
    const filter = this.#or('_msg');
    const rest = this.#peek();
    if (rest.text === '|' && rest.kind === 'sign') throw badQuery(rest.at, 'pipes are not supported in this search: it takes a filter alone');
    if (rest.kind !== 'end') throw badQuery(rest.at, `unexpected ${JSON.stringify(rest.text)}`);
    return filter;
  }

  #or(field: string): Filter {
    const parts = [this.#and(field)];
    while (this.#keyword('or')) parts.push(this.#and(field));
    return parts.length === 1 ? (parts[0] as Filter) : { kind: 'or', parts };
  }

  #and(field: string): Filter {
    const parts = [this.#unary(field)];
    while (this.#keyword('and') || this.#startsFilter()) parts.push(this.#unary(field));
    return parts.length === 1 ? (parts[0] as Filter) : { kind: 'and', parts };
  }

  #unary(field: string): Filter {
    if (++this.#depth > DEPTH) throw badQuery(this.#peek().at, `more than ${DEPTH} levels of nesting`);
    try {
      if (this.#keyword('not') || this.#sign('!') || this.#sign('-')) return { kind: 'not', part: this.#unary(field) };
      return this.#primary(field);
    } finally {
      this.#depth--;
    }
  }

  #primary(field: string): Filter {
    if (this.#sign('(')) {
      const inner = this.#or(field);
      this.#expect(')');
      return inner;
    }
    const token = this.#peek();
    const name = token.kind === 'word' || token.kind === 'quoted' ? token : null;
    const colon = this.#tokens[this.#i + 1];
    if (name && colon?.kind === 'sign' && colon.text === ':') {
      this.#i += 2;
      return this.#ofField(name.text === '' ? '_msg' : name.text, colon.end);
    }
    if (token.text === '{' && token.kind === 'sign') throw badQuery(token.at, 'stream filters are not supported: filter by field, such as job_id:="…"');
    return this.#value(field);
  }

  /** What stands behind `field:`; the text goes on at `from`. */
  #ofField(field: string, from: number): Filter {
    if (field === '_time') return this.#time(from);
    if (field === '_stream' || field === '_stream_id') throw badQuery(from, `${field} is not supported: filter by field, such as job_id:="…"`);
    if (this.#peek().kind === 'sign' && this.#peek().text === '(') return this.#primary(field);
    return this.#value(field, from);
  }

  #value(field: string, from?: number): Filter {
    const token = this.#peek();
    if (this.#sign('*')) return field === '_msg' && from === undefined ? { kind: 'all' } : { kind: 'present', field };
    if (this.#sign('=')) {
      const text = this.#argument();
      return { kind: 'exact', field, text, prefix: this.#star() };
    }
    if (this.#sign('!=')) {
      const text = this.#argument();
      return { kind: 'not', part: { kind: 'exact', field, text, prefix: this.#star() } };
    }
    for (const op of ['>=', '<=', '>', '<'] as const) if (this.#sign(op)) return { kind: 'compare', field, op, bound: this.#argument() };
    if (token.kind === 'sign' && (token.text === '~' || token.text === '!~')) throw badQuery(token.at, 'regular expressions are not supported in this search: use words, phrases or prefixes');
    if (token.kind === 'end') throw badQuery(token.at, from === undefined ? 'expected a filter' : `expected a value behind ${field}:`);
    if (token.kind === 'sign' && !(token.text === '-' && from !== undefined)) throw badQuery(token.at, `expected a word, a quoted text or a filter, not ${JSON.stringify(token.text)}`);
    if (token.kind === 'word') {
      const next = this.#tokens[this.#i + 1];
      if (token.text === 'in' && next?.text === '(' && next.at === token.end) return this.#in(field);
      if (next?.kind === 'sign' && next.text === '(' && next.at === token.end) throw badQuery(token.at, `the function ${token.text}() is not supported in this search`);
      if (['and', 'or', 'not'].includes(token.text.toLowerCase())) throw badQuery(token.at, `expected a filter, not ${JSON.stringify(token.text)}; the word itself must stand in quotes`);
    }
    const text = this.#argument();
    if (text === '' && token.kind === 'quoted' && field !== '_msg') return { kind: 'exact', field, text, prefix: false };
    return { kind: 'phrase', field, text, prefix: this.#star() };
  }

  #in(field: string): Filter {
    this.#i += 2;
    const values: string[] = [];
    while (!this.#sign(')')) {
      if (values.length > 0) this.#expect(',');
      values.push(this.#argument());
    }
    return { kind: 'in', field, values };
  }

  #time(from: number): Filter {
    for (const op of ['>=', '<=', '>', '<', '='] as const) {
      if (!this.#sign(op)) continue;
      const { text, at } = this.#timeText(this.#peek().at);
      const duration = durationOf(text);
      // A duration counts back from now, so that > is older.
      if (duration !== undefined) return op === '<' || op === '<=' || op === '=' ? this.#range(this.#now - duration, this.#now) : this.#range(-Infinity, this.#now - duration);
      const span = this.#span(text, at);
      if (op === '=') return this.#range(span.from, span.to);
      if (op === '>') return this.#range(span.to, Infinity);
      if (op === '>=') return this.#range(span.from, Infinity);
      return this.#range(-Infinity, op === '<' ? span.from : span.to);
    }
    const opening = this.#peek();
    if (opening.kind === 'sign' && (opening.text === '[' || opening.text === '(')) return this.#interval(opening);
    const { text, at } = this.#timeText(from);
    const duration = durationOf(text);
    if (duration !== undefined) return this.#range(this.#now - duration, this.#now);
    const span = this.#span(text, at);
    return this.#range(span.from, span.to);
  }

  #interval(opening: Token): Filter {
    this.#i++;
    const low = this.#timeText(this.#peek().at);
    this.#expect(',');
    const high = this.#timeText(this.#peek().at);
    const from = this.#span(low.text, low.at);
    const to = this.#span(high.text, high.at);
    const closed = this.#sign(']');
    if (!closed) this.#expect(')');
    return this.#range(opening.text === '[' ? from.from : from.to, closed ? to.to : to.from);
  }

  /** A time may hold colons, so it is read from the text and not from the tokens. */
  #timeText(from: number): { text: string; at: number } {
    const token = this.#peek();
    if (token.kind === 'quoted') {
      this.#i++;
      return { text: token.text, at: token.at };
    }
    const at = token.at;
    const end = endOfWord(this.#query, at, true);
    if (end === at || token.kind === 'end') throw badQuery(Math.max(at, from), 'expected a time or a duration, such as 5m or 2026-01-31T12:00:00Z');
    while (this.#peek().at < end && this.#peek().kind !== 'end') this.#i++;
    return { text: this.#query.slice(at, end), at };
  }

  #span(text: string, at: number): { from: number; to: number } {
    const span = spanOf(text, this.#now);
    if (span === undefined) throw badQuery(at, `${JSON.stringify(text)} is neither a time nor a duration, such as 5m or 2026-01-31T12:00:00Z`);
    return span;
  }

  #range = (from: number, to: number): Filter => ({ kind: 'time', from, to });

  /** A word (behind a field it may hold colons) or a quoted text. */
  #argument(): string {
    const token = this.#peek();
    if (token.kind === 'quoted') {
      this.#i++;
      return token.text;
    }
    const end = endOfWord(this.#query, token.at, this.#behindField());
    if (token.kind === 'end' || end === token.at) throw badQuery(token.at, token.kind === 'end' ? 'the query ends where a value was expected' : `expected a word or a quoted text, not ${JSON.stringify(token.text)}`);
    while (this.#peek().at < end && this.#peek().kind !== 'end') this.#i++;
    return this.#query.slice(token.at, end);
  }

  #behindField(): boolean {
    const before = this.#tokens[this.#i - 1];
    return before?.kind === 'sign' && [':', '=', '!=', '>', '>=', '<', '<='].includes(before.text);
  }

  /** A `*` that touches the value before it. */
  #star(): boolean {
    const star = this.#peek();
    if (star.kind !== 'sign' || star.text !== '*' || star.at !== this.#tokens[this.#i - 1]?.end) return false;
    this.#i++;
    return true;
  }

  #startsFilter(): boolean {
    const token = this.#peek();
    if (token.kind === 'end') return false;
    if (token.kind === 'word') return token.text.toLowerCase() !== 'or';
    const operator = ['=', '!=', '>', '>=', '<', '<=', '~', '!~'].includes(token.text) && token.kind === 'sign';
    if (operator && this.#tokens[this.#i - 1]?.end === token.at) throw badQuery(token.at, `${JSON.stringify(token.text)} inside of a word must stand in quotes; a field is compared as in field:${token.text}value`);
    return operator || token.kind === 'quoted' || ['(', '!', '-', '*', '{'].includes(token.text);
  }

  #peek = (): Token => this.#tokens[this.#i] as Token;
  #sign(text: string): boolean {
    const token = this.#peek();
    if (token.kind !== 'sign' || token.text !== text) return false;
    this.#i++;
    return true;
  }
  #keyword(word: string): boolean {
    const token = this.#peek();
    const next = this.#tokens[this.#i + 1];
    if (token.kind !== 'word' || token.text.toLowerCase() !== word || (next?.kind === 'sign' && next.text === ':')) return false;
    this.#i++;
    return true;
  }
  #expect(text: string): void {
    const token = this.#peek();
    if (!this.#sign(text)) throw badQuery(token.at, `expected ${JSON.stringify(text)}${token.kind === 'end' ? ' before the end' : `, not ${JSON.stringify(token.text)}`}`);
  }
}
