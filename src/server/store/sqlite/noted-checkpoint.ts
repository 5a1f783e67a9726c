import { closeSync, openSync, readSync } from 'node:fs';
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
  /** Copies what it can without holding anybody up, and notes the sums of the pages that it copied. */
  passive(): CheckpointState;
  /** Copies the rest, so that the next writer starts the log from its beginning. Nobody may be writing. */
  restart(): CheckpointState;
  readonly sums: PageSums;
  close(): void;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Checkpoints whose pages are noted (`page-sums.ts`). Nobody else may take one of this database. A reader stands on the log
 * meanwhile: it keeps writers from beginning the log anew before what was copied is noted.
 */
export function notedCheckpoints(db: Database.Database, file: string, timeout: number): NotedCheckpoints {
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  const sums = openPageSums(file, pageBytes);
  const pin = new Database(file, { readonly: true, timeout });
  const [begin, look, commit] = [
    pin.prepare('BEGIN'),
    pin.prepare('SELECT 1 FROM sqlite_master'),
    pin.prepare('COMMIT'),
  ];
  let noted = { salts: Buffer.alloc(8), frames: 0 };

  function checkpoint(mode: 'PASSIVE' | 'RESTART'): CheckpointState {
    const row = db
      .prepare<[], { busy: number; log: number; checkpointed: number }>(`PRAGMA wal_checkpoint(${mode})`)
      .get();
    return { log: row?.log ?? 0, done: row?.checkpointed ?? 0, busy: row?.busy === 1 };
  }

  function note(done: number): void {
    if (done <= 0) return;
    const fd = openSync(`${file}-wal`, 'r');
    try {
      const salts = Buffer.alloc(8);
      readSync(fd, salts, 0, 8, 16);
      const from = salts.equals(noted.salts) ? noted.frames : 0;
      if (done <= from) return;
      const pages = new Set<number>();
      const page = Buffer.alloc(4);
      for (let frame = from; frame < done; frame++) {
        readSync(fd, page, 0, 4, LOG_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + pageBytes));
        pages.add(page.readUInt32BE(0));
      }
      sums.note(pages, salts);
      noted = { salts, frames: done };
    } finally {
      closeSync(fd);
    }
  }

  function passive(): CheckpointState {
    begin.run();
    try {
      look.get();
      const state = checkpoint('PASSIVE');
      note(state.done);
      return state;
    } finally {
      commit.run();
    }
  }

  return {
    sums,
    passive,
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
