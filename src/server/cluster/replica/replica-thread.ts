import type { ProjectionExtra } from '../../../contract/vocabulary.ts';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { fsyncPath } from '../../../lib/fsync-path.ts';
import { serveThread, threadData } from '../../offload/serve-thread.ts';
import { trackChanges, type ChangeTracker } from '../projection/track-changes.ts';
import {
  applyTurns,
  type AppliedEntry,
  type Migration,
  type ReplicaPosition,
  type TurnsApplier,
} from './apply-turns.ts';
import { CHUNK_BYTES } from './working-copy.ts';

/** The working copy of a standby, which nothing else writes to while this thread has it (working-copy.ts). */
export interface ReplicaData {
  file: string;
  migrations: readonly Migration[];
  /** Notes which rows change, for the projection. */
  tracked: boolean;
  /** How large an entry may be before compression. */
  entryBytes: number;
}

const { file, migrations, tracked, entryBytes } = threadData<ReplicaData>();

const texts = new Map<string, string>();
let db = open();
let tracker: ChangeTracker | null = null;
let turns = follow();

function open(): Database.Database {
  // Sums of its pages, from when this was the owner: nobody notes here what is written.
  rmSync(`${file}-sums`, { force: true });
  const opened = new Database(file);
  // As the store opens it (store/sqlite/open.ts): a statement has to do the same here as there.
  opened.pragma('auto_vacuum = INCREMENTAL');
  opened.pragma('journal_mode = WAL');
  opened.pragma('synchronous = NORMAL');
  opened.pragma('foreign_keys = ON');
  opened.pragma('busy_timeout = 5000');
  opened.pragma('cache_size = -8192');
  return opened;
}

function follow(): TurnsApplier {
  const applied = applyTurns(db, migrations, texts, () => tracker?.migrating(), entryBytes);
  tracker = tracked ? trackChanges(db) : null;
  return applied;
}

function tracking(): ChangeTracker {
  if (!tracker) throw new Error('this working copy notes no changes');
  return tracker;
}

function removeFile(): void {
  db.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function reopen(): void {
  db = open();
  turns = follow();
}

const methods = {
  position: () => turns.position,
  unknownStatements: (entries: readonly Uint8Array[]) => turns.unknownStatements(entries),
  name(named: readonly { hash: string; text: string }[]) {
    for (const { hash, text } of named) texts.set(hash, text);
  },
  apply(entries: readonly AppliedEntry[]) {
    try {
      return turns.apply(entries);
    } finally {
      tracker?.resume();
    }
  },
  trust: () => turns.trust(),
  discard() {
    removeFile();
    reopen();
  },
  writeChunk(index: number, body: Uint8Array) {
    const fd = openSync(`${file}.restored`, index === 0 ? 'w' : 'r+', 0o600);
    try {
      const bytes = zstdDecompressSync(body, { maxOutputLength: CHUNK_BYTES });
      writeSync(fd, bytes, 0, bytes.length, index * CHUNK_BYTES);
    } finally {
      closeSync(fd);
    }
  },
  adoptRestored(): ReplicaPosition | null {
    fsyncPath(`${file}.restored`);
    const restored = new Database(`${file}.restored`);
    let check: unknown;
    try {
      check = restored.pragma('quick_check(1)', { simple: true });
    } finally {
      restored.close();
    }
    if (check !== 'ok') throw new Error(`the snapshot is damaged (${String(check)})`);
    removeFile();
    renameSync(`${file}.restored`, file);
    reopen();
    return turns.position;
  },
  tracked: () => tracking().tracked(),
  changes: (most: number, extras: readonly ProjectionExtra[]) => tracking().changes(most, extras),
  written: (upTo: number) => tracking().written(upTo),
  markAll: (build: string) => tracking().markAll(build),
  close() {
    // A reader that is still at it holds up nobody who takes the state over: then the log stays, and is read by whoever opens it.
    db.pragma('busy_timeout = 100');
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
  },
};
export type ReplicaMethods = typeof methods;
serveThread(methods);
