import Database from 'better-sqlite3';
import { groupCommit } from '../../store/sqlite/group-commit.ts';
import { handle } from '../../store/sqlite/handle.ts';
import type { Store } from '../../store/port.ts';
import type { OpenStore } from '../journal/journaled-store.ts';
import { applyTurns, type ReplicaPosition } from '../replica/apply-turns.ts';
import type { CopyBeside } from '../replica/copy-beside.ts';
import type { WorkingCopy } from '../replica/working-copy.ts';
import type { Host } from './host.fake.ts';
import type { World } from './world.fixture.ts';

/** What a power failure leaves: some state of a moment ago. */
const SAVE_MS = 700;
const SAVED = 3;
const CHUNK_BYTES = 4096;

export const MIGRATIONS = [
  { number: 1, sql: 'CREATE TABLE op (id TEXT PRIMARY KEY, n INTEGER NOT NULL UNIQUE) STRICT' },
  { number: 2, sql: 'CREATE TABLE start (master TEXT PRIMARY KEY, starts INTEGER NOT NULL) STRICT' },
];

/** The disk of a machine: it keeps the working copy from one process to the next. SQLite is real, in memory. */
export interface Disk {
  /** For a process that starts. */
  attach(host: Host): {
    openCopy(): WorkingCopy;
    readonly openStore: OpenStore;
    copyOfOwner(): CopyBeside;
    content(): string;
  };
  /** What the next process finds, now that this one has ended. */
  detach(left: 'kept' | 'power failed' | 'empty'): void;
}

/** Planted: stands between the journal and the working copy that takes it. */
export type Prepare = (db: Database.Database) => Database.Database;

export function createDisk(world: World, planted: { readonly prepare: Prepare }): Disk {
  let saved: (Buffer | null)[] = [];
  let db = new Database(':memory:');

  function save(): void {
    saved.push(db.inTransaction ? null : db.serialize());
    if (saved.length > SAVED) saved.shift();
  }

  function attach(host: Host): ReturnType<Disk['attach']> {
    const keepSaving = (): void => {
      save();
      host.at(SAVE_MS, keepSaving);
    };
    host.at(SAVE_MS, keepSaving);
    const texts = new Map<string, string>();

    function openCopy(): WorkingCopy {
      const open = () => applyTurns(planted.prepare(db), MIGRATIONS, texts);
      let turns = open();
      let restored: Uint8Array[] = [];
      let copied: Buffer | null = null;
      let closed = false;
      /** As in a thread: later, one after the other. */
      let last = 0;
      const call = <T>(run: () => T): Promise<T> =>
        new Promise((resolve, reject) => {
          last = Math.max(last, world.now + (world.random.chance(0.01) ? world.random.between(0, 300) : 0.1));
          host.at(last - world.now, () => {
            if (closed) return reject(new Error('the thread has ended'));
            try {
              resolve(run());
            } catch (error) {
              reject(error instanceof Error ? error : new Error(String(error)));
            }
          });
        });
      return {
        existed: true,
        position: () => call(() => turns.position),
        unknownStatements: (entries) => call(() => turns.unknownStatements(entries)),
        name: (statements) => call(() => statements.forEach(({ hash, text }) => texts.set(hash, text))),
        apply: (entries) => call(() => turns.apply(entries)),
        trust: () => call(() => turns.trust()),
        discard: () =>
          call(() => {
            db = new Database(':memory:');
            turns = open();
          }),
        copy: () =>
          call(() => {
            const at = turns.position;
            if (!at) throw new Error('there is nothing to copy yet');
            copied = db.serialize();
            return { ...at, bytes: copied.length, chunks: Math.ceil(copied.length / CHUNK_BYTES) };
          }),
        readChunk: (index) =>
          call(() => new Uint8Array(copied!.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES))),
        dropCopy: () => call(() => void (copied = null)),
        writeChunk: (index, body) =>
          call(() => {
            if (index === 0) restored = [];
            restored[index] = body;
          }),
        adoptRestored: () =>
          call(() => {
            db = new Database(Buffer.concat(restored));
            turns = open();
            return turns.position;
          }),
        close: () => call(() => void (closed = true)).catch(() => {}),
      };
    }

    const openStore: OpenStore = ({ sync, recorder }) => {
      const schema = Number(db.pragma('user_version', { simple: true }));
      for (const { number, sql } of MIGRATIONS)
        if (number > schema) db.transaction(() => (db.exec(sql), db.pragma(`user_version = ${number}`)))();
      recorder?.opened(handle(db), MIGRATIONS.at(-1)!.number);
      const group = groupCommit(
        db,
        handle(db, recorder),
        sync?.('') ?? null,
        { noted: () => {}, forGood: () => {} },
        recorder,
      );
      const store: Pick<Store, 'read' | 'write' | 'durable' | 'close'> = {
        read: handle(db),
        write: group.write,
        durable: group.durable,
        close: () => group.drain(),
      };
      return store as Store;
    };

    function copyOfOwner(): CopyBeside {
      let copied: Buffer = Buffer.alloc(0);
      const later = <T>(run: () => T): Promise<T> => new Promise((resolve) => host.at(0.5, () => resolve(run())));
      return {
        copy: () =>
          later(() => {
            copied = db.serialize();
            const at = db.prepare<[], ReplicaPosition>('SELECT epoch, turn, schema FROM journal_position').get();
            return { ...at!, bytes: copied.length, chunks: Math.ceil(copied.length / CHUNK_BYTES) };
          }),
        readChunk: (index) =>
          later(() => new Uint8Array(copied.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES))),
        dropCopy: () => Promise.resolve(),
        close: () => Promise.resolve(),
      };
    }

    return { openCopy, openStore, copyOfOwner, content: () => contentOf(db) };
  }

  return {
    attach,
    detach(left) {
      const bytes =
        left === 'kept'
          ? db.inTransaction
            ? null
            : db.serialize()
          : left === 'empty'
            ? null
            : world.random.pick([null, ...saved]);
      // Anew: what the process that ended still holds is no part of the disk.
      db = bytes ? new Database(bytes) : new Database(':memory:');
      saved = [bytes];
    },
  };
}

/** All that a copy holds, with the turn it stands at. */
export function contentOf(db: Database.Database): string {
  const tables = db
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return JSON.stringify(tables.map(({ name }) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1`).raw().all()]));
}
