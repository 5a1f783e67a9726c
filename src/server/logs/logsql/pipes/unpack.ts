import { isRecord } from '../../../../lib/is-record.ts';
import type { PipeOf } from '../../../../lib/logsql/ast.ts';
import type { Run, Stage } from '../run-context.ts';
import { editStage } from './edit.ts';

/** Fields that one value may give. */
const FIELDS = 1000;
const NAME_CHARS = 128;
const DEPTH = 50;

type Put = (name: string, value: string) => void;

/** `unpack_json`, `unpack_logfmt`: the fields within a value as fields of the row. */
export function unpackStage(pipe: PipeOf<'unpack_json' | 'unpack_logfmt'>, run: Run): Stage {
  const wanted = pipe.fields.length === 0 ? null : new Set(pipe.fields);
  const unpack = pipe.kind === 'unpack_json' ? unpackJson : unpackLogfmt;
  return editStage(pipe, run, () => (row) => {
    let left = FIELDS;
    unpack(row.get(pipe.from), (name, value) => {
      if (left-- > 0 && (wanted === null || wanted.has(name))) row.set(pipe.prefix + name, value);
    });
  });
}

/** A number as it stands in the text. */
class Token {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Nested objects give names with dots; arrays stay as JSON; numbers keep their text; null is left out. */
function unpackJson(text: string, put: Put): void {
  if (!/^\s*\{/.test(text)) return;
  let value: unknown;
  try {
    value = parseTokens(text);
  } catch {
    return;
  }
  if (isRecord(value)) walk('', value, put, 0);
}

function parseTokens(text: string): unknown {
  const revive = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? new Token(context.source) : value;
  return JSON.parse(text, revive);
}

function walk(path: string, object: Readonly<Record<string, unknown>>, put: Put, depth: number): void {
  for (const [key, value] of Object.entries(object)) {
    const name = path === '' ? key : `${path}.${key}`;
    if (value === null || name === '') continue;
    if (isRecord(value) && !(value instanceof Token) && name.length <= NAME_CHARS && depth < DEPTH)
      walk(name, value, put, depth + 1);
    else put(name, textOf(value));
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Token) return value.text;
  return jsonOf(value);
}

// Newer than the type of `JSON`.
const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value, (_, inner: unknown) => (inner instanceof Token ? raw(inner.text) : inner));
  } catch {
    // Nested deeper than the stack is.
    return '';
  }
}

/** `a=b c="d e"`; a name alone has no value. */
function unpackLogfmt(text: string, put: Put): void {
  for (const [, name = '', quoted, bare] of text.matchAll(/([^\s=]+)(?:=(?:"((?:[^"\\]|\\.)*)"|(\S*)))?/g)) {
    put(name, quoted === undefined ? (bare ?? '') : unquote(quoted));
  }
}

export function unquote(inner: string): string {
  if (!inner.includes('\\')) return inner;
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return inner;
  }
}
