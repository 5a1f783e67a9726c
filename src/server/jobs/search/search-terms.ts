import type { JobFilter } from '../../../contract/jobs.ts';
import { invalidAt } from '../../../lib/fault.ts';
import { parseJson } from '../../../lib/json.ts';
import { parseField, pathKey } from './field-path.ts';
import { fieldKey, plainText, wordsOf, type Terms } from './terms.ts';
import type { SearchTerms } from './port.ts';

/** Null where the filter searches nothing. Throws VALIDATION_FAILED. */
export function searchTermsOf({ label = [], input = [], text }: JobFilter): SearchTerms | null {
  if (label.length === 0 && input.length === 0 && text === undefined) return null;
  const words = text === undefined ? [] : [...new Set(wordsOf(text, text.length))];
  if (text !== undefined && words.length === 0)
    throw invalidAt('/text', 'text must contain a word of letters or digits', 'must contain a word');
  return { labels: label.map(parseLabel), fields: input.map(keysOf), words };
}

function parseLabel(text: string): { key: string; value: string | null } {
  const at = text.indexOf('=');
  return at < 0 ? { key: text, value: null } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

function keysOf(text: string): string[] {
  const { path, value } = parseField(text);
  const key = pathKey(path);
  const plain = otherText(value);
  return [fieldKey(key, 'text', value), ...(plain === null ? [] : [fieldKey(key, 'other', plain)])];
}

/** A value that reads as a number, true, false or null, in the form that the index has it. */
function otherText(value: string): string | null {
  if (!/^(?:-?\d|true$|false$|null$)/.test(value)) return null;
  try {
    return plainText(parseJson(value));
  } catch {
    return null;
  }
}

/** The same decision from a job's own terms: the index is a hint, these decide. */
export function meetsTerms(ask: SearchTerms, labels: Readonly<Record<string, string>>, terms: () => Terms): boolean {
  for (const { key, value } of ask.labels)
    if (!Object.hasOwn(labels, key) || (value !== null && labels[key] !== value)) return false;
  if (ask.fields.length === 0 && ask.words.length === 0) return true;
  const { fields, words } = terms();
  return ask.fields.every((keys) => keys.some((key) => fields.has(key))) && ask.words.every((word) => words.has(word));
}
