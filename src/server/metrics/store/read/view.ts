import { BoundedMap } from '../../../../lib/bounded-map.ts';
import type Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { openCatalog, type Catalog } from '../files/catalog.ts';
import { openHead } from '../files/head-db.ts';
import { openPartition, PART_MS, type ChunkRecord } from '../files/partition.ts';
import { Rows } from '../files/rows.ts';
import { readWal, WAL_ROWS } from '../files/wal.ts';

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
  ): Pick<ChunkRecord, 'id' | 'n' | 'crc' | 'data'>[];
  /** The same without their data: what they say of themselves. */
  told(series: number, from: number, to: number): Pick<ChunkRecord, 'id' | 't0' | 't1' | 'job0' | 'stats'>[];
  /** The two newest of a series by time, without their data. */
  newest(series: number): Pick<ChunkRecord, 't0' | 't1' | 'job0' | 'stats'>[];
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
  damaged(what: string): void;
  close(): void;
}

/** Read handles that are kept open: of a month. Where a range has more, each series opens them anew. Each takes three files. */
const OPEN = 400;

export function openView(folder: string, damaged: (what: string) => void): View {
  const head = openHead(folder, true);
  const catalog = openCatalog(head);
  const sealedNow = head.prepare<[], number>("SELECT value FROM meta WHERE name = 'sealed'").pluck();
  const entries = head.prepare<[number], { id: number; kind: number; data: Uint8Array }>(
    'SELECT id, kind, data FROM wal WHERE id > ? ORDER BY id',
  );
  const partRows = head.prepare<[], { bucket: number; start: number }>('SELECT bucket, start FROM part ORDER BY start');
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
    for (const { id, kind, data } of entries.iterate(last)) {
      last = id;
      if (kind !== WAL_ROWS) continue;
      try {
        readWal(
          data,
          (field) => catalog.fields.get(field)?.type ?? 'float',
          (series) => {
            let one = rows.get(series);
            if (!one) rows.set(series, (one = new Rows()));
            return one;
          },
        );
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        damaged(`entry ${id} of the unsealed rows is damaged`);
      }
    }
    listed = partRows.all();
  });

  function handle(bucket: number, start: number): Handle | null {
    const name = `${bucket}/${start}`;
    let one = handles.get(name);
    if (!one) {
      try {
        one = handleOf(openPartition(folder, bucket, start, true));
      } catch (error) {
        damaged(`the partition m-${start}.db cannot be opened (${errorMessage(error)})`);
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
            raw: one.meta('raw') !== 0,
            ahead: one.meta('sealed') > sealed,
          };
        } catch (error) {
          if (!errorCode(error)?.startsWith('SQLITE_')) throw error;
          damaged(`the partition m-${part.start}.db cannot be read (${errorMessage(error)})`);
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

interface Handle extends Pick<OpenPart, 'db' | 'chunks' | 'told' | 'newest'> {
  meta(name: string): number;
}

function handleOf(db: Database.Database): Handle {
  const chunks = db.prepare<[number, number, number], Pick<ChunkRecord, 'id' | 'n' | 'crc' | 'data'>>(
    'SELECT id, n, crc, data FROM chunk WHERE sid = ? AND t1 >= ? AND t0 < ? ORDER BY id',
  );
  const ofJob = db.prepare<[number, number, number, string, string], Pick<ChunkRecord, 'id' | 'n' | 'crc' | 'data'>>(
    'SELECT id, n, crc, data FROM chunk WHERE sid = ? AND t1 >= ? AND t0 < ? AND job0 <= ? AND job1 >= ? ORDER BY id',
  );
  const told = db.prepare<[number, number, number], Pick<ChunkRecord, 'id' | 't0' | 't1' | 'job0' | 'stats'>>(
    'SELECT id, t0, t1, job0, stats FROM chunk WHERE sid = ? AND t1 >= ? AND t0 < ?',
  );
  const newest = db.prepare<[number], Pick<ChunkRecord, 't0' | 't1' | 'job0' | 'stats'>>(
    'SELECT t0, t1, job0, stats FROM chunk WHERE sid = ? ORDER BY t1 DESC LIMIT 2',
  );
  const meta = db.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  return {
    db,
    chunks: (series, from, to, job) =>
      job === null ? chunks.all(series, from, to) : ofJob.all(series, from, to, job, job),
    told: (series, from, to) => told.all(series, from, to),
    newest: (series) => newest.all(series),
    meta: (name) => meta.get(name) ?? 0,
  };
}
