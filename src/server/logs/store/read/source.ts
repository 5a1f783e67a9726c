import { errorMessage } from '../../../../lib/errors.ts';
import { blockParts, isBroken, openBlock, type BlockParts, type StoredBlock } from '../blocks/block.ts';
import { mayHaveNew } from '../../logsql/arrivals.ts';
import { type Answers, createAnswers } from './answers.ts';
import { createCache, type Cache } from './cache.ts';
import { openFileViews, type FileView } from './file-views.ts';
import { mayMatch } from './may-match.ts';
import { PARTS, type BlockRow } from '../files/schema.ts';
import type { BlockSource, ScanHints, StoreDamage } from '../port.ts';
import { blockTurns, type BlockTurns } from './block-turns.ts';
import { endOf, type SharedBlocks } from './shared-blocks.ts';

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

/** What is remembered of search filters: a term takes as many bytes as there are blocks. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** Caches nothing. */
const NOTHING_KEPT: Pick<Cache, 'get'> = { get: (_key, make) => make().value };

/** A block turned out to be damaged while a query was reading it: the query begins anew, without it. */
class BrokenBlock extends Error {
  readonly tell: () => void;
  constructor(why: string, tell: () => void) {
    super(why);
    this.tell = tell;
  }
}

/** What is remembered of blocks, by their numbers. */
interface Known {
  readonly cache: Cache;
  readonly answers: Answers;
  /** Those that are damaged, by file and number. */
  readonly broken: Set<string>;
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
  const nothingKnown = (): Known => ({
    cache: createCache(cacheBytes),
    answers: createAnswers(ANSWER_BYTES),
    broken: new Set(),
  });
  /** A query goes on with what was known as it began: the numbers of its blocks may be those of others by now. */
  let known = nothingKnown();
  const told = new Set<string>();
  const tell = (damage: StoreDamage, id = damage.file) => {
    const key = `${id} ${damage.place} ${damage.lost}`;
    if (told.has(key)) return;
    told.add(key);
    damaged(damage);
  };
  const files = openFileViews(folder, {
    read,
    tell,
    renumbered() {
      known = nothingKnown();
    },
  });
  const keyOf = (view: FileView, row: BlockRow) => `${view.name} ${row.id}`;
  function tellBlock({ broken }: Known, view: FileView, row: BlockRow, why: string): void {
    broken.add(keyOf(view, row));
    const what = `block ${row.id} is damaged (${why})`;
    tell({ file: view.name, place: `block ${row.id}`, what, from: row.t0, to: row.t1 + 1, lost: row.rows }, view.id);
  }

  /** Null: it cannot be read, or `may` says that there is no need to. */
  function openOne(
    own: Known,
    { view, row }: Stored,
    may: (view: FileView, row: BlockRow) => boolean = () => true,
    late = false,
  ): StoredBlock | null {
    if (own.broken.has(keyOf(view, row))) return null;
    try {
      return may(view, row)
        ? openBlock(
            row,
            view.parts,
            own.cache,
            (why) => {
              throw new BrokenBlock(why, () => tellBlock(own, view, row, why));
            },
            late,
          )
        : null;
    } catch (error) {
      if (!isBroken(error)) throw error;
      tellBlock(own, view, row, errorMessage(error));
      return null;
    }
  }
  function* opened(
    own: Known,
    found: Iterable<Stored>,
    may?: (view: FileView, row: BlockRow) => boolean,
    late?: boolean,
  ): Generator<StoredBlock> {
    for (const one of found) {
      const block = openOne(own, one, may, late);
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
      const used = files.current();
      const own = known;
      own.cache.turn();
      const all = used.flatMap((view) => view.blocks.map((row) => ({ view, row })));
      const release = files.use(used);
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
          return opened(own, each.blocks(), mayMatch(hints, own.answers), late);
        },
        share: (of) => turns?.share(of) ?? null,
        helped: () => (turns === null ? 0 : turns.helped()),
        since: (arrived) =>
          opened(
            own,
            all.filter(({ row }) => row.s1 > arrived).sort((a, b) => a.row.s0 - b.row.s0),
          ),
        block(id) {
          byId ??= new Map(all.map((one) => [one.row.id, one]));
          const one = byId.get(id);
          return one === undefined ? null : openOne(own, one);
        },
        release,
      };
    },
    shared(given) {
      const views = new Map(files.current().map((view) => [view.id, view]));
      const own = known;
      own.cache.turn();
      const used = given.files.flatMap((id) => views.get(id) ?? []);
      // A file may have been removed meanwhile.
      if (used.length < given.files.length) return null;
      const release = files.use(used);
      function* taken(): Generator<Stored> {
        for (const { file, row } of endOf(given)) yield { view: used[file] as FileView, row };
      }
      return {
        blocks: (hints, _order, late) => opened(own, taken(), mayMatch(hints, own.answers), late),
        release,
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
      const views = files.current();
      const own = known;
      for (const view of views) {
        for (const row of view.blocks) {
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
            const block = openBlock(row, counted, NOTHING_KEPT, fail);
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
            tellBlock(own, view, row, errorMessage(error));
          }
          for (let n = 0; n < row.pieces; n++) bytes += view.piece(row.id * PARTS + n)?.length ?? 0;
          yield bytes;
        }
      }
    },
    rest() {
      known.cache.clear();
      known.answers.clear();
      files.rest();
    },
    close: () => files.close(),
  };
}
