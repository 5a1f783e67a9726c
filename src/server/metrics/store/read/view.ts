import { BoundedMap } from '../../../../lib/bounded-map.ts';
import type Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { openCatalog, type Catalog } from '../files/catalog.ts';
import { hasTies, openHead } from '../files/head-db.ts';
import type { MetricDamage } from '../port.ts';
import { openPartition, PART_MS, wholePart, type ChunkRecord } from '../files/partition.ts';
import { Rows } from '../files/rows.ts';
import { CHUNKS_WRITTEN, SERIES_ROW } from '../files/series-book.ts';
import { chunkSum, type SeriesRow, type SummedChunk } from '../files/sums.ts';
import { entryDamage, takeEntry, type Entry } from '../files/wal.ts';
import { lacksChunks } from '../write/compact.ts';
import { createRollBlockMemory, type FindRollBlock } from './roll-blocks.ts';
import { createRolledMemory, type FindRolled } from './rolled.ts';

/** A partition as a reader has it open. */
export interface OpenPart {
  readonly bucket: number;
  readonly start: number;
  readonly db: Database.Database;
  /** Chunks of a series between two times in the order of writing; with a job id only those that may have it. */
  chunks(
    series: number,
    from: number,
    to: number,
    job: string | null,
  ): Pick<ChunkRecord, 'id' | 't0' | 't1' | 'n' | 'crc' | 'data'>[];
  /** The same without their data: what they say of themselves. */
  told(series: number, from: number, to: number): Pick<ChunkRecord, 'id' | 't0' | 't1' | 'job0' | 'stats'>[];
  /** The two newest of a series by time, without their data. */
  newest(series: number): Pick<ChunkRecord, 't0' | 't1' | 'job0' | 'stats'>[];
  readonly rolled: FindRolled;
  readonly rollBlock: FindRollBlock;
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
  const rolledIn = createRolledMemory();
  const rollBlocksIn = createRollBlockMemory();
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
    if (!one) {
      try {
        const db = openPartition(folder, bucket, start, true);
        const chunks = handleOf(db, (series, what) => damaged(wholePart(bucket, start, what, `series ${series}`)));
        one = { ...chunks, rolled: rolledIn(db), rollBlock: rollBlocksIn(db) };
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
          yield {
            ...part,
            db: one.db,
            chunks: one.chunks,
            told: one.told,
            newest: one.newest,
            rolled: one.rolled,
            rollBlock: one.rollBlock,
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

type Handle = PartReader & Pick<OpenPart, 'rolled' | 'rollBlock'>;

interface PartReader extends Pick<OpenPart, 'db' | 'chunks' | 'told' | 'newest'> {
  meta(name: string): number;
}

/** `damaged` hears of a series whose chunks are not what the partition says they are; of a damaged chunk only the others are given. */
function handleOf(db: Database.Database, damaged: (series: number, what: string) => void): PartReader {
  const summed = hasTies(db, 'chunk');
  const heads = db.prepare<[number], Head>(
    summed
      ? CHUNKS_WRITTEN
      : 'SELECT id, sid, t0, t1, n, crc, job0, job1, stats, 0 AS tie FROM chunk WHERE sid = ? ORDER BY id',
  );
  const rowOf = summed ? db.prepare<[number], SeriesRow>(SERIES_ROW) : null;
  const dataOf = db.prepare<[number], Uint8Array>('SELECT data FROM chunk WHERE id = ?').pluck();
  const meta = db.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const of = (series: number): Head[] => {
    const all = heads.all(series);
    const row = rowOf?.get(series);
    if (rowOf === null || (row === undefined && all.length === 0)) return all;
    const whole = all.filter((head) => chunkSum(head) === head.tie);
    if (row === undefined || lacksChunks(row, whole))
      damaged(series, `points of series ${series} are missing or damaged`);
    return whole;
  };
  return {
    db,
    chunks: (series, from, to, job) =>
      of(series)
        .filter(
          ({ t0, t1, job0, job1 }) =>
            t1 >= from && t0 < to && (job === null || (job0 !== null && job1 !== null && job0 <= job && job1 >= job)),
        )
        .map((head) => ({ ...head, data: dataOf.get(head.id) ?? NO_DATA })),
    told: (series, from, to) => of(series).filter(({ t0, t1 }) => t1 >= from && t0 < to),
    newest: (series) =>
      of(series)
        .toSorted((a, b) => b.t1 - a.t1)
        .slice(0, 2),
    meta: (name) => meta.get(name) ?? 0,
  };
}

const NO_DATA = new Uint8Array(0);
type Head = SummedChunk & { readonly tie: number };
