import type { Filter, Test } from '../../../lib/logsql/ast.ts';
import { compareNatural, compareText } from '../../../lib/logsql/natural.ts';
import { numberOf } from '../../../lib/logsql/numbers.ts';
import type { TestRow } from './blocks.fixture.ts';
import { boundsOf } from './filter/time-bounds.ts';

const WORD = '[\\p{L}\\p{N}_]';
const escaped = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|/-]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);

/** The word rule, said with look-arounds. */
function hasPhrase(value: string, text: string, prefix: boolean): boolean {
  if (text === '') return prefix ? value !== '' : value === '';
  const isWord = (c: string | undefined) => c !== undefined && new RegExp(WORD, 'u').test(c);
  const left = isWord([...text][0]) ? `(?<!${WORD})` : '';
  const right = !prefix && isWord([...text].at(-1)) ? `(?!${WORD})` : '';
  return new RegExp(left + escaped(text) + right, 'u').test(value);
}

const nsOf = (text: string): bigint => {
  const [, head, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) as unknown as [string, string, string | undefined];
  return BigInt(Date.parse(`${head}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
};

/** A filter on one row, without any cleverness: what the evaluator over columns must agree with. */
export function naive(filter: Filter, row: TestRow, now: bigint): boolean {
  const get = (name: string) => (Object.hasOwn(row, name) ? (row[name] as string) : '');
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return filter.parts.every((part) => naive(part, row, now));
    case 'or':
      return filter.parts.some((part) => naive(part, row, now));
    case 'not':
      return !naive(filter.part, row, now);
    case 'time': {
      const { from, to } = boundsOf(filter, now);
      if (get('_time') === '') return false;
      const at = nsOf(row._time);
      return (from === null || at >= from) && (to === null || at < to);
    }
    case 'stream':
      throw new Error('not here');
    case 'field':
      return passes(filter.test, get(filter.field), get);
  }
}

function passes(test: Test, value: string, get: (name: string) => string): boolean {
  switch (test.kind) {
    case 'phrase':
      return test.fold
        ? hasPhrase(value.toLowerCase(), test.text.toLowerCase(), test.prefix)
        : hasPhrase(value, test.text, test.prefix);
    case 'exact':
      return test.prefix ? value.startsWith(test.text) : value === test.text;
    case 'substring':
      return value.includes(test.text);
    case 'present':
      return value !== '';
    case 'regexp':
      return new RegExp(test.pattern, 'su').test(value);
    case 'seq': {
      // Each phrase as early as it can be.
      let rest = value;
      let before = '';
      return test.texts.every((text) => {
        for (let at = rest.indexOf(text); at >= 0; at = rest.indexOf(text, at + 1)) {
          if (!hasPhraseAt(before + rest, before.length + at, text)) continue;
          before += rest.slice(0, at + text.length);
          rest = rest.slice(at + text.length);
          return true;
        }
        return text === '';
      });
    }
    case 'in':
      return test.values.includes(value);
    case 'contains_all':
      return test.values.every((text) => hasPhrase(value, text, false));
    case 'contains_any':
      return test.values.some((text) => hasPhrase(value, text, false));
    case 'compare': {
      const limit = numberOf(test.bound);
      const number = numberOf(value);
      if (limit !== null && number === null) return false;
      const [a, b] = limit === null ? [Math.sign(compareText(value, test.bound)), 0] : [number as number, limit];
      return test.op === '<' ? a < b : test.op === '<=' ? a <= b : test.op === '>' ? a > b : a >= b;
    }
    case 'range': {
      const number = numberOf(value);
      const [low, high] = [numberOf(test.low), numberOf(test.high)];
      if (number === null || low === null || high === null) return false;
      return (test.lowIn ? number >= low : number > low) && (test.highIn ? number <= high : number < high);
    }
    case 'len_range':
      return [...value].length >= test.low && (test.high === null || [...value].length <= test.high);
    case 'string_range':
      return compareText(value, test.low) >= 0 && compareText(value, test.high) < 0;
    case 'eq_field':
      return value === get(test.other);
    case 'lt_field':
      return compareNatural(value, get(test.other)) < 0;
    case 'le_field':
      return compareNatural(value, get(test.other)) <= 0;
    default:
      throw new Error(`not here: ${test.kind}`);
  }
}

function hasPhraseAt(value: string, at: number, text: string): boolean {
  const word = new RegExp(`^${WORD}$`, 'u');
  const left = [...value.slice(0, at)].at(-1);
  const right = [...value.slice(at + text.length)][0];
  const chars = [...text];
  return (
    !(word.test(chars[0] as string) && left !== undefined && word.test(left)) &&
    !(word.test(chars.at(-1) as string) && right !== undefined && word.test(right))
  );
}
