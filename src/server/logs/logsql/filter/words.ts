const WORD = /^[\p{L}\p{N}_]$/u;
const ASCII = new Uint8Array(128);
for (let code = 0; code < 128; code++) ASCII[code] = /\w/.test(String.fromCharCode(code)) ? 1 : 0;

/** True for letters, digits and `_`, by code point. */
export const isWordCode = (code: number): boolean =>
  code < 128 ? ASCII[code] === 1 : WORD.test(String.fromCodePoint(code));

/** The code point that ends before `at`. */
export function codeBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  if (low < 0xdc00 || low > 0xdfff || at < 2) return low;
  return text.codePointAt(at - 2) ?? 0;
}

/** A text and whether a word must not go on at its ends. */
export interface Phrase {
  readonly text: string;
  readonly left: boolean;
  readonly right: boolean;
}

export function phraseOf(text: string, prefix: boolean): Phrase {
  return {
    text,
    left: text !== '' && isWordCode(text.codePointAt(0) ?? 0),
    right: text !== '' && !prefix && isWordCode(codeBefore(text, text.length)),
  };
}

/** Where the phrase ends in the value, looking from `from` on; -1 where it is not. */
export function findPhrase(value: string, { text, left, right }: Phrase, from = 0): number {
  for (let at = value.indexOf(text, from); at >= 0; at = value.indexOf(text, at + 1)) {
    if (left && at > 0 && isWordCode(codeBefore(value, at))) continue;
    const end = at + text.length;
    if (right && end < value.length && isWordCode(value.codePointAt(end) ?? 0)) continue;
    return end;
  }
  return -1;
}

/** The words of ASCII in a text that stand whole in every value that has it; at an open end of the text none does. */
export function guaranteedWords(text: string, leftOpen: boolean, rightOpen: boolean): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/[A-Za-z0-9_]+/g)) {
    const end = match.index + match[0].length;
    if ((leftOpen && match.index === 0) || (rightOpen && end === text.length)) continue;
    words.push(match[0]);
  }
  return words;
}

/** The code point of UTF-8 bytes that ends before `at`, not before `start`; -1 where there is none. */
export function codePointBefore(bytes: Uint8Array, at: number, start: number): number {
  let from = at - 1;
  if (from < start) return -1;
  const last = bytes[from] ?? 0;
  if (last < 128) return last;
  while (from > start && from > at - 4 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from--;
  return codePointAt(bytes, from, at);
}

/** The code point of UTF-8 bytes at `at`; -1 at the end. */
export function codePointAt(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const first = bytes[at] ?? 0;
  if (first < 128) return first;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let code = first & (0xff >> (size + 1));
  for (let i = 1; i < size; i++) code = (code << 6) | ((bytes[Math.min(at + i, end - 1)] ?? 0) & 0x3f);
  return code > 0x10ffff ? 0xfffd : code;
}
