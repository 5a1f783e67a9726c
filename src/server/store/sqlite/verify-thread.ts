import Database from 'better-sqlite3';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import { inspectPages } from './check-pages.ts';
import { checkStructure } from './check-structure.ts';
import { createRowCheck, type RowCursor } from './verify-rows.ts';

const { file } = threadData<{ file: string }>();
const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
db.pragma('cache_size = -4096');
const checkRows = createRowCheck(db);

const methods = {
  tables: () => db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all(),
  structure: (table: string) => checkStructure(db, table),
  pages: (pages: readonly number[]) => inspectPages(db, file, pages).damages,
  rows(from: RowCursor | null) {
    const { bytes, damages, missing, next } = checkRows(from);
    return { bytes, damages, missing, next };
  },
  close: () => void db.close(),
};
export type VerifyMethods = typeof methods;
serveThread(methods);
