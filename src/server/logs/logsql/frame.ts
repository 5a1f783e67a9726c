import { isAscii } from 'node:buffer';
import { isoOf } from '../../../lib/logsql/times.ts';
import { decimalText } from '../store/blocks/decimal-column.ts';
import { runOf } from '../store/blocks/numbers.ts';
import type { Block, Column, DecimalColumn, TextColumn } from '../store/port.ts';

/** The values of a field of a frame: as the store has them, or as a pipe made them. */
export type Cells = Column | { readonly kind: 'strings'; readonly values: readonly string[] } | TimeCells;

/** The times of a block's rows, oldest first; `ms` and `ns` are decoded on first use. */
export interface TimeCells {
  readonly kind: 'time';
  /** Unix milliseconds of the first and the last row: often all that needs to be known. */
  readonly t0: number;
  readonly t1: number;
  readonly ms: Float64Array;
  readonly ns: Uint32Array | null;
}

/** Rows on their way through the pipes, in columns. */
export interface Frame {
  /** Rows that the columns have; of these only the picked ones count. */
  readonly rows: number;
  /** Which rows, in their order; null: all of them. */
  readonly picked: Uint32Array | null;
  /** Fields that rows may have, `_time` among them. */
  readonly names: readonly string[];
  /** The names stand in the order in which they are to be written; else it is the alphabet's. */
  readonly ordered: boolean;
  /** Null: no row has the field. */
  column(name: string): Cells | null;
}

export function frameOf(block: Block, picked: Uint32Array | null): Frame {
  const time: TimeCells = {
    kind: 'time',
    t0: block.t0,
    t1: block.t1,
    get ms() {
      return block.ms;
    },
    get ns() {
      return block.ns;
    },
  };
  return {
    rows: block.rows,
    picked,
    // Who only counts asks for none.
    get names() {
      return ['_time', ...block.names];
    },
    ordered: false,
    column: (name) => (name === '_time' ? time : block.column(name)),
  };
}

/** More rows than one in so many are not few. */
const FEW_SHARE = 16;

/** How many rows count. */
export const countOf = (frame: Frame): number => frame.picked?.length ?? frame.rows;

/** A frame of texts, all of whose rows count. */
export function stringsFrame(rows: number, columns: ReadonlyMap<string, readonly string[]>, ordered: boolean): Frame {
  const cells = new Map<string, Cells>([...columns].map(([name, values]) => [name, { kind: 'strings', values }]));
  return { rows, picked: null, names: [...columns.keys()], ordered, column: (name) => cells.get(name) ?? null };
}

/** The same rows with some columns put in the place of, or beside, the ones that were there. */
export function withColumns(frame: Frame, columns: ReadonlyMap<string, Cells | null>): Frame {
  const names = [
    ...frame.names.filter((name) => columns.get(name) !== null),
    ...[...columns].filter(([name, cells]) => cells !== null && !frame.names.includes(name)).map(([name]) => name),
  ];
  return { ...frame, names, column: (name) => (columns.has(name) ? (columns.get(name) ?? null) : frame.column(name)) };
}

/** All bytes of a text column as one string, if they are ASCII. Cuts of it keep it in memory: for a look, not for keeping. */
export const asciiOf = ({ bytes }: TextColumn): string | null => (isAscii(bytes) ? bytes.toString('latin1') : null);

/** Reads the text of a row; an absent value is ''. */
export function readerOf(cells: Cells | null): (row: number) => string {
  if (cells === null) return () => '';
  switch (cells.kind) {
    case 'constant':
      return () => cells.value;
    case 'dictionary': {
      const { values, codes } = cells;
      return (row) => values[codes[row] ?? 0] ?? '';
    }
    case 'strings':
      return (row) => cells.values[row] ?? '';
    case 'time': {
      const { ms, ns } = cells;
      return (row) => isoOf(ms[row] ?? 0, ns === null ? 0 : (ns[row] ?? 0));
    }
    case 'template': {
      const pieces: string[][] = [];
      const { templates, codes, numbers } = cells;
      return (row) => {
        const code = codes[row] ?? 0;
        const parts = (pieces[code] ??= (templates[code] ?? '').split('0'));
        let text = parts[0] ?? '';
        for (let i = 1; i < parts.length; i++) text += runOf(numbers[i - 1]?.of(row) ?? 0) + (parts[i] ?? '');
        return text;
      };
    }
    case 'decimal':
      return decimalReader(cells);
    case 'text': {
      const { bytes, ends } = cells;
      return (row) => bytes.toString('utf8', row === 0 ? 0 : ends[row - 1], ends[row]);
    }
  }
}

/** Of a few rows the texts are made one by one; for more of them all rows' are made at once, which is quicker. */
function decimalReader(cells: DecimalColumn): (row: number) => string {
  let few = cells.values.length / FEW_SHARE;
  let all: ((row: number) => string) | null = null;
  return (row) => {
    if (all === null) {
      if (few-- > 0) return decimalText(cells.values[row] ?? Number.NaN, cells);
      all = readerOf(cells.text);
    }
    return all(row);
  };
}

/** The rows that count, as numbers. */
export function* rowsOf(frame: Frame): Generator<number> {
  if (frame.picked === null) for (let row = 0; row < frame.rows; row++) yield row;
  else yield* frame.picked;
}

/** Numbers 0, 1, 2 … up to `rows`. */
export function everyRow(rows: number): Uint32Array {
  const all = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) all[row] = row;
  return all;
}
