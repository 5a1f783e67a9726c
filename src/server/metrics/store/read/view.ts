import { BoundedMap } from '../../../../lib/bounded-map.ts';
import type Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { openCatalog, type Catalog } from '../files/catalog.ts';
import { decodeStats, statsOf, type FieldStats } from '../files/chunk.ts';
import { countIn, hasColumn, hasTies, openHead } from '../files/head-db.ts';
import type { RollBlock } from '../files/read-rolls.ts';
import type { FieldType, MetricDamage } from '../port.ts';
import type { Pack, PackedChunk } from '../files/pack.ts';
import { openPartition, PART_MS, wholePart, type ChunkRecord } from '../files/partition.ts';
import { Rows } from '../files/rows.ts';
import { CHUNKS_WRITTEN, SERIES_ROW } from '../files/series-book.ts';
import { chunkSum, type SeriesRow, type SummedChunk } from '../files/sums.ts';
import { entryDamage, takeEntry, type Entry } from '../files/wal.ts';
import { decodedChunk, lacksChunks } from '../write/compact.ts';
import { createBlockMemory, openPacks, openRollBlocks, type FindBlock } from './blocks.ts';
import { createSettledMemory, type FindSettled } from './settled.ts';

/** A chunk without its data. */
export interface ToldChunk extends Pick<ChunkRecord, 't0' | 't1' | 'job0'> {
  /** What it says of its fields; null: it is damaged. */
  stats(): FieldStats[] | null;
}

export interface ReadChunk extends Pick<ChunkRecord, 't0' | 't1' | 'n' | 'crc' | 'data'> {
  /** Where it lies in its file, for people. */
  readonly place: string;
}

/** A partition as a reader has it open. */
export interface OpenPart {
  readonly bucket: number;
  readonly start: number;
  readonly db: Database.Database;
  /** Chunks of a series between two times in the order of writing; with a job id only those that may have it. */
  chunks(series: number, from: number, to: number, job: string | null): ReadChunk[];
  /** The same without their data: what they say of themselves. */
  told(series: number, from: number, to: number): ToldChunk[];
  /** The two newest of a series by time, without their data. */
  newest(series: number): ToldChunk[];
  readonly settled: FindSettled;
  readonly rollBlock: FindBlock<RollBlock>;
  readonly pack: FindBlock<Pack>;
  /** Points are still there; else only roll-ups. */
  readonly raw: boolean;
  /** Its chunks have all that the head holds of it: the head was read before they were made. */
  readonly ahead: boolean;
}

/** What is committed, for one query: the sealed partitions, and the rows that are not sealed. */
export interface View {
  readonly catalog: Catalog;
  /** Takes in what was committed since. To be called before a query. */
  refresh(): void;
  /** Partitions of a bucket that may hold something from `from` to before `to`, oldest first. */
  parts(bucket: number, from: number, to: number): Iterable<OpenPart>;
  /** Unsealed rows of a series, in the order of their writing. */
  unsealed(series: number): Rows | null;
  /** Series that have unsealed rows. */
  readonly open: ReadonlyMap<number, Rows>;
  damaged(damage: MetricDamage): void;
  close(): void;
}

/** Read handles that are kept open: of a month. Where a range has more, each series opens them anew. Each takes three files. */
const OPEN = 400;

export function openView(folder: string, damaged: (damage: MetricDamage) => void): View {
  const head = openHead(folder, true);
  const catalog = openCatalog(head, damaged);
  const sealedNow = head.prepare<[], number>("SELECT value FROM meta WHERE name = 'sealed'").pluck();
  const entries = head.prepare<[number], Entry>(
    `SELECT id, kind, rows, data, ${hasTies(head, 'wal') ? 'tie' : 'NULL AS tie'} FROM wal WHERE id > ? ORDER BY id`,
  );
  const partRows = head.prepare<[], { bucket: number; start: number }>('SELECT bucket, start FROM part ORDER BY start');
  const settledIn = createSettledMemory();
  const rollBlocksIn = createBlockMemory(openRollBlocks);
  const packsIn = createBlockMemory(openPacks);
  const typeOf = (field: number): FieldType => catalog.fields.get(field)?.type ?? 'float';
  const handles = new BoundedMap<string, Handle>(OPEN, ({ db }) => db.close());
  let rows = new Map<number, Rows>();
  let sealed = 0;
  let last = 0;
  let listed: { bucket: number; start: number }[] = [];

  const read = head.transaction(() => {
    catalog.refresh();
    const now = sealedNow.get() ?? 0;
    if (now !== sealed) {
      rows = new Map();
      sealed = last = now;
    }
    for (const entry of entries.iterate(last)) {
      // They follow each other: one that is not there was lost.
      if (entry.tie !== null && last > 0 && entry.id !== last + 1)
        damaged(
          entryDamage(
            last + 1,
            `entries ${last + 1} to ${entry.id - 1} of the points that were written last are missing`,
          ),
        );
      last = entry.id;
      const whole = takeEntry(
        entry,
        (field) => catalog.fields.get(field)?.type ?? 'float',
        (series) => {
          let one = rows.get(series);
          if (!one) rows.set(series, (one = new Rows()));
          return one;
        },
      );
      if (!whole) damaged(entryDamage(entry.id));
    }
    listed = partRows.all();
  });

  function handle(bucket: number, start: number): Handle | null {
    const name = `${bucket}/${start}`;
    let one = handles.get(name);
    // The writer has given it packs since.
    if (one && !one.hasPacks && hasColumn(one.db, 'series', 'pack')) {
      one.db.close();
      one = undefined;
    }
    if (!one) {
      try {
        const db = openPartition(folder, bucket, start, true);
        const hasPacks = hasColumn(db, 'series', 'pack');
        const pack = hasPacks ? packsIn(db) : () => null;
        const told = (series: number | null, what: string) =>
          damaged(wholePart(bucket, start, what, series === null ? 'packs' : `series ${series}`));
        const chunks = handleOf(db, hasPacks, pack, typeOf, told);
        one = { ...chunks, hasPacks, pack, settled: settledIn(db, hasPacks), rollBlock: rollBlocksIn(db) };
      } catch (error) {
        damaged(wholePart(bucket, start, `the file cannot be opened (${errorMessage(error)})`));
        return null;
      }
    }
    handles.set(name, one);
    return one;
  }

  return {
    catalog,
    damaged,
    refresh() {
      read();
      const names = new Set(listed.map(({ bucket, start }) => `${bucket}/${start}`));
      for (const [name, { db }] of handles) {
        if (names.has(name)) continue;
        db.close();
        handles.delete(name);
      }
    },
    *parts(bucket, from, to) {
      for (const part of listed) {
        if (part.bucket !== bucket || part.start >= to || part.start + PART_MS <= from) continue;
        const one = handle(part.bucket, part.start);
        if (!one) continue;
        try {
          one.checkPacked();
          yield {
            ...part,
            db: one.db,
            chunks: one.chunks,
            told: one.told,
            newest: one.newest,
            settled: one.settled,
            rollBlock: one.rollBlock,
            pack: one.pack,
            raw: one.meta('raw') !== 0,
            ahead: one.meta('sealed') > sealed,
          };
        } catch (error) {
          if (!errorCode(error)?.startsWith('SQLITE_')) throw error;
          damaged(wholePart(part.bucket, part.start, `the file cannot be read (${errorMessage(error)})`));
        }
      }
    },
    unsealed: (series) => rows.get(series) ?? null,
    get open() {
      return rows;
    },
    close() {
      for (const { db } of handles.values()) db.close();
      head.close();
    },
  };
}

interface Handle extends PartReader, Pick<OpenPart, 'settled' | 'rollBlock' | 'pack'> {
  /** False: it is of an earlier format. */
  readonly hasPacks: boolean;
}

interface PartReader extends Pick<OpenPart, 'db' | 'chunks' | 'told' | 'newest'> {
  meta(name: string): number;
  /** Tells of series that are in packs and are not known any more. */
  checkPacked(): void;
}

/** A chunk without its data as it is found, in a row of its own or in a pack. */
interface Found extends ToldChunk, Omit<ReadChunk, 'data'> {
  readonly job1: string | null;
  data(): Uint8Array;
}

/**
 * `damaged` hears of a series whose chunks are not what the partition says they are (null: of those that are in packs); of a
 * damaged chunk only the others are given.
 */
function handleOf(
  db: Database.Database,
  hasPacks: boolean,
  pack: FindBlock<Pack>,
  typeOf: (field: number) => FieldType,
  damaged: (series: number | null, what: string) => void,
): PartReader {
  const summed = hasTies(db, 'chunk');
  const heads = db.prepare<[number], Head>(
    summed
      ? CHUNKS_WRITTEN
      : 'SELECT id, sid, t0, t1, n, crc, job0, job1, stats, 0 AS tie FROM chunk WHERE sid = ? ORDER BY id',
  );
  const rowOf = summed
    ? db.prepare<[number], SeriesRow>(
        hasPacks ? SERIES_ROW : 'SELECT sid, rolled, 0 AS pack, chunks, sum, tie FROM series WHERE sid = ?',
      )
    : null;
  const dataOf = db.prepare<[number], Uint8Array>('SELECT data FROM chunk WHERE id = ?').pluck();
  const meta = db.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const version = db.prepare<[], number>('SELECT data_version FROM pragma_data_version').pluck();
  let checked: number | undefined;

  const foundRow = (head: Head): Found => ({
    ...head,
    place: `chunk ${head.id}`,
    stats: () => decodeStats(head.stats),
    data: () => dataOf.get(head.id) ?? NO_DATA,
  });
  const foundPacked = (id: number, series: number, { t0, t1, n, crc, data }: PackedChunk): Found => ({
    ...{ t0, t1, n, crc, job0: null, job1: null },
    place: `series ${series} in pack ${id}`,
    stats() {
      const rows = decodedChunk({ crc, data }, typeOf, null);
      return rows && statsOf(rows);
    },
    data: () => data,
  });
  // At once: a chunk that goes into a pack meanwhile is in both, or in none.
  const of = db.transaction((series: number): Found[] => {
    const all = heads.all(series);
    const row = rowOf?.get(series);
    if (rowOf === null || (row === undefined && all.length === 0)) return all.map(foundRow);
    const whole = all.filter((head) => chunkSum(head) === head.tie);
    const packed = row === undefined || row.pack === 0 ? null : (pack(row.pack)?.of(series) ?? []);
    if (row === undefined || packed?.length === 0 || lacksChunks(row, whole))
      damaged(series, `points of series ${series} are missing or damaged`);
    // What is in a pack was written before all that is not.
    return [...(packed ?? []).map((chunk) => foundPacked(row?.pack ?? 0, series, chunk)), ...whole.map(foundRow)];
  });
  return {
    db,
    chunks: db.transaction((series: number, from: number, to: number, job: string | null) =>
      of(series)
        .filter(
          ({ t0, t1, job0, job1 }) =>
            t1 >= from && t0 < to && (job === null || (job0 !== null && job1 !== null && job0 <= job && job1 >= job)),
        )
        .map(({ place, t0, t1, n, crc, data }) => ({ place, t0, t1, n, crc, data: data() })),
    ),
    told: (series, from, to) => of(series).filter(({ t0, t1 }) => t1 >= from && t0 < to),
    newest: (series) =>
      of(series)
        .toSorted((a, b) => b.t1 - a.t1)
        .slice(0, 2),
    meta: (name) => meta.get(name) ?? 0,
    checkPacked() {
      if (!hasPacks) return;
      const now = version.get();
      if (now === checked) return;
      checked = now;
      if (countIn(db, LOST_FROM_PACKS) !== 0) damaged(null, 'series whose points are in packs are missing or damaged');
    },
  };
}

/** The ids of the series that are in packs, added up, and what they should come to. */
const LOST_FROM_PACKS =
  "SELECT coalesce((SELECT value FROM meta WHERE name = 'packed'), 0) - (SELECT coalesce(sum(sid), 0) FROM series WHERE pack > 0)";
const NO_DATA = new Uint8Array(0);
type Head = SummedChunk & { readonly tie: number };
