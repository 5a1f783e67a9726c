import type { CoreHit } from './core-search.ts';
import { isNameBefore, textEnd } from './json-tokens.ts';

/** `mark` stands where a hit was. */
export function maskText(text: string, hits: readonly CoreHit[], mark: (name: string) => string): string {
  let masked = '';
  let at = 0;
  for (const { start, end, name } of hits) {
    masked += text.slice(at, start) + mark(name);
    at = end;
  }
  return masked + text.slice(at);
}

/** A text or a number. */
const TOKEN = /"|-?\d[\d.eE+-]*/g;

/**
 * The same in JSON text, which stays JSON: of a hit that lies in several texts and numbers the first holds `mark`, and the
 * others lose their part of it. A number of which a part is hit becomes a text.
 */
export function maskJson(json: string, hits: readonly CoreHit[], mark: (name: string) => string): string {
  const inKeys = hits.filter(({ inKey }) => inKey);
  const inValues = hits.filter(({ inKey }) => !inKey);
  const marked = new Set<CoreHit>();
  let masked = '';
  let copied = 0;

  function mask(start: number, end: number, of: readonly CoreHit[], isNumber: boolean) {
    const here = of.filter((hit) => hit.start < end && hit.end > start);
    if (here.length === 0) return;
    const marks = here.map((hit) => {
      if (marked.has(hit)) return '';
      marked.add(hit);
      return mark(hit.name);
    });
    if (isNumber) {
      masked += json.slice(copied, start) + JSON.stringify(marks.join(''));
      copied = end;
      return;
    }
    here.forEach((hit, i) => {
      masked += json.slice(copied, Math.max(copied, start, hit.start)) + marks[i];
      copied = Math.min(end, hit.end);
    });
  }

  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(json); token; token = TOKEN.exec(json)) {
    const [first] = token;
    if (first !== '"') {
      mask(token.index, TOKEN.lastIndex, inValues, true);
      continue;
    }
    const end = textEnd(json, token.index);
    mask(token.index + 1, end - 1, isNameBefore(json, end) ? inKeys : inValues, false);
    TOKEN.lastIndex = end;
  }
  return masked + json.slice(copied);
}
