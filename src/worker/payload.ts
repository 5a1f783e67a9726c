import { parseJson } from '../lib/json.ts';

/** A JSON value on its way through the worker: as value or as text, whichever is asked for, each made once. */
export interface Payload {
  value(): unknown;
  text(): string;
}

export function payloadFromValue(value: unknown): Payload {
  let text: string | undefined;
  return { value: () => value, text: () => (text ??= JSON.stringify(value) ?? 'null') };
}

/** `text` must be JSON. Numbers that a double cannot hold stay as they are written. */
export function payloadFromText(text: string): Payload {
  let parsed: { value: unknown } | undefined;
  return { text: () => text, value: () => (parsed ??= { value: parseJson(text) }).value };
}

/** What an expression returned. Its arrays carry marks of the evaluator, so the next node gets it anew from the text. */
export const payloadFromResult = (value: unknown): Payload => payloadFromText(JSON.stringify(value) ?? 'null');
