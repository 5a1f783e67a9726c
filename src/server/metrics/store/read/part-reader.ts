import type Database from 'better-sqlite3';
import { decodeStats } from '../files/chunk.ts';
import { fieldsIn, lastIn } from '../files/chunk-fields.ts';
import { countIn, hasTies } from '../files/head-db.ts';
import { isWhole, type Pack, type PackedChunk } from '../files/pack.ts';
import type { ChunkRecord } from '../files/partition.ts';
import { CHUNKS_WRITTEN, SERIES_ROW } from '../files/series-book.ts';
import { chunkSum, type SeriesRow, type SummedChunk } from '../files/sums.ts';
import type { FieldType } from '../port.ts';
import { lacksChunks } from '../write/compact.ts';
import type { FindBlock } from './blocks.ts';

/** `ns`: nanoseconds below the millisecond. */
export interface LastValue {
  readonly ms: number;
  readonly ns: number;
  readonly value: number;
}

/** A chunk without its data. */
export interface ToldChunk extends Pick<ChunkRecord, 't0' | 't1' | 'job0'> {
  /** The fields that its rows have; null: it is damaged. */
  fields(): readonly number[] | null;
  /** The last value of a field; null: only its rows can tell. */
  last(field: number): LastValue | null;
}

export interface ReadChunk extends Pick<ChunkRecord, 't0' | 't1' | 'n' | 'crc' | 'data'> {
  /** Where it lies in its file, for people. */
  readonly place: string;
}

/** The chunks of a partition by series, those in packs and those beside them. */
export interface SeriesChunks {
  /** Chunks of a series between two times in the order of writing; with a job id only those that may have it. */
  chunks(series: number, from: number, to: number, job: string | null): ReadChunk[];
  /** The same without their data: what they say of themselves. */
  told(series: number, from: number, to: number): ToldChunk[];
  /** The two newest of a series by time, without their data. */
  newest(series: number): ToldChunk[];
}

export interface PartReader extends SeriesChunks {
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
 * damaged chunk only the others are given. `hasPacks`: false as long as the partition is of an earlier format.
 */
export function openPartReader(
  db: Database.Database,
  hasPacks: () => boolean,
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
  const rowBefore = summed
    ? db.prepare<[number], SeriesRow>('SELECT sid, rolled, 0 AS pack, chunks, sum, tie FROM series WHERE sid = ?')
    : null;
  let rowNow: Database.Statement<[number], SeriesRow> | null = null;
  const dataOf = db.prepare<[number], Uint8Array>('SELECT data FROM chunk WHERE id = ?').pluck();
  const meta = db.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const version = db.prepare<[], number>('SELECT data_version FROM pragma_data_version').pluck();
  let checked: number | undefined;
  let hasLost = false;

  const foundRow = (head: Head): Found => ({
    ...head,
    place: `chunk ${head.id}`,
    fields: () => decodeStats(head.stats).map(({ field }) => field),
    last(field) {
      const one = decodeStats(head.stats).find((stats) => stats.field === field);
      return one && !one.rounded ? { ms: one.lastMs, ns: one.lastNs, value: one.last } : null;
    },
    data: () => dataOf.get(head.id) ?? NO_DATA,
  });
  const foundPacked = (id: number, series: number, { t0, t1, n, crc, data }: PackedChunk): Found => ({
    ...{ t0, t1, n, crc, job0: null, job1: null },
    place: `series ${series} in pack ${id}`,
    fields: () => (isWhole({ crc, data }) ? fieldsIn(data) : null),
    last(field) {
      const one = typeOf(field) !== 'string' && isWhole({ crc, data }) ? lastIn(data, field) : null;
      return one && { ...one, ns: 0 };
    },
    data: () => data,
  });
  // At once: a chunk that goes into a pack meanwhile is in both, or in none.
  const of = db.transaction((series: number, withPacked: boolean): Found[] => {
    const all = heads.all(series);
    const rowOf = hasPacks() ? (rowNow ??= db.prepare<[number], SeriesRow>(SERIES_ROW)) : rowBefore;
    const row = rowOf?.get(series);
    if (rowOf === null || (row === undefined && all.length === 0)) return all.map(foundRow);
    const whole = all.filter((head) => chunkSum(head) === head.tie);
    const packed = !withPacked || row === undefined || row.pack === 0 ? null : (pack(row.pack)?.of(series) ?? []);
    if (row === undefined || packed?.length === 0 || lacksChunks(row, whole))
      damaged(series, `points of series ${series} are missing or damaged`);
    // What is in a pack was written before all that is not.
    return [...(packed ?? []).map((chunk) => foundPacked(row?.pack ?? 0, series, chunk)), ...whole.map(foundRow)];
  });
  return {
    chunks: db.transaction((series: number, from: number, to: number, job: string | null) =>
      // Those in packs have no owner.
      of(series, job === null)
        .filter(
          ({ t0, t1, job0, job1 }) =>
            t1 >= from && t0 < to && (job === null || (job0 !== null && job1 !== null && job0 <= job && job1 >= job)),
        )
        .map(({ place, t0, t1, n, crc, data }) => ({ place, t0, t1, n, crc, data: data() })),
    ),
    told: (series, from, to) => of(series, true).filter(({ t0, t1 }) => t1 >= from && t0 < to),
    newest: (series) =>
      of(series, true)
        .toSorted((a, b) => b.t1 - a.t1)
        .slice(0, 2),
    meta: (name) => meta.get(name) ?? 0,
    checkPacked() {
      if (!hasPacks()) return;
      const now = version.get();
      if (now !== checked) hasLost = countIn(db, LOST_FROM_PACKS) !== 0;
      checked = now;
      // Each query is to hear of it.
      if (hasLost) damaged(null, 'series whose points are in packs are missing or damaged');
    },
  };
}

/** The ids of the series that are in packs, added up, and what they should come to. */
const LOST_FROM_PACKS =
  "SELECT coalesce((SELECT value FROM meta WHERE name = 'packed'), 0) - (SELECT coalesce(sum(sid), 0) FROM series WHERE pack > 0)";
const NO_DATA = new Uint8Array(0);
type Head = SummedChunk & { readonly tie: number };
