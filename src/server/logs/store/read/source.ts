import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../../lib/fault.ts';
import { blockParts, isBroken, openBlock, type BlockParts, type StoredBlock } from '../blocks/block.ts';
import { fieldSeed, hashOf, mayHold, pieceOf, VALUE_BYTES, wordHashes } from '../blocks/bloom.ts';
import { createCache } from './cache.ts';
import { isDamage, logFiles, openForReading, PARTS, type BlockRow } from '../files/schema.ts';
import type { BlockSource, ScanHints } from '../port.ts';
import { bytesOf } from '../blocks/rows.ts';

interface FileView {
  readonly name: string;
  readonly db: Database.Database;
  readonly parts: BlockParts;
  piece(id: number): Buffer | undefined;
  /** Changes with every commit of the writer. */
  version: number;
  blocks: readonly BlockRow[];
  /** Snapshots that use the file. */
  users: number;
  gone: boolean;
}

/** A block's row in its file. */
interface Stored {
  readonly view: FileView;
  readonly row: BlockRow;
}

/** What was committed at one moment. Give it back with `release`. */
export interface Snapshot extends BlockSource {
  blocks(hints: ScanHints, order: 'asc' | 'desc'): Iterable<StoredBlock>;
  /** One of them again; null: it cannot be read. */
  block(id: number): StoredBlock | null;
  /** Blocks that have lines of numbers above `arrived`. */
  since(arrived: number): Iterable<StoredBlock>;
  /** The number of the newest line. */
  readonly arrived: number;
  release(): void;
}

/** KiB of pages that SQLite keeps, for all files of a thread, and for one of them. */
const PAGES_KIB = 16 * 1024;
const FILE_PAGES_KIB = 1024;
const MIN_PAGES_KIB = 128;

export interface Source {
  snapshot(): Snapshot;
  /** Gives memory back that only makes the next query quicker. */
  rest(): void;
  close(): void;
}

/** Reads the blocks of a folder while another thread writes them. `damaged` hears of each broken block once. `read`: where their parts come from. */
export function openSource(
  folder: string,
  cacheBytes: number,
  damaged: (line: string) => void,
  read = blockParts,
): Source {
  const views = new Map<string, FileView>();
  const cache = createCache(cacheBytes);
  const told = new Set<string>();
  let pagesKib = FILE_PAGES_KIB;
  const tell = (key: string, line: string) => {
    if (told.has(key)) return;
    told.add(key);
    damaged(line);
  };

  /** Lines of a damaged file are lost; those of one that is only out of reach now must not seem to be. */
  function unreadable(name: string, error: unknown): void {
    const why = errorMessage(error);
    if (!isDamage(error))
      throw new Fault('STORE_UNAVAILABLE', `the log file ${name} cannot be read now (${why}): try again in a moment`, {
        cause: error,
      });
    tell(name, `the log file ${name} cannot be read (${why}); its lines cannot be searched`);
  }
  function open(name: string): FileView | null {
    try {
      const db = openForReading(join(folder, name));
      db.pragma(`cache_size = -${pagesKib}`);
      const bloom = db.prepare<[number], Buffer>('SELECT data FROM bloom WHERE id = ?').pluck();
      return {
        name,
        db,
        parts: read(db),
        piece: (id) => bloom.get(id),
        version: -1,
        blocks: [],
        users: 0,
        gone: false,
      };
    } catch (error) {
      // A file that is only just being made has no tables yet; one that was removed is gone.
      if (/no such table/.test(errorMessage(error)) || !existsSync(join(folder, name))) return null;
      unreadable(name, error);
      return null;
    }
  }
  function refresh(): void {
    const names = new Set(logFiles(folder));
    for (const [name, view] of views) {
      if (names.has(name)) continue;
      views.delete(name);
      view.gone = true;
      if (view.users === 0) view.db.close();
    }
    for (const name of names) {
      const view = views.get(name) ?? open(name);
      if (!view) continue;
      views.set(name, view);
      try {
        const version = Number(view.db.pragma('data_version', { simple: true }));
        if (version === view.version) continue;
        view.blocks = view.db
          .prepare<[], BlockRow>(
            'SELECT id, t0, t1, s0, s1, rows, bytes, pieces, hot, born FROM blk WHERE dead IS NULL',
          )
          .all();
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

  /** Null: it cannot be read, or `may` says that there is no need to. */
  function openOne(
    { view, row }: Stored,
    may: (view: FileView, row: BlockRow) => boolean = () => true,
  ): StoredBlock | null {
    const report = (why: string) =>
      tell(
        `${row.id}`,
        `block ${row.id} of the log file ${view.name} is damaged (${why}); the block is skipped, or shown without the damaged field`,
      );
    try {
      return may(view, row) ? openBlock(row, view.parts, cache, report) : null;
    } catch (error) {
      if (!isBroken(error)) throw error;
      report(errorMessage(error));
      return null;
    }
  }
  function* opened(found: readonly Stored[], may?: (view: FileView, row: BlockRow) => boolean): Generator<StoredBlock> {
    for (const one of found) {
      const block = openOne(one, may);
      if (block === null) continue;
      try {
        yield block;
      } finally {
        block.letGo();
      }
    }
  }

  return {
    snapshot() {
      cache.turn();
      refresh();
      const used = [...views.values()];
      const all = used.flatMap((view) => view.blocks.map((row) => ({ view, row })));
      for (const view of used) view.users++;
      let byId: Map<number, Stored> | null = null;
      let released = false;
      return {
        arrived: all.reduce((most, { row }) => Math.max(most, row.s1), 0),
        blocks(hints, order) {
          const { from, to } = hints;
          const found = all.filter(({ row }) => (from === null || row.t1 >= from) && (to === null || row.t0 < to));
          found.sort(
            order === 'desc'
              ? (a, b) => b.row.t1 - a.row.t1 || b.row.id - a.row.id
              : (a, b) => a.row.t0 - b.row.t0 || a.row.id - b.row.id,
          );
          return opened(found, filterBy(hints));
        },
        since: (arrived) => opened(all.filter(({ row }) => row.s1 > arrived).sort((a, b) => a.row.s0 - b.row.s0)),
        block(id) {
          byId ??= new Map(all.map((one) => [one.row.id, one]));
          const one = byId.get(id);
          return one === undefined ? null : openOne(one);
        },
        release() {
          if (released) return;
          released = true;
          for (const view of used) if (--view.users === 0 && view.gone) view.db.close();
        },
      };
    },
    rest() {
      cache.clear();
      for (const { db } of views.values()) db.pragma('shrink_memory');
    },
    close() {
      for (const view of views.values()) view.db.close();
      views.clear();
    },
  };
}

/** False for a block whose filter says that no row can match. */
function filterBy(hints: ScanHints): (view: FileView, row: BlockRow) => boolean {
  const all: number[][] = hints.words.flatMap((word) => wordHashes(bytesOf(word)).map((hash) => [hash]));
  for (const { field, anyOf } of hints.equal) {
    if (field === '_msg' || field === '_time' || field === '_stream_id') continue;
    const values = anyOf.map(bytesOf);
    if (values.every((value) => value !== '' && value.length <= VALUE_BYTES))
      all.push(values.map((value) => hashOf(value, fieldSeed(bytesOf(field)))));
  }
  if (all.length === 0) return () => true;
  return (view, { id, pieces }) => {
    if (pieces === 0) return true;
    return all.every((anyOf) =>
      anyOf.some((hash) => {
        const piece = view.piece(id * PARTS + pieceOf(hash, pieces));
        return piece === undefined || mayHold(piece, hash);
      }),
    );
  };
}
