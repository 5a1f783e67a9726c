import { valueAt } from '../../../lib/item-at.ts';
import { type Frame, readerOf, stringsFrame } from './frame.ts';
import type { Needs } from './needs.ts';

/** A row that was taken out of its frame. */
export interface Row {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const CHUNK = 1024;

/** Takes rows out of a frame, with the fields that are still needed. */
export function createRowReader(frame: Frame, needs: Needs): (row: number) => Row {
  const names = needs === null ? frame.names : frame.names.filter((name) => needs.has(name));
  const readers = names.map((name) => readerOf(frame.column(name)));
  return (row) => ({ names, values: readers.map((read) => read(row)) });
}

/** Bytes that a row holds, roughly. */
export const rowBytes = ({ values }: Row): number => values.reduce((sum, value) => sum + 24 + value.length, 64);

/** Rows as frames; `extra` columns are set beside theirs. */
export function* framesOfRows(
  rows: readonly Row[],
  extra?: { readonly name: string; readonly values: readonly string[] },
): Generator<Frame> {
  for (let from = 0; from < rows.length; from += CHUNK) {
    const part = rows.slice(from, from + CHUNK);
    const columns = new Map<string, string[]>();
    for (const names of new Set(part.map((row) => row.names)))
      for (const name of names) if (!columns.has(name)) columns.set(name, new Array<string>(part.length).fill(''));
    part.forEach((row, i) => row.names.forEach((name, k) => (valueAt(columns, name)[i] = row.values[k] ?? '')));
    if (extra !== undefined) columns.set(extra.name, extra.values.slice(from, from + CHUNK) as string[]);
    yield stringsFrame(part.length, columns, false);
  }
}
