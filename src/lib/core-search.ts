import { isDigits, MIN_CORE, MIN_DIGITS } from './disguises.ts';
import { isNameBefore, textEnd } from './json-tokens.ts';

/** Where a text holds a core, from its first letter or digit to behind its last. */
export interface CoreHit {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** Within the name of a member of a JSON object. */
  readonly inKey: boolean;
}

/**
 * Looks for many cores at once: in plain text, or in the texts and numbers of JSON, one after the other as if nothing stood
 * between them, and in names of members each alone.
 */
export interface CoreSearch {
  /** False: there is none. True: some core begins there, by its first eight letters and digits. Quick. */
  mayHold(given: string, isJson: boolean): boolean;
  find(given: string, isJson: boolean): CoreHit[];
}

interface Needle {
  readonly codes: Uint8Array;
  readonly name: string;
}

/** Codes of letters and digits, the same for both cases: 1 to 10, and 11 to 36; 0 for all else. */
const TEXT = new Uint8Array(128);
for (let i = 0; i < 10; i++) TEXT[48 + i] = 1 + i;
for (let i = 0; i < 26; i++) TEXT[65 + i] = TEXT[97 + i] = 11 + i;
const LAST_DIGIT = 10;
const codeOf = (unit: number): number => (unit < 128 ? (TEXT[unit] ?? 0) : 0);

/** What JSON is made of has codes from here on. */
const [SIGNS, IS_QUOTE, IS_ESCAPE, IS_OBJECT, IS_ARRAY, IS_END, IS_COMMA] = [64, 64, 65, 66, 67, 68, 69];
/** Within a text of JSON, and between texts: numbers count there; words and exponents do not. */
const INSIDE = Uint8Array.from(TEXT);
INSIDE[0x22] = IS_QUOTE;
INSIDE[0x5c] = IS_ESCAPE;
const BETWEEN = TEXT.map((code) => (code <= LAST_DIGIT ? code : 0));
for (const [sign, code] of [
  ['"', IS_QUOTE],
  ['{', IS_OBJECT],
  ['[', IS_ARRAY],
  ['}', IS_END],
  [']', IS_END],
  [',', IS_COMMA],
] as const)
  BETWEEN[sign.charCodeAt(0)] = code;

const RING = MIN_CORE - 1;
const QUOTE = 0x22;
const ESCAPE = 0x5c;
const LETTER_U = 0x75;
const DEPTHS = 4095;

/** Numbers without pattern for each code; two sums of the last eight tell one core's beginning from all else. */
const numbers = (seed: number): Int32Array =>
  Int32Array.from({ length: 64 }, (_, code) => {
    let mixed = Math.imul(code + seed, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return mixed ^ (mixed >>> 16);
  });
const FIRST = numbers(101);
const SECOND = numbers(907);

/** The shift takes out what is older than eight. */
const push = (sum: number, number: number): number => ((sum << 4) + number) | 0;
/** The same of the last sixteen. */
const pushDigit = (sum: number, code: number): number => ((sum << 2) + (FIRST[code] ?? 0)) | 0;

export function createCoreSearch(cores: ReadonlyMap<string, string>): CoreSearch {
  /** By the first sum of their beginning. */
  const needles = new Map<number, Needle[]>();
  const seconds = new Map<number, number[]>();
  /** Those of digits alone, by the sum of their first 16: eight digits are met everywhere. */
  const digits = new Set<number>();
  for (const [core, name] of cores) {
    const codes = Uint8Array.from(core, (letter) => codeOf(letter.charCodeAt(0)));
    const [first, second] = sums(codes);
    const same = needles.get(first);
    if (same) same.push({ codes, name });
    else needles.set(first, [{ codes, name }]);
    if (isDigits(core)) digits.add(codes.subarray(0, MIN_DIGITS).reduce(pushDigit, 0));
    else seconds.set(first, [...(seconds.get(first) ?? []), second]);
  }
  // The longest that fits is meant.
  for (const some of needles.values()) some.sort((a, b) => b.codes.length - a.codes.length);
  // Few of the slots are taken.
  const shift = 32 - Math.min(20, Math.max(12, Math.ceil(Math.log2(needles.size + 1)) + 6));
  const table = new Uint8Array(2 ** (32 - shift));
  for (const first of seconds.keys()) table[first >>> shift] = 1;
  const digitTable = new Uint8Array(2 ** (32 - shift));
  for (const sum of digits) digitTable[sum >>> shift] = 1;

  function mayHold(given: string, isJson: boolean): boolean {
    if (needles.size === 0) return false;
    let codes = isJson ? BETWEEN : TEXT;
    let first = 0;
    let second = 0;
    let ofDigits = 0;
    let firstBefore = 0;
    let secondBefore = 0;
    let digitsBefore = 0;
    let keyNext = false;
    let inKey = false;
    let depth = 0;
    const size = given.length;
    for (let at = 0; at < size; at++) {
      const unit = given.charCodeAt(at);
      let code = unit < 128 ? (codes[unit] as number) : 0;
      if (code === 0) continue;
      if (code >= SIGNS) {
        if (code === IS_QUOTE) {
          if (codes === BETWEEN) {
            codes = INSIDE;
            if (keyNext) {
              inKey = true;
              keyNext = false;
              firstBefore = first;
              secondBefore = second;
              digitsBefore = ofDigits;
              first = second = ofDigits = 0;
            }
          } else {
            codes = BETWEEN;
            if (inKey) {
              inKey = false;
              first = firstBefore;
              second = secondBefore;
              ofDigits = digitsBefore;
            }
          }
          continue;
        }
        if (code === IS_ESCAPE) {
          at++;
          if (given.charCodeAt(at) !== LETTER_U) continue;
          code = codeOf(Number.parseInt(given.slice(at + 1, at + 5), 16));
          at += 4;
          if (code === 0) continue;
        } else {
          if (code === IS_COMMA) keyNext = OBJECTS[depth] === 1;
          else if (code === IS_END) {
            depth = (depth - 1) & DEPTHS;
            keyNext = false;
          } else {
            depth = (depth + 1) & DEPTHS;
            keyNext = code === IS_OBJECT;
            OBJECTS[depth] = keyNext ? 1 : 0;
          }
          continue;
        }
      }
      first = ((first << 4) + (FIRST[code] as number)) | 0;
      second = ((second << 4) + (SECOND[code] as number)) | 0;
      if (table[first >>> shift] === 1 && seconds.get(first)?.includes(second)) return true;
      if (code > LAST_DIGIT) {
        ofDigits = 0;
        continue;
      }
      ofDigits = ((ofDigits << 2) + (FIRST[code] as number)) | 0;
      if (digitTable[ofDigits >>> shift] === 1 && digits.has(ofDigits)) return true;
    }
    return false;
  }

  function find(given: string, isJson: boolean, inKey = false): CoreHit[] {
    const hits: CoreHit[] = [];
    const places = new Int32Array(MIN_CORE);
    const codes = new Uint8Array(MIN_CORE);
    let at = 0;
    let inText = inKey || !isJson;
    let [first, count] = [0, 0];

    /** Takes what stands at `at`; gives the code of a letter or digit, or 0. Names of members are left out, and given to `onKey`. */
    function next(onKey: ((start: number, end: number) => void) | null): number {
      let unit = given.charCodeAt(at++);
      if (isJson && unit === QUOTE) {
        const end = inText ? -1 : textEnd(given, at - 1);
        if (end >= 0 && isNameBefore(given, end)) {
          onKey?.(at, end - 1);
          at = end;
        } else inText = !inText;
        return 0;
      }
      if (isJson && unit === ESCAPE) {
        unit = given.charCodeAt(at++) === LETTER_U ? Number.parseInt(given.slice(at, (at += 4)), 16) : 0;
      }
      const code = codeOf(unit);
      return inText || code <= LAST_DIGIT ? code : 0;
    }

    function onKey(start: number, end: number) {
      if (end - start < MIN_CORE) return;
      for (const hit of find(given.slice(start, end), true, true))
        hits.push({ ...hit, start: hit.start + start, end: hit.end + start });
    }

    /** True where the rest of the core follows; then `at` is behind it. */
    function follows(needle: Uint8Array): boolean {
      for (let i = 0; i < MIN_CORE; i++) if (needle[i] !== codes[(count + i) & RING]) return false;
      const before = [at, inText] as const;
      for (let i = MIN_CORE; i < needle.length;) {
        const code = at < given.length ? next(null) : -1;
        if (code === 0) continue;
        if (code !== needle[i++]) {
          [at, inText] = before;
          return false;
        }
      }
      return true;
    }

    while (at < given.length) {
      const begun = at;
      const code = next(onKey);
      if (code === 0) continue;
      first = push(first, FIRST[code] ?? 0);
      codes[count & RING] = code;
      places[count++ & RING] = begun;
      if (count < MIN_CORE) continue;
      const start = places[count & RING] ?? 0;
      const found = needles.get(first)?.find((needle) => follows(needle.codes));
      if (!found) continue;
      hits.push({ start, end: at, name: found.name, inKey });
      [first, count] = [0, 0];
    }
    return hits;
  }

  return { mayHold, find };
}

/** Which of the open brackets are objects. */
const OBJECTS = new Uint8Array(DEPTHS + 1);

/** Both sums of the first letters and digits of a core. */
function sums(codes: Uint8Array): [number, number] {
  let [first, second] = [0, 0];
  for (const code of codes.subarray(0, MIN_CORE)) {
    first = push(first, FIRST[code] ?? 0);
    second = push(second, SECOND[code] ?? 0);
  }
  return [first, second];
}
