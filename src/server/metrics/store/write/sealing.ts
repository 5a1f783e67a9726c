import type Database from 'better-sqlite3';
import { parseStored } from '../../../../lib/json.ts';
import type { Catalog } from '../files/catalog.ts';
import { countIn } from '../files/head-db.ts';
import { roomOfSeries, Rows } from '../files/rows.ts';
import { entrySteps, type Entry, NEXT_ENTRY, WAL_DELETE } from '../files/wal.ts';
import type { Deletion, FieldType } from '../port.ts';
import { deleteFrom } from './delete.ts';
import type { Partitions, PartKey } from './partitions.ts';
import { CHUNK_ROWS, sealRows } from './seal.ts';

export interface SealingOptions {
  readonly head: Database.Database;
  readonly parts: Partitions;
  readonly catalog: Catalog;
  readonly now: () => number;
  /** Bytes of unsealed rows above which they are sealed. */
  sealBytes(): number;
  readonly shareMs?: number | undefined;
  /** Runs a change of `head.db`. */
  commit(change: () => void): void;
  typeOf(field: number): FieldType;
  isKept(key: PartKey): boolean;
  /** A partition is about to get chunks, or has lost points. */
  written(key: PartKey, at: number): void;
  /** Points were deleted: series may be gone. Nothing is unsealed. */
  deleted(): void;
  damaged(entry: Entry): void;
  failed(error: unknown): void;
}

/** Makes chunks of the rows that were written last. */
export interface Sealing {
  /** How many points there are, sealed or not. */
  points(): number;
  /** Points went with their partition. */
  lost(points: number): void;
  /** An entry was written. */
  added(bytes: number, rows: number): void;
  /** Does its share where there is enough to be sealed, or a seal is under way. */
  proceed(): void;
  /** Does its share where it is time for it, or with `force` all. False: nothing is to be done now. */
  tend(force: boolean): boolean;
  /** All there is. Throws where the disk takes it not. */
  seal(): void;
  /** The same; where it fails, it is tried again later. What is written is safe already: a full disk only leaves it unsealed. */
  trySeal(): void;
  /** Goes on with what was under way when the master ended. */
  resume(): void;
  /** A seal under way goes on after the next start. */
  close(): void;
}

/** Rows unsealed for longer are sealed. */
const SEAL_MS = 600_000;
/** After a seal that failed. */
const AGAIN_MS = 5000;
/** Points that are stored while others are sealed wait so long for it: more do not come in than are sealed. */
const SHARE_MS = 25;
/** Of the bytes that are sealed at once: with more, no more is stored until they are. */
const MOST_UNSEALED = 4;

export function createSealing(options: SealingOptions): Sealing {
  const { head, parts, catalog, now, commit, typeOf, shareMs = SHARE_MS } = options;
  const meta = head.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const setMeta = head.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const greatestEntry = head.prepare<[], number | null>('SELECT max(id) FROM wal').pluck();
  const firstDelete = head.prepare<[], number | null>(`SELECT min(id) FROM wal WHERE kind = ${WAL_DELETE}`).pluck();
  const nextEntry = head.prepare<[number, number], Entry>(NEXT_ENTRY);
  const bytesUnsealed = () => countIn(head, 'SELECT coalesce(sum(length(data)), 0) FROM wal');
  const rowsUnsealed = () => countIn(head, 'SELECT coalesce(sum(rows), 0) FROM wal');

  let unsealed = bytesUnsealed();
  let unsealedRows = rowsUnsealed();
  let sealedRows = meta.get('points') ?? 0;
  let firstUnsealed = unsealed > 0 ? now() : 0;
  let sealAfter = 0;
  /** A seal under way. Nothing else may use the partitions meanwhile. */
  let running: Generator<void> | null = null;
  let hasDeleted = false;
  /** Series of the last seal: the next one most often has as many. */
  let sealedSeries = Number.POSITIVE_INFINITY;

  /** For so long, and goes on when it is called again; without an end, all there is. */
  function seal(ms = Infinity): void {
    const until = performance.now() + ms;
    while (running !== null || unsealed > 0) {
      running ??= steps();
      let isDone: boolean | undefined;
      try {
        isDone = running.next().done;
      } catch (error) {
        running = null;
        throw error;
      }
      if (isDone) {
        running = null;
        firstUnsealed = now();
        if (unsealed === 0 && hasDeleted) {
          hasDeleted = false;
          options.deleted();
        }
        // What came meanwhile has time.
        if (ms < Infinity && (firstDelete.get() ?? null) === null) return;
      } else if (performance.now() >= until) return;
    }
  }
  function trySeal(ms = Infinity): void {
    try {
      seal(ms);
    } catch (error) {
      sealAfter = now() + AGAIN_MS;
      options.failed(error);
    }
  }

  function* steps(): Generator<void> {
    catalog.refresh();
    // Up to the first delete, which takes away nothing that was written after it.
    const last = meta.get('sealing') || (firstDelete.get() ?? greatestEntry.get() ?? 0);
    const taken = countIn(head, 'SELECT coalesce(sum(rows), 0) FROM wal WHERE id <= ?', last);
    // A kill between the partitions and the last step leaves this behind: then only what is missing is done again.
    commit(() => void setMeta.run('sealing', last));
    const rows = new Map<number, Rows>();
    const room = roomOfSeries(taken, sealedSeries, CHUNK_ROWS);
    const rowsOf = (series: number): Rows => {
      let one = rows.get(series);
      if (!one) rows.set(series, (one = new Rows(room())));
      return one;
    };
    const deletions: Deletion[] = [];
    for (let entry = nextEntry.get(0, last); entry; entry = nextEntry.get(entry.id, last)) {
      const isWhole = yield* entrySteps(entry, typeOf, rowsOf);
      if (!isWhole) options.damaged(entry);
      else if (entry.kind === WAL_DELETE) deletions.push(parseStored<Deletion>(Buffer.from(entry.data).toString()));
      yield;
    }
    sealedSeries = Math.max(1, rows.size);
    yield* sealRows(rows, last, {
      parts,
      bucketOf: (series) => catalog.series.get(series)?.bucket,
      isKept: options.isKept,
      written: (key) => options.written(key, now()),
      now,
    });
    for (const deletion of deletions) {
      deleteFrom(parts, catalog, deletion);
      for (const key of parts.list()) options.written(key, 0);
    }
    commit(() => {
      head.prepare('DELETE FROM wal WHERE id <= ?').run(last);
      setMeta.run('sealing', 0);
      setMeta.run('sealed', last);
      setMeta.run('points', sealedRows + taken);
    });
    shrink(head);
    sealedRows += taken;
    unsealed = bytesUnsealed();
    unsealedRows = rowsUnsealed();
    hasDeleted ||= deletions.length > 0;
  }

  return {
    points: () => sealedRows + unsealedRows,
    lost: (points) => void (sealedRows = Math.max(0, sealedRows - points)),
    added(bytes, rows) {
      if (unsealed === 0) firstUnsealed = now();
      unsealed += bytes;
      unsealedRows += rows;
    },
    proceed() {
      if (running === null && (unsealed < options.sealBytes() || now() < sealAfter)) return;
      trySeal(unsealed >= MOST_UNSEALED * options.sealBytes() ? Infinity : shareMs);
    },
    tend(force) {
      const isDue = unsealed > 0 && (force || (Math.abs(now() - firstUnsealed) > SEAL_MS && now() >= sealAfter));
      if (running === null && !isDue) return false;
      trySeal(force ? Infinity : shareMs);
      return true;
    },
    seal: () => seal(),
    trySeal: () => trySeal(),
    resume() {
      if (unsealed > 0 && meta.get('sealing')) trySeal();
    },
    close: () => void running?.return(undefined),
  };
}

/** Gives free pages back to the disk. */
export function shrink(db: Database.Database): void {
  db.pragma('incremental_vacuum');
  db.pragma('wal_checkpoint(TRUNCATE)');
}
