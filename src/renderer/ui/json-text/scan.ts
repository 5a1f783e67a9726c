import { t } from '../../../lib/language.ts';
import { endOf, type Token, tokenAt, type TokenKind } from './token.ts';

/**
 * A JSON reader for text that is being typed: it always gives a tree, with the place of every value, and says what is
 * wrong. It finds no error exactly where `JSON.parse` accepts the text.
 */

export interface SyntaxFault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

export interface Member {
  readonly key: string;
  /** Of the key with its quotes. */
  readonly keyFrom: number;
  readonly keyTo: number;
  /** Whether a colon follows the key. */
  readonly colon: boolean;
  readonly value: JsonNode | null;
}

interface Place {
  readonly from: number;
  to: number;
}
export type JsonNode = Place &
  (
    | { readonly kind: 'object'; readonly members: Member[]; closed: boolean }
    | { readonly kind: 'array'; readonly items: JsonNode[]; closed: boolean }
    | { readonly kind: 'string'; readonly value: string; readonly closed: boolean }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'word'; readonly value: string }
  );

export interface Parsed {
  readonly root: JsonNode | null;
  readonly errors: SyntaxFault[];
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const MAX_DEPTH = 400;
const MAX_ERRORS = 50;

/** Characters from which on a text is worth keeping what was read of it. */
const LONG = 2000;
/** The long text that was read last: editor, canvas and checks read it in turn. Nobody changes what was read. */
let last: { readonly text: string; readonly parsed: Parsed } | null = null;

/** Reads the text; `root` is null only where it holds no value at all. */
export function scanJson(text: string): Parsed {
  if (text.length < LONG) return scan(text);
  if (last?.text !== text) last = { text, parsed: scan(text) };
  return last.parsed;
}

function scan(text: string): Parsed {
  const errors: SyntaxFault[] = [];
  const fault = (from: number, to: number, message: string) => {
    if (errors.length < MAX_ERRORS) errors.push({ from, to: Math.max(to, Math.min(from + 1, text.length)), message });
  };
  let token: Token = tokenAt(text, 0);

  const next = () => {
    token = tokenAt(text, token.to);
  };

  function stringNode(at: Token): Extract<JsonNode, { kind: 'string' }> {
    const closed = at.to - at.from >= 2 && text[at.to - 1] === '"' && endsUnescaped(at);
    const inner = text.slice(at.from + 1, closed ? at.to - 1 : at.to);
    if (!closed) fault(at.from, at.to, t('Unterminated string: a quote is missing.'));
    else checkEscapes(at.from + 1, at.to - 1);
    return { kind: 'string', from: at.from, to: at.to, value: decode(inner), closed };
  }

  function endsUnescaped(at: Token): boolean {
    let slashes = 0;
    for (let i = at.to - 2; i > at.from && text[i] === '\\'; i--) slashes++;
    return slashes % 2 === 0;
  }

  function checkEscapes(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x20)
        fault(
          at,
          at + 1,
          code === 9 ? t('Write a tab in a string as \\t.') : t('Control characters in a string must be escaped.'),
        );
      else if (code === 0x5c) {
        const end = endOf(ESCAPE, text, at);
        if (end < 0) fault(at, at + 2, t('Invalid escape sequence; write a backslash as \\\\.'));
        at = end < 0 ? at + 1 : end - 1;
      }
    }
  }

  function value(depth: number): JsonNode | null {
    const at = token;
    switch (at.kind) {
      case '{':
        return depth > MAX_DEPTH ? tooDeep() : object(depth);
      case '[':
        return depth > MAX_DEPTH ? tooDeep() : array(depth);
      case 'string':
        next();
        return stringNode(at);
      case 'number': {
        next();
        if (token.from === at.to && (token.kind === 'number' || token.kind === 'word' || token.kind === 'bad')) {
          fault(at.from, token.to, t('Not a valid JSON number.'));
          next();
        }
        return { kind: 'number', from: at.from, to: at.to, value: Number(text.slice(at.from, at.to)) };
      }
      case 'word': {
        next();
        const word = text.slice(at.from, at.to);
        if (word !== 'true' && word !== 'false' && word !== 'null')
          fault(at.from, at.to, t('“{word}” is not a valid JSON value; strings need quotes.', { word }));
        else if (token.from === at.to && (token.kind === 'number' || token.kind === 'word' || token.kind === 'bad')) {
          fault(at.from, token.to, t('Not a valid JSON value.'));
          next();
        }
        return { kind: 'word', from: at.from, to: at.to, value: word };
      }
      default:
        return null;
    }
  }

  function tooDeep(): null {
    fault(token.from, token.to, t('Nested more than {MAX_DEPTH} levels deep.', { MAX_DEPTH }));
    token = { kind: 'end', from: text.length, to: text.length };
    return null;
  }

  function object(depth: number): JsonNode {
    const node: Extract<JsonNode, { kind: 'object' }> = {
      kind: 'object',
      from: token.from,
      to: token.to,
      members: [],
      closed: false,
    };
    next();
    let due: 'first' | 'key' | 'comma' = 'first';
    for (;;) {
      const at = token;
      if (at.kind === '}') {
        if (due === 'key') fault(at.from, at.to, t('Trailing comma before this brace; remove it or add a property.'));
        node.closed = true;
        node.to = at.to;
        next();
        return node;
      }
      if (at.kind === 'end' || at.kind === ']') {
        fault(node.from, node.from + 1, t('The object that starts here is not closed.'));
        node.to = at.from;
        return node;
      }
      if (at.kind === ',') {
        if (due !== 'comma') fault(at.from, at.to, t('Expected a property before this comma.'));
        due = 'key';
        next();
        continue;
      }
      if (due === 'comma') {
        const before = node.members.at(-1);
        fault(before?.value?.to ?? before?.keyTo ?? at.from, at.from, t('Missing comma.'));
      }
      due = 'comma';
      if (at.kind !== 'string') {
        fault(at.from, at.to, t('Expected a property name in quotes.'));
        if (value(depth + 1) === null) next();
        continue;
      }
      next();
      const key = stringNode(at);
      const colon = (token.kind as TokenKind) === ':';
      if (colon) next();
      else fault(at.from, at.to, t('Missing colon and value after this name.'));
      const inner = colon ? value(depth + 1) : null;
      if (colon && inner === null) fault(at.from, at.to, t('This property has no value.'));
      node.members.push({ key: key.value, keyFrom: at.from, keyTo: at.to, colon, value: inner });
    }
  }

  function array(depth: number): JsonNode {
    const node: Extract<JsonNode, { kind: 'array' }> = {
      kind: 'array',
      from: token.from,
      to: token.to,
      items: [],
      closed: false,
    };
    next();
    let due: 'first' | 'value' | 'comma' = 'first';
    for (;;) {
      const at = token;
      if (at.kind === ']') {
        if (due === 'value') fault(at.from, at.to, t('Trailing comma before this bracket; remove it or add a value.'));
        node.closed = true;
        node.to = at.to;
        next();
        return node;
      }
      if (at.kind === 'end' || at.kind === '}') {
        fault(node.from, node.from + 1, t('The array that starts here is not closed.'));
        node.to = at.from;
        return node;
      }
      if (at.kind === ',') {
        if (due !== 'comma') fault(at.from, at.to, t('Expected a value before this comma.'));
        due = 'value';
        next();
        continue;
      }
      if (due === 'comma') fault(node.items.at(-1)?.to ?? at.from, at.from, t('Missing comma.'));
      due = 'comma';
      const item = value(depth + 1);
      if (item) node.items.push(item);
      else {
        fault(at.from, at.to, t('Expected a value.'));
        if (token === at) next();
      }
    }
  }

  const root = value(0);
  if (root === null && errors.length === 0)
    fault(token.from, token.to, token.kind === 'end' ? t('The document is empty.') : t('Expected a value.'));
  else if (root !== null && token.kind !== 'end')
    fault(token.from, text.length, t('Unexpected text after the end of the document.'));
  return { root, errors };
}

function decode(inner: string): string {
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner}"`);
  } catch {
    return inner;
  }
}
