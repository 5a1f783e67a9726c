import type { Page } from '../../contract/shapes.ts';
import { pageOf } from '../../lib/page.ts';
import type { ReadHandle, Value, WriteHandle } from './port.ts';

/** A page of a table. `from` is the table with its condition, which takes `values`; `order` names a column last that no two rows share. */
export function readPage<Row, Item>(
  read: ReadHandle,
  { from, order, values = [] }: { from: string; order: string; values?: readonly Value[] },
  wanted: { readonly page: number; readonly size: number },
  view: (row: Row) => Item,
): Page<Item> {
  const total = read.query<{ n: number }>(`SELECT count(*) AS n FROM ${from}`).get(...values)?.n ?? 0;
  const rows = read
    .query<Row>(`SELECT * FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`)
    .all(...values, wanted.size, wanted.page * wanted.size);
  return pageOf(rows.map(view), wanted, total);
}

/** Writes one row, whose members are named as the columns. `verb` says what becomes of one that is there already. */
export function putRow(
  db: WriteHandle,
  table: string,
  row: Readonly<Record<string, Value>>,
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  const columns = Object.keys(row);
  db.statement(`${verb} INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
    ...Object.values(row),
  );
}
