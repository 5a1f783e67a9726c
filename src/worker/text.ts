import { isRawNumber } from '../lib/json.ts';
import type { Expressions } from './expressions.ts';
import { lru } from './lru.ts';
import type { Payload } from './payload.ts';

/** A text with `{{ JSONata }}`: plain pieces and expressions in turn. */
export type Pieces = readonly ({ text: string } | { expression: string })[];

/** Fills texts; missing values are empty, objects and arrays JSON. */
export type Fill = (text: string, input: Payload, task: { signal(): AbortSignal }) => Promise<string>;

export function createFill(expressions: Expressions): Fill {
  const parsed = lru(1000, parseText);
  return async (text, input, task) => {
    if (!text.includes('{{')) return text;
    let filled = '';
    for (const piece of parsed(text)) filled += 'text' in piece ? piece.text : asText(await expressions.evaluate(piece.expression, input, task));
    return filled;
  };
}

/** Cuts a text at its `{{ … }}`. Braces and quotes inside an expression are respected; one that never ends is plain text. */
export function parseText(text: string): Pieces {
  const pieces: ({ text: string } | { expression: string })[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('{{', at);
    const close = open < 0 ? -1 : endOfExpression(text, open + 2);
    if (close < 0) {
      if (at < text.length) pieces.push({ text: text.slice(at) });
      return pieces;
    }
    if (open > at) pieces.push({ text: text.slice(at, open) });
    const expression = text.slice(open + 2, close).trim();
    if (expression !== '') pieces.push({ expression });
    at = close + 2;
  }
}

function endOfExpression(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === '"' || c === "'" || c === '`') {
      const end = endOfQuote(text, i);
      if (end < 0) return text.indexOf('}}', from);
      i = end;
    } else if (c === '{') depth++;
    else if (c === '}' && depth > 0) depth--;
    else if (c === '}' && text[i + 1] === '}') return i;
  }
  return -1;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\' && quote !== '`') i++;
    else if (text[i] === quote) return i;
  }
  return -1;
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isRawNumber(value)) return value.rawJSON;
  return JSON.stringify(value) ?? '';
}
