import { decimal } from './values/decimal.ts';
import { cellAt, type Cell, type Column, type ColumnType, type Table } from './values/table.ts';
import { createMsFormat, formatTime, NS_PER_MS } from './values/time.ts';

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

/** Rows of one piece of text. */
const PIECE = 2000;

/** Writes the tables of one result, piece by piece; the blank line after it included. */
export function* encodeResult(name: string, tables: Iterable<Table>, dialect: Dialect): Iterable<string> {
  const line = lines(dialect);
  const byDefault = dialect.annotations.includes('default');
  let before: Table | null = null;
  let number = 0;
  const msText = createMsFormat();
  for (const table of tables) {
    if (before === null || table.rows === 0 || before.rows === 0 || !sameSchema(before, table)) {
      let text = before === null ? '' : '\r\n';
      for (const annotation of ['datatype', 'group', 'default'] as const)
        if (dialect.annotations.includes(annotation))
          text += line([dialect.commentPrefix + annotation, ...annotated(annotation, table, name, number)]);
      if (dialect.header) text += line(['', 'result', 'table', ...table.columns.map((column) => column.name)]);
      if (text !== '') yield text;
    }
    const start = `${dialect.delimiter}${byDefault ? '' : quoted(name, dialect.delimiter)}${dialect.delimiter}${number}`;
    const { changing, end } = pieces(table, start, dialect.delimiter, msText);
    for (let from = 0; from < table.rows; from += PIECE) {
      let text = '';
      for (let row = from; row < Math.min(from + PIECE, table.rows); row++) {
        for (const { before, cell } of changing) text += before + cell(row);
        text += end;
      }
      yield text;
    }
    before = table;
    number++;
  }
  yield '\r\n';
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

interface Changing {
  /** What stands before the cell: the same in each row. */
  readonly before: string;
  readonly cell: (row: number) => string;
}

/** The cells of a table that differ by row, with all that does not between and behind them. */
function pieces(
  { columns }: Table,
  start: string,
  delimiter: string,
  msText: (ms: number) => string,
): { changing: Changing[]; end: string } {
  const changing: Changing[] = [];
  let before = start;
  for (const column of columns) {
    before += delimiter;
    const { type, ms } = column;
    const one = (cell: Cell) =>
      type === 'string' ? quoted(cell === null ? '' : String(cell), delimiter) : text(type, cell, msText);
    // First, so that their data need not be made.
    if (ms) changing.push({ before, cell: (row) => msText(ms[row] ?? 0) });
    else if (column.data === null) {
      before += one(column.value);
      continue;
    } else changing.push({ before, cell: cellText(column, one) });
    before = '';
  }
  return { changing, end: `${before}\r\n` };
}

function cellText(column: Column, one: (cell: Cell) => string): (row: number) => string {
  const { data } = column;
  if (data instanceof Float64Array) return (row) => decimal(data[row] ?? 0);
  return (row) => one(cellAt(column, row));
}

function text(type: ColumnType, cell: Cell, msText: ((ms: number) => string) | null = null): string {
  if (cell === null) return '';
  if (type === 'time' && typeof cell === 'bigint')
    return msText && cell % NS_PER_MS === 0n ? msText(Number(cell / NS_PER_MS)) : formatTime(cell);
  return typeof cell === 'number' ? decimal(cell) : String(cell);
}

const NEEDS = /["\r\n]|^\s|^\\\.$/;

const quoted = (cell: string, delimiter: string): string =>
  NEEDS.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
