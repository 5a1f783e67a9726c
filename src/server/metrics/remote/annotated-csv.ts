/** Annotated CSV, the answer of InfluxDB to a Flux program, read as it comes. */

/** Columns of the rows that follow. */
export interface CsvTable {
  readonly names: readonly string[];
  /** `string`, `long`, `unsignedLong`, `double`, `boolean`, `dateTime:RFC3339`, …; '' where the answer does not say. */
  readonly types: readonly string[];
  /** Whether the column is in the group key: of stored points, a tag (or `_start`, `_measurement`, …). */
  readonly grouped: readonly boolean[];
  /** Where a column is; -1: the table has none of that name. */
  readonly at: (name: string) => number;
}

export interface CsvReader {
  /** The next piece of text. Throws `CsvCutOff` where a row does not end. */
  push(text: string): void;
  /** What is left without a line break. Throws `CsvCutOff` where a quoted cell is open. */
  end(): void;
}

/** The program failed when a part of its answer had been sent. */
export class FluxFailed extends Error {}
/** The answer ends within a row. */
export class CsvCutOff extends Error {}

/** Characters of one row: its tags and one value. What is longer is no answer of InfluxDB, and would be held whole. */
const ROW_CHARACTERS = 4 * 1024 * 1024;

/** @param onRow gets the result's name, the table and the cells; an empty cell is null or an empty text */
export function createCsvReader(onRow: (result: string, table: CsvTable, cells: readonly string[]) => void): CsvReader {
  let rest = '';
  /** Annotations of the next table, by name; null: none came yet. */
  let notes: Map<string, string[]> | null = null;
  let table: CsvTable | null = null;
  let defaults: readonly string[] = [];

  function line(text: string): void {
    if (text === '') {
      // A blank line ends the tables of one schema.
      table = null;
      notes = null;
      return;
    }
    const cells = cellsOf(text);
    const [first = ''] = cells;
    if (first.startsWith('#')) {
      if (table !== null || notes === null) notes = new Map();
      table = null;
      notes.set(first.slice(1), cells);
      return;
    }
    if (table === null) return head(cells);
    if (isError(table)) throw new FluxFailed(cells[table.at('error')] ?? '');
    const filled = cells.map((cell, i) => (cell === '' ? (defaults[i] ?? '') : cell));
    onRow(filled[table.at('result')] ?? '', table, filled);
  }

  function head(names: string[]): void {
    const places = new Map(names.map((name, i) => [name, i]));
    table = {
      names,
      types: names.map((_, i) => notes?.get('datatype')?.[i] ?? ''),
      grouped: names.map((_, i) => notes?.get('group')?.[i] === 'true'),
      at: (name) => places.get(name) ?? -1,
    };
    // The first cell is the name of the annotation.
    defaults = ['', ...(notes?.get('default')?.slice(1) ?? [])];
  }

  return {
    push(text) {
      const all = rest + text;
      let from = 0;
      for (let to = lineEnd(all, from); to >= 0; to = lineEnd(all, from)) {
        const end = all.charCodeAt(to - 1) === 13 ? to - 1 : to;
        line(all.slice(from, Math.max(from, end)));
        from = to + 1;
      }
      rest = all.slice(from);
      if (rest.length > ROW_CHARACTERS)
        throw new CsvCutOff(`a row of the response has more than ${ROW_CHARACTERS} characters`);
    },
    end() {
      if (rest === '') return;
      if (isOpen(rest)) throw new CsvCutOff('the response was cut off within a row');
      line(rest.replace(/\r$/, ''));
      rest = '';
    },
  };
}

/** InfluxDB says in a table of its own that it cannot go on. */
const isError = ({ at }: CsvTable): boolean => at('error') >= 0 && at('reference') >= 0 && at('result') < 0;

/** Where the line break is that ends the row from `from` on; -1: it is not there yet. */
function lineEnd(text: string, from: number): number {
  let to = text.indexOf('\n', from);
  let quote = text.indexOf('"', from);
  if (to < 0 || quote < 0 || quote > to) return to;
  // Line breaks within quotes belong to the cell.
  let open = false;
  for (let at = from; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 34) open = !open;
    else if (c === 10 && !open) return at;
  }
  return -1;
}

function isOpen(text: string): boolean {
  let open = false;
  for (const c of text) if (c === '"') open = !open;
  return open;
}

function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const cells: string[] = [];
  for (let at = 0; ;) {
    if (line[at] === '"') {
      let cell = '';
      for (at++; at < line.length; at++) {
        if (line[at] !== '"') cell += line[at];
        else if (line[at + 1] === '"') cell += line[++at];
        else break;
      }
      at++;
      // What stands behind the quotes belongs to no cell.
      const comma = line.indexOf(',', at);
      cells.push(cell);
      if (comma < 0) return cells;
      at = comma + 1;
    } else {
      const comma = line.indexOf(',', at);
      cells.push(line.slice(at, comma < 0 ? line.length : comma));
      if (comma < 0) return cells;
      at = comma + 1;
    }
  }
}
