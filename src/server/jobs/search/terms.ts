import type { Limits } from '../../../contract/limits.ts';
import { isRawNumber, parseJson } from '../../../lib/json.ts';
import { pathKey } from '../../../lib/job-query/field-path.ts';

export type TermLimits = Pick<
  Limits,
  | 'searchInputs'
  | 'searchFields'
  | 'searchDepth'
  | 'searchInputBytes'
  | 'searchTextCharacters'
  | 'searchValueCharacters'
  | 'searchWords'
>;

/** What a job can be found by. */
export interface Terms {
  /** `pathKey` and value of each field, see `fieldKey`. */
  readonly fields: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** `pathKey` of each field that is there, and of what it stands in. */
  readonly paths: ReadonlySet<string>;
  /** The values themselves, for what no token of the index decides. */
  readonly scalars: readonly { readonly key: string; readonly text: string }[];
}

const WORD_CHARACTERS = 64;

/** A field that has a value: texts apart from numbers, true, false and null. */
export const fieldKey = (path: string, kind: 'text' | 'other', value: string): string =>
  `${kind === 'text' ? 's' : 'n'}${path}=${value}`;

/** The words of a text: runs of letters and digits, in lower case. */
export function* wordsOf(text: string, most: number): Generator<string> {
  const folded = text.slice(0, most).normalize('NFKC').toLowerCase();
  for (const [word] of folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu))
    yield word.length > WORD_CHARACTERS ? word.slice(0, WORD_CHARACTERS) : word;
}

/** A number, true, false or null as JSON has it; numbers keep their digits. Null for a text or a structure. */
export function plainText(value: unknown): string | null {
  if (isRawNumber(value)) return value.rawJSON;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return null;
}

/** The terms of a job from the JSON texts of its inputs; what lies beyond the limits is left out. */
export function termsOf(inputs: readonly string[], limits: TermLimits): Terms {
  const fields = new Set<string>();
  const words = new Set<string>();
  const paths = new Set<string>();
  const scalars: { key: string; text: string }[] = [];
  for (const input of inputs) {
    if (input.length > limits.searchInputBytes) continue;
    for (const { path, kind, text } of scalarsOf(parseJson(input), limits)) {
      const key = pathKey(path);
      scalars.push({ key, text });
      if (!paths.has(key)) for (let names = 1; names <= path.length; names++) paths.add(pathKey(path.slice(0, names)));
      if (text.length <= limits.searchValueCharacters) fields.add(fieldKey(key, kind, text));
      for (const word of words.size < limits.searchWords ? wordsOf(text, limits.searchTextCharacters) : []) {
        if (words.size >= limits.searchWords) break;
        words.add(word);
      }
    }
  }
  return { fields, words, paths, scalars };
}

/** A text, number, true, false or null of an input, and the names on the way to it; elements of arrays have none. */
export interface Scalar {
  readonly path: readonly string[];
  readonly kind: 'text' | 'other';
  readonly text: string;
}

/** The scalars of an input in the order of its text, as many and as deep as the limits allow. */
export function scalarsOf(
  input: unknown,
  { searchFields, searchDepth }: Pick<TermLimits, 'searchFields' | 'searchDepth'>,
): Scalar[] {
  const scalars: Scalar[] = [];
  const visit = (value: unknown, path: readonly string[], depth: number): void => {
    if (scalars.length >= searchFields) return;
    const plain = typeof value === 'string' ? null : plainText(value);
    if (typeof value === 'string') scalars.push({ path, kind: 'text', text: value });
    else if (plain !== null) scalars.push({ path, kind: 'other', text: plain });
    else if (depth < searchDepth && value !== null && typeof value === 'object') {
      if (Array.isArray(value)) for (const item of value) visit(item, path, depth + 1);
      else for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name], depth + 1);
    }
  };
  visit(input, [], 0);
  return scalars;
}
