import { isRawNumber } from '../lib/json.ts';
import { parseText } from '../lib/template.ts';
import type { Expressions } from './expressions.ts';
import { lru } from './lru.ts';
import type { Payload } from './payload.ts';

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

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (isRawNumber(value)) return value.rawJSON;
  return JSON.stringify(value) ?? '';
}
