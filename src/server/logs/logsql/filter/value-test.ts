import { itemAt } from '../../../../lib/item-at.ts';
import type { Test } from '../../../../lib/logsql/ast.ts';
import { compareNatural, compareText } from '../../../../lib/logsql/natural.ts';
import { ipv4Of, type Numeric, numberOf } from '../../../../lib/logsql/numbers.ts';
import { literalsOf, wholeLiteral } from '../regex/literals.ts';
import { regexTest } from '../regex/regex.ts';
import { findPhrase, type Phrase, phraseOf } from './words.ts';

/** A test of a value, made ready. */
export interface ValueTest {
  passes(value: string): boolean;
  /** Texts of which a passing value has at least one, found in many values at once; `sure`: they alone decide. */
  readonly needles: readonly Phrase[] | null;
  readonly sure: boolean;
  /** Needles are compared in lower case. */
  readonly fold: boolean;
  /** It says the same of a value with other digits, however many stand in the place of each digit. */
  readonly blind: boolean;
  /** What it says of a value that is this number; absent: it looks at the text. */
  readonly number?: (value: number) => boolean;
  /** What it costs, roughly: cheap tests go first. */
  readonly cost: number;
}

const bare = (text: string): Phrase => ({ text, left: false, right: false });
const plain = (passes: (value: string) => boolean, cost = 2, blind = false): ValueTest => ({
  passes,
  needles: null,
  sure: false,
  fold: false,
  blind,
  cost,
});
const hasDigit = (text: string): boolean => /[0-9]/.test(text);

/** The tests that look at one value alone. */
export function valueTest(test: Exclude<Test, { kind: 'in_query' | 'eq_field' | 'lt_field' | 'le_field' }>): ValueTest {
  switch (test.kind) {
    case 'phrase':
      return phraseTest(test.text, test.prefix, test.fold);
    case 'exact': {
      const { text, prefix } = test;
      const passes = prefix ? (value: string) => value.startsWith(text) : (value: string) => value === text;
      return { ...plain(passes, 1, !hasDigit(text)), needles: text === '' ? null : [bare(text)] };
    }
    case 'substring':
      return test.text === '' ? plain(() => true) : substringTest(test.text);
    case 'present':
      return plain((value) => value !== '', 1, true);
    case 'regexp':
      return regexpTest(test.pattern);
    case 'seq':
      return sequenceTest(test.texts);
    case 'in':
      return memberTest(new Set(test.values));
    case 'contains_all': {
      const parts = test.values.map((text) => phraseTest(text, false, false));
      return {
        ...plain((value) => parts.every((part) => part.passes(value)), 4, parts.every(isBlind)),
        needles: parts.find(({ needles }) => needles !== null)?.needles ?? null,
      };
    }
    case 'contains_any': {
      const parts = test.values.map((text) => phraseTest(text, false, false));
      const indexed = parts.length <= 16 && parts.every(({ needles }) => needles !== null);
      return {
        ...plain((value) => parts.some((part) => part.passes(value)), 4, parts.every(isBlind)),
        needles: indexed ? parts.flatMap(({ needles }) => needles ?? []) : null,
        sure: indexed,
      };
    }
    case 'compare': {
      const limit = numberOf(test.bound);
      if (limit === null) return plain((value) => holds(test.op, compareText(value, test.bound)));
      return numberTest((number) => holds(test.op, number < limit ? -1 : number > limit ? 1 : 0));
    }
    case 'range':
      return numberTest(rangeTest(test));
    case 'len_range': {
      const { low, high } = test;
      return plain((value) => {
        const length = charsOf(value);
        return length >= low && (high === null || length <= high);
      });
    }
    case 'string_range':
      return plain((value) => compareText(value, test.low) >= 0 && compareText(value, test.high) < 0);
    case 'ipv4_range':
      return plain((value) => {
        const address = ipv4Of(value);
        return address !== null && address >= test.low && address <= test.high;
      });
  }
}

const isBlind = ({ blind }: ValueTest): boolean => blind;

/** One of many whole values. */
export const memberTest = (values: ReadonlySet<string>): ValueTest => ({
  ...plain((value) => values.has(value), 1, ![...values].some(hasDigit)),
  needles: values.size <= 4 && !values.has('') ? [...values].map(bare) : null,
});

function phraseTest(text: string, prefix: boolean, fold: boolean): ValueTest {
  if (text === '') return plain(prefix ? (value) => value !== '' : (value) => value === '', 1, true);
  const phrase = phraseOf(fold ? text.toLowerCase() : text, prefix);
  const passes = fold
    ? (value: string) => findPhrase(value.toLowerCase(), phrase) >= 0
    : (value: string) => findPhrase(value, phrase) >= 0;
  return { passes, needles: [phrase], sure: true, fold, blind: !hasDigit(text), cost: 3 };
}

function substringTest(text: string): ValueTest {
  return { ...plain((value) => value.includes(text), 3, !hasDigit(text)), needles: [bare(text)], sure: true };
}

function regexpTest(pattern: string): ValueTest {
  const literal = wholeLiteral(pattern);
  if (literal !== null) return substringTest(literal);
  return { ...plain(regexTest(pattern, false), 8), needles: literalsOf(pattern)?.map(bare) ?? null };
}

/** The phrases one behind the other. */
function sequenceTest(texts: readonly string[]): ValueTest {
  const phrases = texts.filter((text) => text !== '').map((text) => phraseOf(text, false));
  const passes = (value: string): boolean => {
    let at = 0;
    for (const phrase of phrases) {
      at = findPhrase(value, phrase, at);
      if (at < 0) return false;
    }
    return true;
  };
  return {
    ...plain(passes, 4, !texts.some(hasDigit)),
    needles: phrases.length === 0 ? null : [itemAt(phrases, 0)],
  };
}

/** Of a value that is a number; no other passes. */
const numberTest = (number: (value: Numeric) => boolean): ValueTest => ({
  ...plain((text) => {
    const value = numberOf(text);
    return value !== null && number(value);
  }),
  number,
});

const holds = (op: '<' | '<=' | '>' | '>=', order: number): boolean =>
  op === '<' ? order < 0 : op === '<=' ? order <= 0 : op === '>' ? order > 0 : order >= 0;

function rangeTest({
  low,
  lowIn,
  high,
  highIn,
}: {
  low: string;
  lowIn: boolean;
  high: string;
  highIn: boolean;
}): (value: Numeric) => boolean {
  const from = boundOf(low);
  const to = boundOf(high);
  return (number) => (lowIn ? number >= from : number > from) && (highIn ? number <= to : number < to);
}

const boundOf = (text: string): Numeric =>
  numberOf(text) ?? (text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);

function charsOf(text: string): number {
  let n = text.length;
  for (let i = 0; i + 1 < text.length; i++) if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) n--;
  return n;
}
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Two fields of one row. */
export function fieldOrder(kind: 'eq_field' | 'lt_field' | 'le_field', a: string, b: string): boolean {
  if (kind === 'eq_field') return a === b;
  const order = compareNatural(a, b);
  return kind === 'lt_field' ? order < 0 : order <= 0;
}
