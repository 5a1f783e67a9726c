import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { openPageSums, type PageSums } from './page-sums.ts';

/** What `PRAGMA wal_checkpoint` tells: pages in the log, and how many of them are in the database file. */
export interface CheckpointState {
  readonly log: number;
  readonly done: number;
  /** A reader was in the way. */
  readonly busy: boolean;
}

export interface NotedCheckpoints {
  /** Copies what it can without holding anybody up, and notes the sums of what was copied once that is the whole log. */
  passive(): CheckpointState;
  /** Notes the sums of all pages that were copied so far. */
  note(): void;
  /** Copies the rest, so that the next writer starts the log from its beginning. Nobody may be writing. */
  restart(): CheckpointState;
  readonly sums: PageSums;
  close(): void;
}

/** So many frames from the beginning of the log with these salts. */
interface Frames {
  readonly salts: Buffer;
  readonly frames: number;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** A call for each frame would cost several times what copying its page does. */
const READ_FRAMES = 64;

/**
 * Checkpoints whose pages are noted (`page-sums.ts`). Nobody else may take one of this database. Pages are noted when the
 * whole log is copied, not each time that a part of it is: a busy writer changes the same pages again and again, and those
 * that the log still holds are never held against their sums. A reader stands on the log meanwhile: it keeps writers from
 * beginning the log anew before what was copied is noted. Where all was copied before, it does not, and there is nothing to note.
 */
export function notedCheckpoints(db: Database.Database, file: string, timeout: number): NotedCheckpoints {
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  const sums = openPageSums(file, pageBytes);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  const frames = Buffer.allocUnsafe(READ_FRAMES * frameBytes);
  const pin = new Database(file, { readonly: true, timeout });
  const [begin, look, commit] = [
    pin.prepare('BEGIN'),
    pin.prepare('SELECT 1 FROM sqlite_master'),
    pin.prepare('COMMIT'),
  ];
  let noted: Frames = { salts: Buffer.alloc(8), frames: 0 };
  /** Frames of the log that are in the database and may not be noted, and of which log. */
  let copied: Frames = { salts: noted.salts, frames: 0 };

  function checkpoint(mode: 'PASSIVE' | 'RESTART'): CheckpointState {
    const row = db
      .prepare<[], { busy: number; log: number; checkpointed: number }>(`PRAGMA wal_checkpoint(${mode})`)
      .get();
    return { log: row?.log ?? 0, done: row?.checkpointed ?? 0, busy: row?.busy === 1 };
  }

  /** Of the log as it is in its file. */
  function saltsNow(log: number): Buffer {
    const salts = Buffer.alloc(8);
    readSync(log, salts, 0, 8, 16);
    return salts;
  }

  function withLog<T>(step: (log: number) => T): T {
    const fd = openSync(`${file}-wal`, 'r');
    try {
      return step(fd);
    } finally {
      closeSync(fd);
    }
  }

  function note(): void {
    if (copied.frames <= 0) return;
    withLog((log) => {
      const salts = saltsNow(log);
      // Another log has begun, which only that does of which all was noted. What was copied is none of its frames.
      if (!salts.equals(copied.salts)) return;
      const from = salts.equals(noted.salts) ? noted.frames : 0;
      if (copied.frames <= from) return;
      sums.note(pagesOf(log, from, copied.frames), salts);
      noted = copied;
    });
  }

  function pagesOf(log: number, from: number, to: number): Set<number> {
    const pages = new Set<number>();
    for (let first = from; first < to; first += READ_FRAMES) {
      const count = Math.min(READ_FRAMES, to - first);
      readSync(log, frames, 0, count * frameBytes, LOG_HEADER_BYTES + first * frameBytes);
      for (let i = 0; i < count; i++) pages.add(frames.readUInt32BE(i * frameBytes));
    }
    return pages;
  }

  function passive(): CheckpointState {
    begin.run();
    try {
      look.get();
      // A reader of a log that is copied whole reads the database alone, and keeps nobody from beginning the log anew.
      const salts = existsSync(`${file}-wal`) ? withLog(saltsNow) : noted.salts;
      const state = checkpoint('PASSIVE');
      copied = { salts, frames: state.done };
      if (state.done < state.log) return state;
      note();
      // The next writer may begin the log anew.
      copied = { salts, frames: 0 };
      return state;
    } finally {
      commit.run();
    }
  }

  return {
    sums,
    passive,
    note,
    restart() {
      const state = passive();
      // What a reader keeps from being copied now would be copied without being noted.
      return state.done < state.log ? { ...state, busy: true } : checkpoint('RESTART');
    },
    close() {
      pin.close();
      sums.close();
    },
  };
}

/** The last checkpoint of a database that is about to be closed, and nobody else has open. `accepted`: pages that are noted as they are. */
export function closeNoted(db: Database.Database, file: string, accepted: readonly number[] = []): void {
  const checkpoints = notedCheckpoints(db, file, 0);
  try {
    const { log, done } = checkpoints.passive();
    if (accepted.length > 0) checkpoints.sums.note(accepted, checkpoints.sums.state?.salts ?? Buffer.alloc(8));
    if (done === log) checkpoints.sums.setState('closed');
  } finally {
    checkpoints.close();
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** Checkpoints will be taken that are not noted. */
export function forgetSums(db: Database.Database, file: string): void {
  const sums = openPageSums(file, Number(db.pragma('page_size', { simple: true })));
  sums.forget();
  sums.close();
}
