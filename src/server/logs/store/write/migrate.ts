import Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile } from '../files/schema.ts';
import type { LogBatch } from '../port.ts';
import type { LogWriter } from './writer.ts';

/** A row of the store's first form (`logs.db`). `time` in µs; `fields`: a JSON object. */
interface OldRow {
  id: number;
  time: number;
  msg: string;
  level: string | null;
  job_id: string | null;
  task_id: string | null;
  worker_id: string | null;
  source: string | null;
  fields: string | null;
}

const NAME = 'logs.db';
/** Ids that one batch covers. */
const SPAN = 2000;
const OPTIONS: LogBatch['options'] = {
  timeFields: ['_time'],
  messageFields: ['_msg'],
  streamFields: ['source'],
  ignoreFields: [],
  extraFields: {},
};

/** Moves the lines of the first form over, a batch a step. */
export interface Migration {
  /** False: there is nothing left to move. */
  step(): boolean;
  close(): void;
}

/**
 * Null where there is no file of the first form. How far it was moved is written down in it, and each batch has an id of its
 * own, so that a kill in between moves none of them twice; the file goes when all of it was moved.
 */
export function openMigration(
  folder: string,
  writer: Pick<LogWriter, 'insert'>,
  log: (line: string) => void,
): Migration | null {
  const file = join(folder, NAME);
  if (!existsSync(file)) return null;
  const aside = (why: string): null => {
    const name = `${NAME}.damaged-${Date.now()}`;
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(file + end)) renameSync(file + end, join(folder, name + end));
    log(
      `the log file ${file} of an older version cannot be read (${why}); it was renamed to ${name}, and its lines cannot be searched`,
    );
    return null;
  };
  let db: Database.Database | null = null;
  try {
    db = new Database(file);
    const rows = db.prepare<[number, number], OldRow>(
      'SELECT id, time, msg, level, job_id, task_id, worker_id, source, fields FROM log WHERE id >= ? AND id < ? ORDER BY id',
    );
    const next = db.prepare<[number], number | null>('SELECT min(id) FROM log WHERE id >= ?').pluck();
    // The file itself says how far it was moved.
    let at = next.get(Number(db.pragma('user_version', { simple: true })) * SPAN) ?? null;
    let moved = 0;
    if (at !== null) log(`moving the log lines of ${file}, written by an older version, to the new store`);
    return {
      step() {
        if (!db) return false;
        try {
          if (at !== null) {
            const span = Math.floor(at / SPAN);
            const lines = rows.all(span * SPAN, (span + 1) * SPAN).map(lineOf);
            writer.insert([{ id: `first-form/${span}`, ndjson: Buffer.from(lines.join('\n')), options: OPTIONS }]);
            db.pragma(`user_version = ${span + 1}`);
            moved += lines.length;
            at = next.get((span + 1) * SPAN) ?? null;
            return true;
          }
          db.close();
          db = null;
          removeFile(folder, NAME);
          if (moved > 0) log(`moved ${moved} log lines of an older version to the new store`);
        } catch (error) {
          if (errorCode(error) === 'STORE_FULL') return false;
          db?.close();
          db = null;
          aside(errorMessage(error));
        }
        return false;
      },
      close: () => void db?.close(),
    };
  } catch (error) {
    db?.close();
    return aside(errorMessage(error));
  }
}

function lineOf({ time, msg, level, job_id, task_id, worker_id, source, fields }: OldRow): string {
  const ms = Math.floor(time / 1000);
  const micros = time - ms * 1000;
  const _time = new Date(ms).toISOString().replace('Z', micros === 0 ? 'Z' : `${String(micros).padStart(3, '0')}Z`);
  const own = JSON.stringify({
    ...(level === null ? {} : { level }),
    ...(job_id === null ? {} : { job_id }),
    ...(task_id === null ? {} : { task_id }),
    ...(worker_id === null ? {} : { worker_id }),
    ...(source === null ? {} : { source }),
    _msg: msg,
    _time,
  });
  return fields === null || fields.length <= 2 ? own : `${fields.slice(0, -1)},${own.slice(1)}`;
}
