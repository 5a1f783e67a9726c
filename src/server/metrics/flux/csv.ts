import { decimal } from './values/decimal.ts';
import type { TextPage } from './text-page.ts';
import { cellAt, type Cell, type Column, type ColumnType, type Table } from './values/table.ts';
import { formatTime, NS_PER_MS } from './values/time.ts';

export type Annotation = 'datatype' | 'group' | 'default';

/** How annotated CSV is written; the defaults of the protocol are a header, commas, `#` and no annotations. */
export interface Dialect {
  readonly header: boolean;
  readonly delimiter: string;
  readonly commentPrefix: string;
  readonly annotations: readonly Annotation[];
}

export const DEFAULT_DIALECT: Dialect = { header: true, delimiter: ',', commentPrefix: '#', annotations: [] };

const TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  int: 'long',
  uint: 'unsignedLong',
  float: 'double',
  bool: 'boolean',
  time: 'dateTime:RFC3339',
};

/** Writes the tables of one result, the blank line after it included. Stops each time the page is full, to have it taken. */
export function* encodeResult(
  name: string,
  tables: Iterable<Table>,
  dialect: Dialect,
  page: TextPage,
): Generator<undefined, void> {
  const line = lines(dialect);
  const byDefault = dialect.annotations.includes('default');
  let before: Table | null = null;
  let number = 0;
  for (const table of tables) {
    if (before === null || table.rows === 0 || before.rows === 0 || !sameSchema(before, table)) {
      if (before !== null) page.text('\r\n');
      for (const annotation of ['datatype', 'group', 'default'] as const)
        if (dialect.annotations.includes(annotation))
          page.text(line([dialect.commentPrefix + annotation, ...annotated(annotation, table, name, number)]));
      if (dialect.header) page.text(line(['', 'result', 'table', ...table.columns.map((column) => column.name)]));
    }
    const start = `${dialect.delimiter}${byDefault ? '' : quoted(name, dialect.delimiter)}${dialect.delimiter}${number}`;
    page.rowDone();
    const write = rowWriter(table, start, dialect.delimiter, page);
    for (let row = 0; row < table.rows; row++) {
      write(row);
      page.rowDone();
      if (page.isFull) yield;
    }
    before = table;
    number++;
  }
  page.text('\r\n');
}

/** The table that tells of an error when a part of the answer has been sent. */
export function encodeError(message: string, dialect: Dialect): string {
  const line = lines(dialect);
  const head = dialect.annotations.includes('datatype')
    ? line([`${dialect.commentPrefix}datatype`, 'string', 'string'])
    : '';
  const rest = dialect.annotations.includes('group') ? line([`${dialect.commentPrefix}group`, 'true', 'true']) : '';
  const defaults = dialect.annotations.includes('default') ? line([`${dialect.commentPrefix}default`, '', '']) : '';
  return `\r\n${head}${rest}${defaults}${line(['', 'error', 'reference'])}${line(['', message, ''])}`;
}

const lines =
  ({ delimiter }: Dialect) =>
  (cells: readonly string[]): string =>
    `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;

/** The rest of an annotation's row. An empty table says its group key in its defaults: it has no row to say it. */
function annotated(annotation: Annotation, { columns, key, rows }: Table, name: string, number: number): string[] {
  if (annotation === 'datatype') return ['string', 'long', ...columns.map((column) => TYPES[column.type])];
  if (annotation === 'group') return ['false', 'false', ...columns.map((column) => String(key.has(column.name)))];
  return [
    name,
    rows === 0 ? String(number) : '',
    ...columns.map((column) => (rows === 0 && key.has(column.name) ? text(column.type, column.value) : '')),
  ];
}

const sameSchema = (a: Table, b: Table): boolean =>
  a.columns.length === b.columns.length &&
  a.columns.every(
    (column, i) =>
      column.name === b.columns[i]?.name &&
      column.type === b.columns[i].type &&
      a.key.has(column.name) === b.key.has(column.name),
  );

/** Rows above which it pays to make once what is the same in each of a table. */
const FEW = 4;

/** Writes a row of a table, with what all rows begin with. */
function rowWriter(table: Table, start: string, delimiter: string, page: TextPage): (row: number) => void {
  if (table.rows > FEW) return likeRows(table, start, delimiter, page);
  return (row) => {
    page.text(start);
    for (const column of table.columns) {
      page.text(delimiter);
      if (column.ms) page.ms(column.ms[row] ?? 0);
      else writeCell(column.type, cellAt(column, row), delimiter, page);
    }
    page.text('\r\n');
  };
}

interface Changing {
  /** What stands before the cell: the same in each row. */
  readonly before: Uint8Array;
  readonly write: (row: number) => void;
}

/** The cells of a table that differ by row, with all that does not between and behind them. */
function likeRows({ columns }: Table, start: string, delimiter: string, page: TextPage): (row: number) => void {
  const changing: Changing[] = [];
  let same = start;
  for (const column of columns) {
    same += delimiter;
    const { type, ms } = column;
    // First, so that their data need not be made.
    if (!ms && column.data === null) {
      same += type === 'string' ? quotedCell(column.value, delimiter) : text(type, column.value);
      continue;
    }
    const write = ms ? (row: number) => page.ms(ms[row] ?? 0) : cellWriter(column, delimiter, page);
    changing.push({ before: encoder.encode(same), write });
    same = '';
  }
  const end = encoder.encode(`${same}\r\n`);
  return (row) => {
    for (const { before, write } of changing) {
      page.encoded(before);
      write(row);
    }
    page.encoded(end);
  };
}

const encoder = new TextEncoder();

function cellWriter(column: Column, delimiter: string, page: TextPage): (row: number) => void {
  const { type, data } = column;
  if (data instanceof Float64Array) return (row) => page.float(data[row] ?? 0);
  return (row) => writeCell(type, cellAt(column, row), delimiter, page);
}

function writeCell(type: ColumnType, cell: Cell, delimiter: string, page: TextPage): void {
  if (typeof cell === 'number') page.float(cell);
  else if (type === 'time' && typeof cell === 'bigint') {
    const ms = cell / NS_PER_MS;
    if (ms * NS_PER_MS === cell) page.ms(Number(ms));
    else page.text(formatTime(cell));
  } else page.text(type === 'string' ? quotedCell(cell, delimiter) : text(type, cell));
}

const quotedCell = (cell: Cell, delimiter: string): string => quoted(cell === null ? '' : String(cell), delimiter);

function text(type: ColumnType, cell: Cell): string {
  if (cell === null) return '';
  if (type === 'time' && typeof cell === 'bigint') return formatTime(cell);
  return typeof cell === 'number' ? decimal(cell) : String(cell);
}

const NEEDS = /["\r\n]|^\s|^\\\.$/;

const quoted = (cell: string, delimiter: string): string =>
  NEEDS.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
