import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { ByteWriter } from '../../../lib/bytes.ts';
import type { Value } from '../../store/port.ts';
import { writeOperation } from '../journal/entry-codec.ts';

/** What a table holds: its rows, and a sum over all of their values in the order of their keys. */
export interface TableSum {
  readonly table: string;
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Values are added up in pieces of about this size. */
const HASHED_BYTES = 64 * 1024;
/** The row of a working copy that says which turns it holds: no part of the state. */
const OWN = 'journal_position';

/** Adds up all tables of a database that nobody writes to. */
export function sumTables(file: string): TableSum[] {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    db.defaultSafeIntegers(true);
    const tables = db
      .prepare<[], { name: string; wr: bigint }>(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .all();
    return tables.flatMap(({ name, wr }) => {
      if (name === OWN) return [];
      const hash = createHash('sha256');
      const values = new ByteWriter(2 * HASHED_BYTES);
      const take = (): void => {
        hash.update(values.buffer.subarray(0, values.at));
        values.at = 0;
      };
      let rows = 0;
      // Without a row ID a table lies in the order of its key.
      const all = db.prepare<[], Value[]>(`SELECT * FROM "${name}"${wr === 1n ? '' : ' ORDER BY rowid'}`).raw();
      for (const row of all.iterate()) {
        rows++;
        // Each value with its kind, and its length where that varies: no two rows make the same bytes.
        writeOperation(values, 0, row);
        if (values.at >= HASHED_BYTES) take();
      }
      take();
      return [{ table: name, rows, sha256: hash.digest('hex') }];
    });
  } finally {
    db.close();
  }
}

/** Tables that differ, for people; empty: none does. */
export function differingTables(before: readonly TableSum[], after: readonly TableSum[]): string[] {
  const names = new Set([...before, ...after].map(({ table }) => table));
  const of = (sums: readonly TableSum[], name: string) => sums.find(({ table }) => table === name);
  return [...names].flatMap((name) => {
    const [one, other] = [of(before, name), of(after, name)];
    if (one && other && one.rows === other.rows && one.sha256 === other.sha256) return [];
    return [`${name} (${one?.rows ?? 'no'} rows before, ${other?.rows ?? 'no'} after)`];
  });
}
