import { digitsOf, FIRST, MAX_DIGITS, numberOfRun, runOf } from '../../store/blocks/numbers.ts';
import type { NumberList, Numbers, TemplateColumn } from '../../store/port.ts';
import { readerOf } from '../frame.ts';
import { bitsOf, nextOf, SPARSE } from '../mask.ts';
import { codeBefore, findPhrase, isWordCode, type Phrase } from './words.ts';

/** Rows that are looked at between two checks. */
const CHECK_ROWS = 512;

/** What one number of a row must be. */
interface NumberTest {
  /** Which number of the row. */
  readonly slot: number;
  /** The one it has to be; -1: `fits` decides. */
  readonly equal: number;
  readonly fits: (number: number) => boolean;
  /** The same for tests that say the same. */
  readonly name: string;
}
/** A place of a template where the phrase may stand: it does in rows whose numbers pass all these tests. */
type Place = readonly NumberTest[];

/** A phrase apart: its text with a `0` for each run of digits, and the runs. */
interface Parts {
  readonly text: string;
  readonly runs: readonly string[];
}

/**
 * Marks the rows that have the phrase: it is looked for in the templates, and of rows whose template may have it only the
 * numbers are looked at. `fold`: without regard to case; the phrase is in lower case. `check`: asked every few milliseconds.
 */
export function scanTemplates(
  column: TemplateColumn,
  phrase: Phrase,
  fold: boolean,
  within: Uint8Array | null,
  out: Uint8Array,
  check: () => void,
): void {
  const { templates, codes } = column;
  const parts = { text: phrase.text.replace(/[0-9]+/g, '0'), runs: phrase.text.match(/[0-9]+/g) ?? [] };
  const texts = fold ? templates.map((text) => text.toLowerCase()) : templates;
  // Of a number of ten digits and more each is looked at as text.
  const long = texts.map((text) => text.includes('00') && text.replace(/0+/g, '0').includes(parts.text));
  const places = texts.map((text) => (text.includes('00') ? [] : placesOf(text, phrase, parts)));
  if (!long.includes(true) && places.every(({ length }) => length === 0)) return;

  const { numbers } = column;
  const read = readerOf(column);
  function look(row: number, code: number): void {
    const own = places[code] ?? [];
    if (own.length > 0 ? hasPlace(own, numbers, row) : findPhrase(textOf(read, row, fold), phrase) >= 0) out[row] = 1;
  }
  /** Rows of these templates are looked at one by one: no number decides, or there are few rows. */
  const isFew = within !== null && bitsOf(within) * SPARSE < out.length;
  const each = places.map(
    (own, code) => long[code] === true || (own.length > 0 && (isFew || own.some(({ length }) => length === 0))),
  );
  if (each.includes(true))
    for (let row = nextRow(within, 0), n = 1; row >= 0 && row < out.length; row = nextRow(within, row + 1), n++) {
      if (n % CHECK_ROWS === 0) check();
      const code = codes[row] ?? 0;
      if (each[code] === true) look(row, code);
    }
  // Else the numbers that a place needs are looked for in the lists.
  for (const test of deciding(places.filter((_, code) => each[code] !== true))) {
    check();
    const list = numbers[test.slot];
    if (list === undefined) continue;
    for (let i = nextNumber(list, test, 0); i >= 0; i = nextNumber(list, test, i + 1)) {
      const row = list.rowAt(i);
      const code = codes[row] ?? 0;
      const own = places[code] ?? [];
      if (
        each[code] !== true &&
        own.length > 0 &&
        (within === null || within[row] === 1) &&
        hasPlace(own, numbers, row)
      )
        out[row] = 1;
    }
  }
}

const nextRow = (within: Uint8Array | null, row: number): number => (within === null ? row : nextOf(within, row));

/** Where a number of the list is next that passes, from `from` on; -1: nowhere. */
function nextNumber(list: NumberList, { equal, fits }: NumberTest, from: number): number {
  if (equal >= 0) return list.find(equal, from);
  for (let i = from; i < list.count; i++) if (fits(list.at(i))) return i;
  return -1;
}

const textOf = (read: (row: number) => string, row: number, fold: boolean): string =>
  fold ? read(row).toLowerCase() : read(row);

/** Of each place one test of a number, best of one that is known, each once. */
function deciding(places: readonly (readonly Place[])[]): NumberTest[] {
  const found = new Map<string, NumberTest>();
  for (const tests of places.flat()) {
    const one = tests.find(({ equal }) => equal >= 0) ?? tests[0];
    if (one !== undefined) found.set(`${one.slot} ${one.name}`, one);
  }
  return [...found.values()];
}

function hasPlace(places: readonly Place[], numbers: Numbers, row: number): boolean {
  for (const tests of places) {
    let all = true;
    for (const { slot, equal, fits } of tests) {
      const number = numbers[slot]?.of(row) ?? 0;
      if (equal < 0 ? fits(number) : number === equal) continue;
      all = false;
      break;
    }
    if (all) return true;
  }
  return false;
}

/** Where the phrase may stand in a template that has no number of ten digits and more. */
function placesOf(template: string, { text: whole, left, right }: Phrase, { text, runs }: Parts): Place[] {
  const places: Place[] = [];
  if (runs.some((run) => run.length > MAX_DIGITS)) return places;
  const opens = !left && /^[0-9]/.test(whole);
  const goesOn = !right && /[0-9]$/.test(whole);
  for (let at = template.indexOf(text); at >= 0; at = template.indexOf(text, at + 1)) {
    const end = at + text.length;
    if (left && at > 0 && isWordCode(codeBefore(template, at))) continue;
    if (right && end < template.length && isWordCode(template.codePointAt(end) ?? 0)) continue;
    const before = template.slice(0, at).split('0').length - 1;
    places.push(runs.map((run, i) => numberTest(before + i, run, opens && i === 0, goesOn && i === runs.length - 1)));
  }
  return places;
}

/** `opens`: other digits may stand before the run; `goesOn`: behind it. */
function numberTest(slot: number, run: string, opens: boolean, goesOn: boolean): NumberTest {
  const least = run.length;
  const wanted = Number(run);
  const open = (fits: NumberTest['fits']): NumberTest => ({
    slot,
    equal: -1,
    fits,
    name: `${opens ? '*' : ''}${run}${goesOn ? '*' : ''}`,
  });
  if (opens && goesOn) return open((number) => runOf(number).includes(run));
  if (opens) {
    const size = 10 ** least;
    return open((number) => {
      const digits = digitsOf(number);
      return digits >= least && (number - (FIRST[digits] ?? 0)) % size === wanted;
    });
  }
  if (goesOn) {
    // Of as many digits, those that begin with the run follow each other.
    const low = FIRST.map((first, digits) => first + wanted * 10 ** Math.max(0, digits - least));
    const end = low.map((first, digits) => (digits < least ? 0 : first + 10 ** (digits - least)));
    return open((number) => {
      const digits = digitsOf(number);
      return number >= (low[digits] ?? 0) && number < (end[digits] ?? 0);
    });
  }
  return { slot, equal: numberOfRun(run), fits: () => false, name: run };
}
