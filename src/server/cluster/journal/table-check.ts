import { crc32 } from 'node:zlib';
import { ByteWriter } from '../../../lib/bytes.ts';
import type { ReadHandle, Value } from '../../store/port.ts';
import { writeValue } from './entry-codec.ts';

/**
 * A part of a table as the owner has it at a turn: so many rows after a key, and their sum. Who applies the journal must have
 * the same ones. A few parts stand in every so many turns, of one table after the other: what it costs does not
 * grow with what the tables hold.
 */
export interface TableCheck {
  readonly table: string;
  /** Of the row before the first; empty: the table's first row. */
  readonly after: readonly Value[];
  readonly rows: number;
  /** There is none behind them. */
  readonly isEnd: boolean;
  readonly sum: number;
}

/** Of all parts in a turn; a single row may be longer. */
const BYTES = 64 * 1024;
const ROWS = 100;
/** Many are small, or empty. */
const TABLES = 16;

interface Table {
  readonly name: string;
  /** Columns of its primary key, quoted. */
  readonly key: readonly string[];
  readonly names: readonly string[];
}

/** Tables whose rows have a key that stays: others are numbered anew where a snapshot is taken. */
function tablesOf(read: ReadHandle): Table[] {
  return read
    .query<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'journal_position' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all()
    .map(({ name }) => {
      const columns = read.query<{ name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)').all(name);
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return { name, key: key.map((column) => quoted(column.name)), names: key.map((column) => column.name) };
    })
    .filter(({ key }) => key.length > 0);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function rowsAfter(read: ReadHandle, { name, key }: Table, after: readonly Value[], limit: number) {
  const columns = key.join(', ');
  const where = after.length > 0 ? `WHERE (${columns}) > (${after.map(() => '?').join(', ')})` : '';
  return read
    .query<Record<string, Value>>(`SELECT * FROM ${quoted(name)} ${where} ORDER BY ${columns} LIMIT ${limit}`)
    .iterate(...after);
}

/** The owner's side: gives the next parts at each call, going round all tables. */
export function createTableChecks(read: ReadHandle): () => TableCheck[] {
  const tables = tablesOf(read);
  const writer = new ByteWriter(BYTES);
  let at = 0;
  /** How far each table was gone through: one that grows faster than that holds up no other. */
  const reached = new Map<string, Value[]>();

  function next(table: Table, most: number): TableCheck {
    const start = writer.at;
    const after = reached.get(table.name) ?? [];
    let rows = 0;
    let last: Value[] = [];
    let isEnd = true;
    for (const row of rowsAfter(read, table, after, ROWS + 1)) {
      if (rows >= most || writer.at >= BYTES) {
        isEnd = false;
        break;
      }
      for (const value of Object.values(row)) writeValue(writer, value);
      rows++;
      last = table.names.map((name) => row[name] ?? null);
    }
    const check = { table: table.name, after, rows, isEnd, sum: crc32(writer.buffer.subarray(start, writer.at)) };
    reached.set(table.name, isEnd ? [] : last);
    at = (at + 1) % tables.length;
    return check;
  }

  return () => {
    const checks: TableCheck[] = [];
    let left = ROWS;
    writer.at = 0;
    while (checks.length < Math.min(TABLES, tables.length) && left > 0 && writer.at < BYTES) {
      const check = next(tables[at]!, left);
      checks.push(check);
      left -= check.rows;
    }
    return checks;
  };
}

/** Whether a copy holds the same. */
export function holdsSame(read: ReadHandle, { table, after, rows, isEnd, sum }: TableCheck): boolean {
  const known = tablesOf(read).find(({ name }) => name === table);
  if (!known) return false;
  const writer = new ByteWriter(BYTES);
  let count = 0;
  for (const row of rowsAfter(read, known, after, rows + (isEnd ? 1 : 0))) {
    for (const value of Object.values(row)) writeValue(writer, value);
    count++;
  }
  return count === rows && crc32(writer.buffer.subarray(0, writer.at)) === sum;
}
