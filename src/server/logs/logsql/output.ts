import { type Cells, readerOf, rowsOf } from './frame.ts';
import type { Frames } from './run-context.ts';

const PAGE_BYTES = 256 * 1024;
/** A page is closed when it has this much, so that one more line rarely carries it over its size. */
const FULL = PAGE_BYTES - 16 * 1024;

const encoder = new TextEncoder();

type WriteCell = (row: number) => string;

/**
 * Rows as JSON objects, one a line, in pages of at most 256 KB; a row that is longer goes on in the next. Empty values
 * are left out, and rows that have nothing else. `clean`: what is made of each object's text.
 */
export function* pagesOf(
  frames: Frames,
  clean: (record: string) => string = (record) => record,
): Generator<Uint8Array | null> {
  let lines: string[] = [];
  let bytes = 0;
  for (const frame of frames) {
    yield null;
    if (frame === null) continue;
    const names = frame.ordered ? frame.names : frame.names.toSorted();
    const writers = names.map((name) => cellWriter(name, frame.column(name)));
    for (const row of rowsOf(frame)) {
      let line = '';
      for (const write of writers) line += write(row);
      if (line === '') continue;
      const size = line.length + 3;
      if (bytes > 0 && bytes + size > FULL) {
        yield* cut(lines);
        lines = [];
        bytes = 0;
      }
      lines.push(`${clean(`{${line.slice(1)}}`)}\n`);
      bytes += size;
    }
  }
  if (bytes > 0) yield* cut(lines);
}

/** One page, or several where the text is longer in UTF-8 than it is in characters. */
function* cut(lines: string[]): Generator<Uint8Array> {
  // Each page has memory of its own, so that it may be transferred to another thread.
  const page = encoder.encode(lines.join(''));
  if (page.length <= PAGE_BYTES) yield page;
  else for (let at = 0; at < page.length; at += PAGE_BYTES) yield page.slice(at, at + PAGE_BYTES);
}

/** `,"name":"value"` of each row, or nothing where it is empty. Distinct values are written once. */
function cellWriter(name: string, cells: Cells | null): WriteCell {
  const key = `,${JSON.stringify(name)}:`;
  const text = (value: string): string => (value === '' ? '' : key + JSON.stringify(value));
  if (cells === null) return () => '';
  if (cells.kind === 'constant') {
    const one = text(cells.value);
    return () => one;
  }
  if (cells.kind === 'dictionary') {
    const known: string[] = [];
    const { values, codes } = cells;
    return (row) => (known[codes[row] ?? 0] ??= text(values[codes[row] ?? 0] ?? ''));
  }
  const read = readerOf(cells);
  return (row) => text(read(row));
}
