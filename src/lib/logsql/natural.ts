import { plainNumberOf } from './numbers.ts';
import { spanOf } from './times.ts';

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Order of values: numbers and RFC 3339 times by what they say, all else in natural order, where runs of digits count as
 * numbers (`v1.9.0` before `v1.10.0`). A missing value, the empty text, is first.
 */
export function compareNatural(a: string, b: string): number {
  if (a === b) return 0;
  const x = plainNumberOf(a);
  if (x !== null) {
    const y = plainNumberOf(b);
    if (y !== null && x !== y) return x < y ? -1 : 1;
  } else if (TIME.test(a) && TIME.test(b)) {
    const s = spanOf(a, 0n);
    const t = spanOf(b, 0n);
    if (s !== null && t !== null && s.from !== t.from) return s.from < t.from ? -1 : 1;
  }
  return naturalOrder(a, b);
}

function naturalOrder(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(j);
    if (isDigit(x) && isDigit(y)) {
      const left = digits(a, i);
      const right = digits(b, j);
      const order = left.text.length - right.text.length || compareText(left.text, right.text);
      if (order !== 0) return order;
      i = left.end;
      j = right.end;
    } else if (x !== y) {
      return compareText(a.slice(i), b.slice(j));
    } else {
      i++;
      j++;
    }
  }
  return a.length - i - (b.length - j) || compareText(a, b);
}

function digits(text: string, from: number): { text: string; end: number } {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  let start = from;
  while (start < end - 1 && text.charCodeAt(start) === 48) start++;
  return { text: text.slice(start, end), end };
}

/** Order by code point, which is the order of the UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for characters above all of the rest.
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}
