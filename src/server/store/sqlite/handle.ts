import Database from 'better-sqlite3';
import { registerWhole } from '../whole.ts';
import type { Query, ReadHandle, Statement, TurnRecorder, Value, WriteHandle } from '../port.ts';

/** Statements that are kept: queries of users have as many forms as they please. */
const MOST_KEPT = 2000;

/** Prepared statements by their text: a handle prepares each once. `recorder` hears of those that changed rows. */
export function handle(db: Database.Database, recorder?: Pick<TurnRecorder, 'ran'>): WriteHandle & ReadHandle {
  registerWhole(db);
  const queries = new Map<string, Query<unknown>>();
  const statements = new Map<string, Statement>();
  return {
    query<T>(sql: string): Query<T> {
      let known = queries.get(sql);
      if (!known) {
        const prepared = db.prepare<unknown[], unknown>(sql);
        known = {
          get: (...a) => prepared.get(...a),
          all: (...a) => prepared.all(...a),
          iterate: (...a) => prepared.iterate(...a),
        };
        if (queries.size >= MOST_KEPT) queries.clear();
        queries.set(sql, known);
      }
      // The type of the rows belongs to the text of the statement: its caller names it.
      return known as Query<T>;
    },
    statement(sql) {
      let known = statements.get(sql);
      if (!known) {
        const prepared = db.prepare<Value[]>(sql);
        known = recorder
          ? {
              run(...args) {
                const { changes } = prepared.run(...args);
                if (changes > 0) recorder.ran(sql, args);
                return changes;
              },
            }
          : { run: (...args) => prepared.run(...args).changes };
        statements.set(sql, known);
      }
      return known;
    },
  };
}

/** A handle of a thread's own that cannot write; each `snapshot` reads one state of the database. */
export interface ThreadHandle {
  readonly read: ReadHandle;
  snapshot<T>(run: () => T): T;
  /** Tables that only this handle sees. */
  readonly temporary: WriteHandle;
  /** Another database beside it, under a name. */
  attach(file: string, name: string): void;
  close(): void;
}

/** Opens the master's database for a thread. The file must be there: whoever starts the thread has made it. */
export function openForReading(file: string, cacheKiB = 4096, mappedBytes = 256 * 1024 * 1024): ThreadHandle {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  db.pragma(`cache_size = -${cacheKiB}`);
  db.pragma('temp_store = MEMORY');
  db.pragma(`mmap_size = ${mappedBytes}`);
  const own = handle(db);
  return {
    read: own,
    temporary: own,
    snapshot: (run) => db.transaction(run)(),
    attach: (other, name) => void db.prepare(`ATTACH ? AS ${name}`).run(other),
    close: () => void db.close(),
  };
}
