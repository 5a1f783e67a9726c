import { itemAt } from '../item-at.ts';
import { badQuery, type Token, tokensOf } from './tokens.ts';

/** How deep a query may nest: parentheses, negations, subqueries, arithmetic. */
const DEPTH = 100;
const QUERY_CHARS = 64 * 1024;
const KEYWORDS = new Set(['and', 'or', 'not']);

/** Says what is wrong with a regular expression; null: nothing. */
export type RegexFault = (pattern: string) => string | null;
const REGEX_CHARS = 4096;

/** What every part of the parser needs of the tokens. */
export class Cursor {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #i = 0;
  #depth = 0;
  readonly #regexFault: RegexFault;
  constructor(text: string, regexFault: RegexFault = () => null) {
    this.text = text;
    this.#regexFault = regexFault;
    if (text.length > QUERY_CHARS)
      throw badQuery(QUERY_CHARS, `expected a query of at most ${QUERY_CHARS} characters, got ${text.length}`);
    this.#tokens = tokensOf(text);
  }

  /** The token `ahead` places from here. */
  peek(ahead = 0): Token {
    return itemAt(this.#tokens, Math.min(this.#i + ahead, this.#tokens.length - 1));
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#i++;
    return token;
  }

  get place(): number {
    return this.#i;
  }

  back(place: number): void {
    this.#i = place;
  }

  isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'sign' && token.text === text;
  }

  /** Takes the sign if it stands here. */
  sign(text: string): boolean {
    if (!this.isSign(text)) return false;
    this.#i++;
    return true;
  }

  isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && token.text.toLowerCase() === text;
  }

  /** Takes the keyword if it stands here, whatever its case. */
  word(...texts: readonly string[]): boolean {
    if (!texts.some((text) => this.isWord(text))) return false;
    this.#i++;
    return true;
  }

  expect(sign: string, where: string): void {
    if (!this.sign(sign)) throw this.wrong(`"${sign}" ${where}`);
  }

  /** What stands before the next `)`, with commas in between. */
  upToBrace<T>(between: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.sign(')')) {
      if (items.length > 0) this.expect(',', between);
      items.push(item());
    }
    return items;
  }

  /** `expected X, not Y`, at the token that stands here. */
  wrong(expected: string): Error {
    const token = this.peek();
    return badQuery(
      token.at,
      `expected ${expected}, got ${token.kind === 'end' ? 'the end of the query' : JSON.stringify(this.text.slice(token.at, token.end))}`,
    );
  }

  deeper<T>(run: () => T): T {
    if (++this.#depth > DEPTH) throw badQuery(this.peek().at, `more than ${DEPTH} levels of nesting`);
    try {
      return run();
    } finally {
      this.#depth--;
    }
  }

  /** True where the token is a word that may stand for itself. */
  isPlainWord(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'word' && !KEYWORDS.has(token.text.toLowerCase());
  }

  /**
   * A quoted text, or words with the signs of `joins` between that touch each other, such as `10.0.0.1`, `job-1`, `-5`.
   */
  value(joins: string, expected: string): string {
    const first = this.peek();
    if (first.kind === 'quoted') {
      this.#i++;
      this.#separate();
      return first.text;
    }
    const joined = (ahead: number) =>
      this.peek(ahead).kind === 'sign' && joins.includes(this.peek(ahead).text) && this.peek(ahead).text.length === 1;
    if (first.kind !== 'word' && !joined(0)) throw this.wrong(expected);
    let end = first.end;
    this.#i++;
    while (this.peek().glued && (this.peek().kind === 'word' || joined(0))) {
      end = this.peek().end;
      this.#i++;
    }
    this.#separate();
    return this.text.slice(first.at, end);
  }

  /** Two texts must not touch: `"a"b` is more likely a mistake than two words. */
  #separate(): void {
    const token = this.peek();
    if (!token.glued) return;
    if (token.kind === 'quoted' || token.kind === 'word')
      throw badQuery(token.at, 'expected a space between two strings');
    if ('%^&'.includes(token.text) && token.kind === 'sign')
      throw badQuery(token.at, `${JSON.stringify(token.text)} must be in quotes`);
  }

  /** The name of a field. */
  name(expected = 'the name of a field'): string {
    if (this.peek().kind === 'sign') throw this.wrong(expected);
    return this.value('-./+$', expected) || '_msg';
  }

  checkRegex(pattern: string, at: number): string {
    const fault =
      pattern.length > REGEX_CHARS ? `it has more than ${REGEX_CHARS} characters` : this.#regexFault(pattern);
    if (fault !== null) throw badQuery(at, `expected a regular expression in the syntax of RE2: ${fault}`);
    return pattern;
  }

  /** A whole number that is not negative. */
  count(expected: string): number {
    const token = this.peek();
    if (token.kind !== 'word' || !/^\d{1,15}$/.test(token.text)) throw this.wrong(expected);
    this.#i++;
    return Number(token.text);
  }
}
