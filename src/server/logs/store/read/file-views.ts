import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import type { BlockParts } from '../blocks/block.ts';
import { PIECE_BYTES } from '../blocks/bloom.ts';
import { isDamage, logFiles, openForReading, PARTS } from '../files/schema.ts';
import { missingOf, pieceSum, readState, rowSum, SUMMED_ROWS, type SummedRow } from '../files/sums.ts';
import type { StoreDamage } from '../port.ts';

/** A file of the store as a reader sees it. */
export interface FileView {
  readonly name: string;
  /** Its name and inode: tells it from a later file of the same name. */
  readonly id: string;
  readonly parts: BlockParts;
  readonly blocks: readonly SummedRow[];
  /** It was removed, or another one has its name. */
  readonly gone: boolean;
  /** A piece of a search filter; undefined: there is none, or it is damaged. */
  piece(id: number): Buffer | undefined;
  /** All blocks and what the file says of them, as of one moment. */
  list(): readonly SummedRow[];
}

interface OpenFile extends FileView {
  readonly db: Database.Database;
  /** Changes with every commit of the writer. */
  version: number;
  blocks: readonly SummedRow[];
  /** The highest block number that was ever seen in it. */
  highest: number;
  /** Snapshots that use the file. */
  users: number;
  gone: boolean;
}

export interface FileViewsDeps {
  /** Where the parts of blocks come from. */
  read(db: Database.Database): BlockParts;
  /** `id`: of the file, where it could be opened. */
  tell(damage: StoreDamage, id?: string): void;
  /** The file with the highest block numbers is gone, and the writer may hand these out again: what is known of blocks no longer holds. */
  renumbered(): void;
}

export interface FileViews {
  /** All files as they are now. */
  current(): readonly FileView[];
  /** Keeps these files open, even if they are removed meanwhile, until the returned function is called. */
  use(files: readonly FileView[]): () => void;
  /** Gives memory back that only makes the next query quicker. */
  rest(): void;
  close(): void;
}

/** KiB of pages that SQLite keeps, for all files of a thread, and for one of them. */
const PAGES_KIB = 16 * 1024;
const FILE_PAGES_KIB = 1024;
const MIN_PAGES_KIB = 128;

const highestOf = (files: readonly OpenFile[]): number =>
  files.reduce((most, { highest }) => Math.max(most, highest), 0);

/** The files of a folder, which another thread writes, merges and removes. */
export function openFileViews(folder: string, { read, tell, renumbered }: FileViewsDeps): FileViews {
  const views = new Map<string, OpenFile>();
  let pagesKib = FILE_PAGES_KIB;

  /** The id of the file that now has this name; null: there is none. */
  function idOf(name: string): string | null {
    const found = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${name} ${found.ino}`;
  }

  /** Lines of a damaged file are lost; those of one that is only out of reach now must not seem to be. */
  function unreadable(name: string, error: unknown): void {
    const why = errorMessage(error);
    if (!isDamage(error))
      throw new Fault('STORE_UNAVAILABLE', `the log file ${name} cannot be read now (${why}): try again in a moment`, {
        cause: error,
      });
    const rows = views.get(name)?.blocks ?? [];
    tell({
      file: name,
      place: '',
      what: `the file cannot be read (${why}); its log lines cannot be searched`,
      from: rows.length === 0 ? null : Math.min(...rows.map(({ t0 }) => t0)),
      to: rows.length === 0 ? null : Math.max(...rows.map(({ t1 }) => t1)) + 1,
      lost: null,
    });
  }

  function open(name: string): OpenFile | null {
    let db: Database.Database | undefined;
    try {
      // Read before opening: if another file takes the name in between, the next refresh notices.
      const id = idOf(name);
      if (id === null) return null;
      const opened = (db = openForReading(join(folder, name)));
      db.pragma(`cache_size = -${pagesKib}`);
      const bloom = db.prepare<[number], Buffer>('SELECT data FROM bloom WHERE id = ?').pluck();
      const rows = db.prepare<[], SummedRow>(SUMMED_ROWS);
      let known = new Map<number, SummedRow>();
      return {
        name,
        id,
        db,
        parts: read(db),
        list: db.transaction(() => {
          const all = rows.all();
          // A row that was checked is not checked again.
          const whole = all.filter((row) => known.get(row.id)?.crc === row.crc || rowSum(row) === row.crc);
          const missing = missingOf(readState(opened), whole);
          if (missing) tell({ ...missing, file: name, place: 'blocks' }, id);
          known = new Map(whole.map((row) => [row.id, row]));
          return whole;
        }),
        piece(number) {
          const data = bloom.get(number);
          // Those of format 1 have no checksum.
          if (!Buffer.isBuffer(data)) return undefined;
          if (data.length === PIECE_BYTES) return data;
          const piece = data.subarray(0, PIECE_BYTES);
          if (data.length === PIECE_BYTES + 4 && pieceSum(number, piece) === data.readUInt32LE(PIECE_BYTES))
            return piece;
          const block = Math.floor(number / PARTS);
          const what = `a search filter of block ${block} is damaged and not used`;
          tell({ file: name, place: `filter ${block}`, what, from: null, to: null, lost: 0 }, id);
          return undefined;
        },
        version: -1,
        blocks: [],
        highest: 0,
        users: 0,
        gone: false,
      };
    } catch (error) {
      db?.close();
      // A file that is only just being made has no tables yet; one that was removed is gone.
      if (/no such table/.test(errorMessage(error)) || !existsSync(join(folder, name))) return null;
      unreadable(name, error);
      return null;
    }
  }

  function isThere(view: OpenFile): boolean {
    try {
      return idOf(view.name) === view.id;
    } catch (error) {
      unreadable(view.name, error);
      return true;
    }
  }

  /** Drops files that were removed or whose name now belongs to another file: on a restart the writer sets a damaged file aside. */
  function dropGone(names: readonly string[]): void {
    const there = new Set(names);
    const gone = [...views.values()].filter(({ name }) => !there.has(name));
    // The writer names its files in order, so no name before one that still belongs to its file was given again.
    for (const name of names.toReversed()) {
      const view = views.get(name);
      if (!view) continue;
      if (isThere(view)) break;
      gone.push(view);
    }
    if (gone.length === 0) return;
    for (const view of gone) {
      views.delete(view.name);
      view.gone = true;
      if (view.users === 0) view.db.close();
    }
    if (highestOf(gone) > highestOf([...views.values()])) renumbered();
  }

  function refresh(): void {
    const names = logFiles(folder);
    dropGone(names);
    for (const name of names) {
      const view = views.get(name) ?? open(name);
      if (!view) continue;
      views.set(name, view);
      try {
        const version = Number(view.db.pragma('data_version', { simple: true }));
        if (version === view.version) continue;
        view.blocks = view.list();
        view.highest = view.blocks.reduce((most, { id }) => Math.max(most, id), view.highest);
        view.version = version;
      } catch (error) {
        unreadable(name, error);
      }
    }
    const share = Math.max(MIN_PAGES_KIB, Math.min(FILE_PAGES_KIB, Math.floor(PAGES_KIB / views.size)));
    if (share === pagesKib) return;
    pagesKib = share;
    for (const { db } of views.values()) db.pragma(`cache_size = -${pagesKib}`);
  }

  return {
    current() {
      refresh();
      return [...views.values()];
    },
    use(files) {
      // Given by `current`, so each is one of ours.
      const used = files as readonly OpenFile[];
      for (const file of used) file.users++;
      let released = false;
      return () => {
        if (released) return;
        released = true;
        for (const file of used) if (--file.users === 0 && file.gone) file.db.close();
      };
    },
    rest() {
      for (const { db } of views.values()) db.pragma('shrink_memory');
    },
    close() {
      for (const { db } of views.values()) db.close();
      views.clear();
    },
  };
}
