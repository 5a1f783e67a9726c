import { decimalBytes, decimalsOf, decodeDecimals, textOfDecimals } from '../store/blocks/decimal-column.ts';
import { decodeNumbers, templateCodes, textOfTemplates } from '../store/blocks/template-column.ts';
import { numberBytes, splitTexts } from '../store/blocks/templates.ts';
import type { Block, BlockSource, Column, TextColumn } from '../store/port.ts';
import type { RunOptions } from './run-context.ts';

export type TestRow = Readonly<Record<string, string>> & { readonly _time: string };

/** A query of no span and no limit, newest first. */
export const runOptions = (now: number): RunOptions => ({
  from: null,
  to: null,
  limit: null,
  offset: 0,
  order: 'desc',
  now,
  extraFilters: [],
  timeoutMs: 60_000,
  stateBytes: 256 * 1024 * 1024,
  cancelled: () => false,
});

/** A block of rows as a store would give it: constants, dictionaries and texts. `text`: fields kept as plain text; `templates`: as templates; `numbers`: as numbers, where all values are. */
export function blockOf(
  id: number,
  rows: readonly TestRow[],
  text: ReadonlySet<string> = new Set(['_msg']),
  templates: ReadonlySet<string> = new Set(),
  numbers: ReadonlySet<string> = new Set(),
): Block {
  const timed = rows.map((row) => ({ row, ...timeOf(row._time) })).toSorted((a, b) => a.ms - b.ms || a.ns - b.ns);
  const names = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name !== '_time' && row[name] !== ''))),
  ];
  const columns = new Map(
    names.map((name) => [
      name,
      columnOf(
        timed.map(({ row }) => row[name] ?? ''),
        numbers.has(name) ? 'numbers' : templates.has(name) ? 'templates' : text.has(name) ? 'text' : 'dictionary',
      ),
    ]),
  );
  const ns = Uint32Array.from(timed, (entry) => entry.ns);
  return {
    id,
    rows: rows.length,
    t0: timed[0]?.ms ?? 0,
    t1: timed.at(-1)?.ms ?? 0,
    ms: Float64Array.from(timed, ({ ms }) => ms),
    ns: ns.every((n) => n === 0) ? null : ns,
    names,
    column: (name) => columns.get(name) ?? null,
  };
}

export function timeOf(text: string): { ms: number; ns: number } {
  const [, head, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) as unknown as [string, string, string | undefined];
  const digits = fraction.padEnd(9, '0');
  return { ms: Date.parse(`${head}Z`) + Number(digits.slice(0, 3)), ns: Number(digits.slice(3)) };
}

function columnOf(values: readonly string[], form: 'numbers' | 'templates' | 'text' | 'dictionary'): Column {
  if (form === 'templates') return templateColumn(values);
  if (form === 'numbers') return decimalColumn(values);
  if (form === 'text') return textColumn(values);
  const distinct = [...new Set(values)];
  if (distinct.length === 1) return { kind: 'constant', value: distinct[0] as string };
  const codes = new Map(distinct.map((value, code) => [value, code]));
  const codeOf = (value: string) => codes.get(value) as number;
  return {
    kind: 'dictionary',
    values: distinct,
    codes: distinct.length < 256 ? Uint8Array.from(values, codeOf) : Uint16Array.from(values, codeOf),
  };
}

function textColumn(values: readonly string[]): TextColumn {
  const ends = new Uint32Array(values.length);
  let end = 0;
  values.forEach((value, i) => (ends[i] = end += Buffer.byteLength(value)));
  return { kind: 'text', bytes: Buffer.from(values.join('')), ends };
}

/** As it is read from what is written. */
function decimalColumn(values: readonly string[]): Column {
  const present = values.filter((value) => value !== '');
  const { bytes, ends } = textColumn(present);
  let code = 0;
  const codes = Uint32Array.from(values, (value) => (value === '' ? 0 : ++code));
  const decimals = decimalsOf({ bytes, ends: Uint32Array.from([0, ...ends]) }, codes);
  if (decimals === null) return textColumn(values);
  const read = decodeDecimals(decimalBytes(decimals), values.length);
  return { ...read, kind: 'decimal', text: textOfDecimals(read) };
}

/** As it is read from what is written. */
function templateColumn(values: readonly string[]): Column {
  const { bytes, ends } = textColumn(values);
  const split = splitTexts(
    { bytes, ends: Uint32Array.from([0, ...ends]) },
    Uint32Array.from(values, (_, i) => i + 1),
    () => true,
  );
  if (split === null) throw new Error('a text has too many numbers');
  const codes = templateCodes(split.texts, split.codes);
  const numbers = decodeNumbers(numberBytes(split.numbers), codes);
  return {
    kind: 'template',
    templates: codes.templates,
    codes: codes.codes,
    numbers,
    text: textOfTemplates(codes, numbers),
  };
}

/** A source that skips nothing but by time. */
export function sourceOf(blocks: readonly Block[]): BlockSource {
  return {
    blocks({ from, to }, order) {
      const fits = blocks.filter(({ t0, t1 }) => (to === null || t0 < to) && (from === null || t1 >= from));
      return order === 'asc' ? fits.toSorted((a, b) => a.t0 - b.t0) : fits.toSorted((a, b) => b.t1 - a.t1);
    },
  };
}
