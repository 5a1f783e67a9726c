import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../../lib/fault.ts';
import { blockParts, isBroken, openBlock, type BlockParts, type StoredBlock } from '../blocks/block.ts';
import { PIECE_BYTES } from '../blocks/bloom.ts';
import { mayHaveNew } from '../../logsql/arrivals.ts';
import { createAnswers } from './answers.ts';
import { createCache, type Cache } from './cache.ts';
import { mayMatch } from './may-match.ts';
import { isDamage, logFiles, openForReading, PARTS, type BlockRow } from '../files/schema.ts';
import { missingOf, pieceSum, readState, rowSum, SUMMED_ROWS, type SummedRow } from '../files/sums.ts';
import type { BlockSource, ScanHints, StoreDamage } from '../port.ts';
import { blockTurns, type BlockTurns } from './block-turns.ts';
import { endOf, type SharedBlocks } from './shared-blocks.ts';

interface FileView {
  readonly name: string;
  readonly db: Database.Database;
  readonly parts: BlockParts;
  piece(id: number): Buffer | undefined;
  /** Changes with every commit of the writer. */
  version: number;
  blocks: readonly SummedRow[];
  /** All blocks and what the file says of them, as of one moment. */
  list(): readonly SummedRow[];
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
  blocks(hints: ScanHints, order: 'asc' | 'desc', late?: boolean): Iterable<StoredBlock>;
  /** One of them again; null: it cannot be read. */
  block(id: number): StoredBlock | null;
  /** Blocks that have lines of numbers above `arrived`. */
  since(arrived: number): Iterable<StoredBlock>;
  /** The number of the newest line. */
  readonly arrived: number;
  /** Lets another thread read some of the blocks that the first `blocks` has not given yet. Null: there are none. */
  share(of: Pick<SharedBlocks, 'wanted' | 'began'>): SharedBlocks | null;
  release(): void;
}

/** KiB of pages that SQLite keeps, for all files of a thread, and for one of them. */
const PAGES_KIB = 16 * 1024;
const FILE_PAGES_KIB = 1024;
const MIN_PAGES_KIB = 128;

/** What is remembered of search filters: a term takes as many bytes as there are blocks. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** A block turned out to be damaged while a query was reading it: the query begins anew, without it. */
class BrokenBlock extends Error {
  readonly tell: () => void;
  constructor(why: string, tell: () => void) {
    super(why);
    this.tell = tell;
  }
}

export interface Source {
  snapshot(): Snapshot;
  /** The blocks of another thread's query that this one takes. Null: they are out of reach here. */
  shared(blocks: SharedBlocks): Pick<Snapshot, 'blocks' | 'release'> | null;
  /** True where an error of a query means that a block is damaged. It is left out from now on: the query is to begin anew. */
  leavesOut(error: unknown): boolean;
  /** Reads all blocks with their filters, and gives the bytes of each. */
  verify(): Generator<number>;
  /** Gives memory back that only makes the next query quicker. */
  rest(): void;
  close(): void;
}

/** Reads the blocks of a folder while another thread writes them. `damaged` hears of each damage once. `read`: where their parts come from. */
export function openSource(
  folder: string,
  cacheBytes: number,
  damaged: (damage: StoreDamage) => void,
  read = blockParts,
): Source {
  const views = new Map<string, FileView>();
  const cache = createCache(cacheBytes);
  const answers = createAnswers(ANSWER_BYTES);
  const told = new Set<string>();
  let pagesKib = FILE_PAGES_KIB;
  /** Blocks that are damaged, by file and number. */
  const broken = new Set<string>();
  const tell = (damage: StoreDamage) => {
    const key = `${damage.file} ${damage.place} ${damage.lost}`;
    if (told.has(key)) return;
    told.add(key);
    damaged(damage);
  };
  const keyOf = (view: FileView, row: BlockRow) => `${view.name} ${row.id}`;
  function tellBlock(view: FileView, row: BlockRow, why: string): void {
    broken.add(keyOf(view, row));
    const what = `block ${row.id} is damaged (${why})`;
    tell({ file: view.name, place: `block ${row.id}`, what, from: row.t0, to: row.t1 + 1, lost: row.rows });
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
  function open(name: string): FileView | null {
    try {
      const db = openForReading(join(folder, name));
      db.pragma(`cache_size = -${pagesKib}`);
      const bloom = db.prepare<[number], Buffer>('SELECT data FROM bloom WHERE id = ?').pluck();
      const rows = db.prepare<[], SummedRow>(SUMMED_ROWS);
      let known = new Map<number, SummedRow>();
      return {
        list: db.transaction(() => {
          const all = rows.all();
          // A row that was checked is not checked again.
          const whole = all.filter((row) => known.get(row.id)?.crc === row.crc || rowSum(row) === row.crc);
          const missing = missingOf(readState(db), whole);
          if (missing) tell({ ...missing, file: name, place: 'blocks' });
          known = new Map(whole.map((row) => [row.id, row]));
          return whole;
        }),
        name,
        db,
        parts: read(db),
        piece(id) {
          const data = bloom.get(id);
          // Those of format 1 have no checksum.
          if (!Buffer.isBuffer(data)) return undefined;
          if (data.length === PIECE_BYTES) return data;
          const piece = data.subarray(0, PIECE_BYTES);
          if (data.length === PIECE_BYTES + 4 && pieceSum(id, piece) === data.readUInt32LE(PIECE_BYTES)) return piece;
          const block = Math.floor(id / PARTS);
          const what = `a search filter of block ${block} is damaged and not used`;
          tell({ file: name, place: `filter ${block}`, what, from: null, to: null, lost: 0 });
          return undefined;
        },
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
        view.blocks = view.list();
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
    late = false,
  ): StoredBlock | null {
    if (broken.has(keyOf(view, row))) return null;
    try {
      return may(view, row)
        ? openBlock(
            row,
            view.parts,
            cache,
            (why) => {
              throw new BrokenBlock(why, () => tellBlock(view, row, why));
            },
            late,
          )
        : null;
    } catch (error) {
      if (!isBroken(error)) throw error;
      tellBlock(view, row, errorMessage(error));
      return null;
    }
  }
  function* opened(
    found: Iterable<Stored>,
    may?: (view: FileView, row: BlockRow) => boolean,
    late?: boolean,
  ): Generator<StoredBlock> {
    for (const one of found) {
      const block = openOne(one, may, late);
      if (block === null) continue;
      try {
        yield block;
      } finally {
        block.letGo();
      }
    }
  }

  function releaseOf(used: readonly FileView[]): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      for (const view of used) if (--view.users === 0 && view.gone) view.db.close();
    };
  }

  return {
    snapshot() {
      cache.turn();
      refresh();
      const used = [...views.values()];
      const all = used.flatMap((view) => view.blocks.map((row) => ({ view, row })));
      for (const view of used) view.users++;
      let byId: Map<number, Stored> | null = null;
      let turns: BlockTurns<Stored> | null = null;
      return {
        arrived: all.reduce((most, { row }) => Math.max(most, row.s1), 0),
        blocks(hints, order, late) {
          const { from, to, arrivals } = hints;
          const found = all.filter(
            ({ row }) =>
              (from === null || row.t1 >= from) &&
              (to === null || row.t0 < to) &&
              (arrivals === undefined || mayHaveNew(row, arrivals)),
          );
          found.sort(
            order === 'desc'
              ? (a, b) => b.row.t1 - a.row.t1 || b.row.id - a.row.id
              : (a, b) => a.row.t0 - b.row.t0 || a.row.id - b.row.id,
          );
          const each = blockTurns(found);
          turns ??= each;
          return opened(each.blocks(), mayMatch(hints, answers), late);
        },
        share: (of) => turns?.share(of) ?? null,
        helped: () => (turns === null ? 0 : turns.helped()),
        since: (arrived) => opened(all.filter(({ row }) => row.s1 > arrived).sort((a, b) => a.row.s0 - b.row.s0)),
        block(id) {
          byId ??= new Map(all.map((one) => [one.row.id, one]));
          const one = byId.get(id);
          return one === undefined ? null : openOne(one);
        },
        release: releaseOf(used),
      };
    },
    shared(given) {
      cache.turn();
      refresh();
      const used = given.files.flatMap((name) => views.get(name) ?? []);
      // A file may have been removed meanwhile.
      if (used.length < given.files.length) return null;
      for (const view of used) view.users++;
      function* taken(): Generator<Stored> {
        for (const { file, row } of endOf(given)) yield { view: used[file] as FileView, row };
      }
      return {
        blocks: (hints, _order, late) => opened(taken(), mayMatch(hints, answers), late),
        release: releaseOf(used),
      };
    },
    leavesOut(error) {
      if (!(error instanceof BrokenBlock)) return false;
      error.tell();
      return true;
    },
    *verify() {
      // What was told before is told again.
      told.clear();
      refresh();
      for (const view of [...views.values()]) {
        for (const row of view.blocks) {
          // Nothing of it is kept, and what was kept is not asked.
          const fresh: Pick<Cache, 'get'> = { get: (_key, make) => make().value };
          let bytes = row.seal.length;
          const counted: BlockParts = {
            head: (id) => sized(view.parts.head(id)),
            part: (id) => sized(view.parts.part(id)),
          };
          const sized = (data: Buffer | undefined) => {
            bytes += data?.length ?? 0;
            return data;
          };
          try {
            const fail = (why: string): never => {
              throw new BrokenBlock(why, () => {});
            };
            const block = openBlock(row, counted, fresh, fail);
            void block.ms;
            void block.ns;
            void block.arrivals;
            for (const name of block.names) {
              if (name === '_stream_id') continue;
              const column = block.column(name);
              if (column?.kind === 'template') void column.numbers;
            }
            block.letGo();
          } catch (error) {
            const isGone =
              view.gone || (view.parts.head(row.id) === undefined && !view.list().some(({ id }) => id === row.id));
            // It was merged meanwhile.
            if (isGone) continue;
            if (!(error instanceof BrokenBlock) && !isBroken(error)) throw error;
            tellBlock(view, row, errorMessage(error));
          }
          for (let n = 0; n < row.pieces; n++) bytes += view.piece(row.id * PARTS + n)?.length ?? 0;
          yield bytes;
        }
      }
    },
    rest() {
      cache.clear();
      answers.clear();
      for (const { db } of views.values()) db.pragma('shrink_memory');
    },
    close() {
      for (const view of views.values()) view.db.close();
      views.clear();
    },
  };
}
