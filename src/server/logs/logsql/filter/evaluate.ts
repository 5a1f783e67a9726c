import type { Filter } from '../../../../lib/logsql/ast.ts';
import { type Cells, type Frame, readerOf } from '../frame.ts';
import { andMask, bitsOf, type Mask, nextOf, notMask, orMask } from '../mask.ts';
import { markDecimals } from './mark-decimals.ts';
import { markTemplates } from './mark-templates.ts';
import { markText } from './mark-text.ts';
import { streamTest } from './stream.ts';
import { timeMatcher } from './time-match.ts';
import { fieldOrder, memberTest, type ValueTest, valueTest } from './value-test.ts';

/** A filter made ready. `within`: rows that still matter; what is said of others does not count. */
export interface Matcher {
  (frame: Frame, within: Uint8Array | null): Mask;
  readonly cost: number;
}

/** What a filter needs besides the rows. */
export interface FilterContext {
  /** Nanoseconds since the epoch. */
  readonly now: bigint;
  /** Asked every few milliseconds while texts are looked at one by one; throws where the work is to end. */
  check?(): void;
  /** The values that a subquery gives. */
  values(
    query: Extract<Extract<Filter, { kind: 'field' }>['test'], { kind: 'in_query' }>['query'],
  ): ReadonlySet<string>;
}

/** Makes a filter ready to run over frames: regular expressions compiled, bounds parsed, subqueries run. */
export function compileFilter(filter: Filter, moment: FilterContext): Matcher {
  switch (filter.kind) {
    case 'all':
      return withCost(() => true, 0);
    case 'none':
      return withCost(() => false, 0);
    case 'and':
      return conjunction(
        filter.parts.map((part) => compileFilter(part, moment)),
        moment,
      );
    case 'or':
      return disjunction(
        filter.parts.map((part) => compileFilter(part, moment)),
        moment,
      );
    case 'not': {
      const inner = compileFilter(filter.part, moment);
      return withCost((frame, within) => notMask(inner(frame, within)), inner.cost);
    }
    case 'time':
      return withCost(timeMatcher(filter, moment.now), 0);
    case 'stream':
      return fieldMatcher(
        '_stream',
        { passes: streamTest(filter.groups), needles: null, sure: false, fold: false, blind: false, cost: 1 },
        moment,
      );
    case 'field': {
      const { field, test } = filter;
      if ('other' in test) return fieldsMatcher(test.kind, field, test.other);
      if (test.kind !== 'in_query') return fieldMatcher(field, valueTest(test), moment);
      const values = moment.values(test.query);
      if (values.size === 0) return withCost(() => test.of === 'contains_all', 0);
      return fieldMatcher(
        field,
        test.of === 'in' ? memberTest(values) : valueTest({ kind: test.of, values: [...values] }),
        moment,
      );
    }
  }
}

const withCost = (run: (frame: Frame, within: Uint8Array | null) => Mask, cost: number): Matcher =>
  Object.assign(run, { cost });
const costOf = (parts: readonly Matcher[]): number => parts.reduce((sum, { cost }) => sum + cost, 0);

/** The cheap ones first; the others look only at what is left. */
function conjunction(parts: Matcher[], { check }: FilterContext): Matcher {
  const ordered = parts.toSorted((a, b) => a.cost - b.cost);
  return withCost((frame, within) => {
    let mask: Mask = true;
    for (const part of ordered) {
      if (part.cost > 0) check?.();
      mask = andMask(mask, part(frame, mask === true ? within : mask));
      if (mask === false || (mask !== true && nextOf(mask, 0) < 0)) return false;
    }
    return mask;
  }, costOf(parts));
}

function disjunction(parts: Matcher[], { check }: FilterContext): Matcher {
  const ordered = parts.toSorted((a, b) => a.cost - b.cost);
  return withCost((frame, within) => {
    let mask: Mask = false;
    for (const part of ordered) {
      // Thousands of parts may look at the same block: the clock is asked between them.
      if (part.cost > 0) check?.();
      mask = orMask(mask, part(frame, within));
      if (mask === true) return true;
    }
    return mask;
  }, costOf(parts));
}

function fieldMatcher(field: string, test: ValueTest, moment: FilterContext): Matcher {
  const check = () => moment.check?.();
  return withCost((frame, within) => markCells(frame.column(field), frame.rows, test, within, check), test.cost);
}

/** Each distinct value is decided once; texts are searched as one. */
function markCells(
  cells: Cells | null,
  rows: number,
  test: ValueTest,
  within: Uint8Array | null,
  check: () => void,
): Mask {
  if (cells === null) return test.passes('');
  switch (cells.kind) {
    case 'constant':
      return test.passes(cells.value);
    case 'dictionary':
      return markCodes(cells.values, cells.codes, rows, test);
    case 'template':
      return test.blind
        ? markCodes(cells.templates, cells.codes, rows, test)
        : markTemplates(cells, rows, test, within, check);
    case 'decimal':
      return markDecimals(cells, rows, test, within, check);
    case 'text':
      return markText(cells, rows, test, within, check);
    default: {
      const read = readerOf(cells);
      const out = new Uint8Array(rows);
      for (let row = 0; row < rows; row++)
        if ((within === null || within[row] === 1) && test.passes(read(row))) out[row] = 1;
      return out;
    }
  }
}

function markCodes(values: readonly string[], codes: Uint8Array | Uint16Array, rows: number, test: ValueTest): Mask {
  const table = new Uint8Array(values.length);
  for (const [code, value] of values.entries()) if (test.passes(value)) table[code] = 1;
  const yes = bitsOf(table);
  if (yes === 0) return false;
  if (yes === values.length) return true;
  const out = new Uint8Array(rows);
  // Every row of a block passes here: the check of a default would cost a tenth.
  for (let row = 0; row < rows; row++) out[row] = table[codes[row] as number] as number;
  return out;
}

function fieldsMatcher(kind: 'eq_field' | 'lt_field' | 'le_field', field: string, other: string): Matcher {
  return withCost((frame, within) => {
    const a = readerOf(frame.column(field));
    const b = readerOf(frame.column(other));
    const out = new Uint8Array(frame.rows);
    for (let row = 0; row < frame.rows; row++)
      if ((within === null || within[row] === 1) && fieldOrder(kind, a(row), b(row))) out[row] = 1;
    return out;
  }, 5);
}
