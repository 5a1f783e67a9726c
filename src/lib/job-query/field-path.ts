import { type Fault, invalidAt } from '../fault.ts';

/** `.name`, `['name']`, `["name"]`, `[*]` or `[]`, one after the other. */
const STEP = /\.?([^.[\]'"=\s]+)|\[\s*(?:'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)")\s*\]|\[\s*\*?\s*\]/uy;

/**
 * The names on the way to a field: `customer.id`, `$.customer.id`, `items[*].sku`, `$['odd.name']`. Elements of arrays
 * have no names: `items.sku` and `items[*].sku` are the same, and any element will do. Throws VALIDATION_FAILED.
 */
export function parsePath(text: string): string[] {
  const names: string[] = [];
  let at = text.startsWith('$') && (text.length === 1 || text[1] === '.' || text[1] === '[') ? 1 : 0;
  while (at < text.length) {
    STEP.lastIndex = at;
    const step = STEP.exec(text);
    if (!step) throw bad(text, at);
    const name = step[1] ?? unescape(step[2] ?? step[3]);
    if (name !== undefined) names.push(name);
    at = STEP.lastIndex;
  }
  return names;
}

/** Cuts `path=value` at the first `=` that stands in no quoted name. */
export function parseField(text: string): { path: string[]; value: string } {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (quote !== '') {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (char === '=' && i > 0) return { path: parsePath(text.slice(0, i)), value: text.slice(i + 1) };
    else if ((char === "'" || char === '"') && text[i - 1] === '[') quote = char;
  }
  throw invalidAt(
    '/input',
    `expected path=value such as customer.id=42, got ${JSON.stringify(text.slice(0, 100))}`,
    'must be path=value',
  );
}

/** One text for a path, the same for each way to write it. */
export const pathKey = (names: readonly string[]): string => JSON.stringify(names);

/** A path as people write it. */
export const pathText = (names: readonly string[]): string =>
  names.length === 0
    ? '$'
    : names
        .map((name, i) =>
          /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)
            ? i === 0
              ? name
              : `.${name}`
            : `${i === 0 ? '$' : ''}["${name.replaceAll(/["\\]/g, '\\$&')}"]`,
        )
        .join('');

const unescape = (name: string | undefined): string | undefined => name?.replace(/\\(.)/gs, '$1');

const bad = (text: string, at: number): Fault =>
  invalidAt(
    '/input',
    `${JSON.stringify(text.slice(0, 100))} is not a valid path (at character ${at}): separate names with dots such as customer.id, quote special names as ['odd.name'], and use [*] for any array element`,
    'must start with a path',
  );
