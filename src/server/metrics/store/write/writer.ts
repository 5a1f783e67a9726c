import { parseStored } from '../../../../lib/json.ts';
import type { Deletion } from '../port.ts';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { countIn, isDamage, openHead } from '../files/head-db.ts';
import type Database from 'better-sqlite3';
import { Fault } from '../../../../lib/fault.ts';
import { createLineParser, type LineParser } from '../../line-protocol/parse.ts';
import { join } from 'node:path';
import { MARK, openMarkFile } from '../../../../lib/mark-file.ts';
import { openCatalog } from '../files/catalog.ts';
import { createBuckets } from './buckets.ts';
import { createInterner } from './intern.ts';
import { openMigration } from './migrate.ts';
import { partOf } from '../files/partition.ts';
import { createPartitions, type PartKey } from './partitions.ts';
import { roomOfSeries, Rows } from '../files/rows.ts';
import { entrySum } from '../files/sums.ts';
import { CHUNK_ROWS, sealRows } from './seal.ts';
import { compactPart } from './compact.ts';
import { deleteFrom } from './delete.ts';
import { createRetention } from './retention.ts';
import { ShapeWriter } from './take-shapes.ts';
import { takePoints } from './take-points.ts';
import { ENTRIES_UP_TO, entryDamage, takeEntry, WAL_DELETE, WAL_ROWS, type Entry, WalWriter } from '../files/wal.ts';
import type { MetricWriter, WriterOptions } from './port.ts';

/** Rows unsealed for longer are sealed. */
const SEAL_MS = 600_000;
/** After a seal that failed. */
const SEAL_AGAIN_MS = 5000;

/** The one writer of the store. Each call is committed when it returns. Throws STORE_CORRUPT where `head.db` cannot be read. */
export function openWriter(given: WriterOptions): MetricWriter {
  try {
    return open(given);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw new Fault(
      'STORE_CORRUPT',
      `the metric store ${join(given.folder, 'head.db')} is damaged (${errorMessage(error)}): restore the folder from a copy, or move it away to start with an empty store`,
      { cause: error },
    );
  }
}

function open(given: WriterOptions): MetricWriter {
  let options = given;
  const { folder, now } = options;
  const head = openHead(folder, false);
  head.pragma(`max_page_count = ${options.headPages}`);
  const catalog = openCatalog(head);
  const buckets = createBuckets({ head, catalog, now, commit });
  const interner = createInterner(
    head,
    () => options,
    () => buckets.first().key,
  );
  const parts = createPartitions(folder, head, {
    report: (damage) => given.report?.(damage),
    removed: (file) => given.removed?.(file),
    warn: (what) => given.warn?.(what),
  });
  const parsers = new Map<number, LineParser>();
  const shapes = new ShapeWriter(interner);
  const walWriter = new WalWriter();
  const putWal = head.prepare('INSERT INTO wal (id, kind, rows, data, tie) VALUES (?, ?, ?, ?, ?)');
  const greatestEntry = head.prepare<[], number | null>('SELECT max(id) FROM wal').pluck();
  const insertWal = {
    run(kind: number, rows: number, data: Uint8Array): void {
      // One behind the other, whatever becomes of their table: a gap is an entry that is missing.
      const id = Math.max(lastEntry, greatestEntry.get() ?? 0) + 1;
      putWal.run(id, kind, rows, data, entrySum(id, kind, rows, data));
      lastEntry = id;
    },
  };
  const meta = head.prepare<[string], number>('SELECT value FROM meta WHERE name = ?').pluck();
  const setMeta = head.prepare(
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const newestEntry = Math.max(meta.get('sealed') ?? 0, countIn(head, 'SELECT coalesce(max(id), 0) FROM wal'));
  let lastEntry = Math.max(
    newestEntry,
    countIn(head, "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'wal'"),
  );
  let unsealed = countIn(head, 'SELECT coalesce(sum(length(data)), 0) FROM wal');
  let unsealedRows = countIn(head, 'SELECT coalesce(sum(rows), 0) FROM wal');
  let firstUnsealed = unsealed > 0 ? now() : 0;
  let sealedRows = meta.get('points') ?? 0;
  const mark = openMarkFile<{ entry: number; points: number }>(join(folder, `head.db${MARK}`));
  tellLost();
  let overCardinality = 0;
  let refusing: string | null = null;
  let damaged = 0;
  let sealAfter = 0;
  /** Series of the last seal: the next one most often has as many. */
  let sealedSeries = Number.POSITIVE_INFINITY;
  let bytes = parts.bytes();
  let bytesAt = now();

  let migration = openMigration(folder);
  /** Partitions that may have chunks to be put together; after a start all may. */
  const uncompacted = new Map<string, Uncompacted>(
    parts.list().map((key) => [`${key.bucket}/${key.start}`, { key, at: 0 }]),
  );

  const typeOf = (field: number) => catalog.fields.get(field)?.type ?? 'float';

  /** Runs a change of `head.db`; what was given a number in vain is taken back. */
  function commit<T>(change: () => T): T {
    const before = lastEntry;
    try {
      const result = head.transaction(() => {
        interner.save();
        return change();
      })();
      interner.kept();
      refusing = null;
      return result;
    } catch (error) {
      lastEntry = before;
      interner.undo();
      for (const parser of parsers.values()) parser.forget();
      shapes.forget();
      throw refused(error);
    }
  }

  /** Entries that were written and are not there: the newest part of the file is damaged, or older than what was told. */
  function tellLost(): void {
    const { before } = mark;
    if (before === null || before === 'damaged' || before.entry <= newestEntry) return;
    const lost = Math.max(0, before.points - sealedRows - unsealedRows);
    options.report?.({
      file: 'head.db',
      place: `entries ${newestEntry + 1}-${before.entry}`,
      what: `${lost} points that were stored are not in the file: its newest part is damaged, or was lost in a power failure`,
      ...{ from: null, to: now() + 1, lost, keep: true },
    });
    mark.write({ entry: newestEntry, points: sealedRows + unsealedRows });
  }

  function refused(error: unknown): unknown {
    if (!errorCode(error)?.startsWith('SQLITE_')) return error;
    const message = errorMessage(error);
    refusing = message;
    return new Fault(
      'METRICS_FULL',
      `the metric store rejects writes (${message}): free disk space; stored metrics can still be read`,
      { cause: error },
    );
  }

  function append(wal: WalWriter, also: () => void = () => {}): void {
    if (wal.rows === 0) return commit(also);
    const data = wal.done();
    commit(() => {
      insertWal.run(WAL_ROWS, wal.rows, data);
      also();
    });
    if (unsealed === 0) firstUnsealed = now();
    unsealed += data.length;
    unsealedRows += wal.rows;
    mark.write({ entry: lastEntry, points: sealedRows + unsealedRows });
    if (unsealed >= options.sealBytes && now() >= sealAfter) trySeal();
  }

  /** What is written is safe already: a full disk only leaves it unsealed. */
  function trySeal(): void {
    try {
      seal();
    } catch (error) {
      sealAfter = now() + SEAL_AGAIN_MS;
      refused(error);
    }
  }

  function seal(): void {
    catalog.refresh();
    // Up to the first delete, which takes away nothing that was written after it.
    const last =
      meta.get('sealing') ||
      countIn(head, `SELECT coalesce((SELECT min(id) FROM wal WHERE kind = ${WAL_DELETE}), max(id)) FROM wal`);
    // Ids begin at 1.
    if (last === 0) return;
    const taken = countIn(head, 'SELECT coalesce(sum(rows), 0) FROM wal WHERE id <= ?', last);
    // A kill between the partitions and the last step leaves this behind: then only what is missing is done again.
    commit(() => setMeta.run('sealing', last));
    const rows = new Map<number, Rows>();
    const room = roomOfSeries(taken, sealedSeries, CHUNK_ROWS);
    for (const entry of head.prepare<[number], Entry>(ENTRIES_UP_TO).iterate(last)) {
      if (!takeEntry(entry, typeOf, (series) => rows.get(series) ?? setIn(rows, series, new Rows(room())))) {
        damaged++;
        // With this its bytes go; what it lost is remembered.
        options.report?.({ ...entryDamage(entry.id), lost: entry.rows > 0 ? entry.rows : null, keep: true });
      }
    }
    sealedSeries = Math.max(1, rows.size);
    sealRows(rows, last, {
      parts,
      bucketOf: (series) => catalog.series.get(series)?.bucket,
      // They came just before its points went.
      isKept: (key) => retention.isRaw(key),
      written: (key) => uncompacted.set(`${key.bucket}/${key.start}`, { key, at: now() }),
      now,
    });
    const deletions = head
      .prepare<[number], Entry>(ENTRIES_UP_TO)
      .all(last)
      .filter((entry) => entry.kind === WAL_DELETE && takeEntry(entry, typeOf, () => new Rows()));
    for (const { data } of deletions) {
      deleteFrom(parts, catalog, parseStored<Deletion>(Buffer.from(data).toString()));
      for (const key of parts.list()) uncompacted.set(`${key.bucket}/${key.start}`, { key, at: 0 });
    }
    commit(() => {
      head.prepare('DELETE FROM wal WHERE id <= ?').run(last);
      setMeta.run('sealing', 0);
      setMeta.run('sealed', last);
      setMeta.run('points', sealedRows + taken);
    });
    shrink(head);
    sealedRows += taken;
    unsealed = countIn(head, 'SELECT coalesce(sum(length(data)), 0) FROM wal');
    unsealedRows = countIn(head, 'SELECT coalesce(sum(rows), 0) FROM wal');
    if (unsealed > 0) seal();
    else if (deletions.length > 0) retention.forgetSeries();
  }

  /** Takes some points of the store that was here before; false: there are none. */
  function migrate(): boolean {
    if (!migration) return false;
    const step = migration.next(meta.get('migrated') ?? 0);
    if (!step) {
      migration.done();
      migration = null;
      return false;
    }
    const wal = walWriter.begin();
    for (const batch of step.batches) shapes.put(buckets.first().key, batch, wal);
    append(wal, () => void setMeta.run('migrated', step.upTo));
    return true;
  }

  const retention = createRetention({
    options: () => options,
    head,
    parts,
    catalog,
    seal: trySeal,
    changed: () => ((bytesAt = 0), catalog.refresh(), interner.reload(), parsers.clear(), shapes.forget()),
    lost: (points) => (sealedRows = Math.max(0, sealedRows - points)),
  });
  // A full disk does not keep the store from opening: it is tried again later.
  if (unsealed > 0 && meta.get('sealing')) trySeal();
  parts.tidy();

  return {
    write(name, given, precision) {
      const bucket = buckets.named(name);
      const parser = parsers.get(bucket.key) ?? setIn(parsers, bucket.key, createLineParser());
      const points = parser.parse(given, precision, now());
      if (points.faulty > 0)
        return { points: 0, faults: points.faults, faulty: points.faulty, partial: null, dropped: 0 };
      const wal = walWriter.begin();
      const { partial, dropped, over } = takePoints(
        points,
        wal,
        interner,
        bucket.key,
        retention.oldest(bucket),
        options,
      );
      append(wal);
      overCardinality += over;
      return { points: points.count - dropped, faults: [], faulty: 0, partial, dropped };
    },
    record(batches) {
      const bucket = buckets.first();
      const wal = walWriter.begin();
      const before = overCardinality;
      for (const batch of batches) overCardinality += shapes.put(bucket.key, batch, wal);
      try {
        append(wal);
      } catch (error) {
        // They come again.
        overCardinality = before;
        throw error;
      }
    },
    configure(limits) {
      options = { ...options, ...limits };
      head.pragma(`max_page_count = ${limits.headPages}`);
    },
    delete(name, deletion) {
      const bucket = buckets.named(name);
      seal();
      commit(() =>
        insertWal.run(
          WAL_DELETE,
          0,
          Buffer.from(JSON.stringify({ ...deletion, bucket: bucket.key } satisfies Deletion)),
        ),
      );
      unsealed++;
      seal();
    },
    buckets: buckets.list,
    createBucket: buckets.create,
    updateBucket: buckets.update,
    deleteBucket(id) {
      const bucket = buckets.named(id);
      seal();
      for (const key of parts.list()) if (key.bucket === bucket.key) parts.remove(key);
      for (const file of parts.unread()) if (file.bucket === bucket.key) parts.removeUnread(file);
      buckets.remove(bucket);
      parsers.delete(bucket.key);
      interner.reload();
      shapes.forget();
    },
    seal,
    tend(force = false) {
      if (unsealed > 0 && (force || (Math.abs(now() - firstUnsealed) > SEAL_MS && now() >= sealAfter))) {
        trySeal();
        return true;
      }
      catalog.refresh();
      if (migrate()) return true;
      if (retention.step()) return true;
      for (const [name, one] of uncompacted) {
        const { key, at } = one;
        if (!force && (key.start >= partOf(now()) || now() - at < options.quietMs)) continue;
        const compact = (db: Database.Database) => compactPart(db, key, typeOf, false, (count) => (damaged += count));
        if (parts.has(key) && parts.use(key, compact)) {
          one.hasGaps = true;
          return true;
        }
        const tidied = (db: Database.Database) => {
          if (one.hasGaps) closeGaps(db);
          return shrink(db);
        };
        // Where a reader is in the way, the next write empties the write-ahead log.
        if (parts.has(key) && parts.use(key, tidied) !== false) parts.letGo(key);
        uncompacted.delete(name);
        // After a start there may be hundreds: what is written meanwhile goes between them.
        return true;
      }
      return false;
    },
    stats() {
      if (Math.abs(now() - bytesAt) > 5000) {
        bytes = parts.bytes();
        bytesAt = now();
      }
      return { points: sealedRows + unsealedRows, bytes, series: interner.count, overCardinality, refusing, damaged };
    },
    close() {
      mark.close();
      parts.close();
      head.pragma('wal_checkpoint(TRUNCATE)');
      head.close();
    },
  };
}

/** A partition that may have chunks to be put together, and when it last got some, Unix ms. */
interface Uncompacted {
  readonly key: PartKey;
  readonly at: number;
  /** Something was put into packs: where it was are gaps. */
  hasGaps?: boolean;
}

/** A larger partition is not written anew: points wait meanwhile, for about a tenth of a second. */
const REWRITTEN_BYTES = 16 * 1024 * 1024;

/** Writes a partition anew of which the most was put into packs: pages that are half empty give nothing back. */
function closeGaps(db: Database.Database): void {
  const bytes = Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true }));
  if (bytes > REWRITTEN_BYTES) return;
  try {
    db.exec('VACUUM');
  } catch {
    // It takes room on the disk, of which there may be too little.
  }
}

/** Gives free pages back to the disk. False: a reader is in the way, and the write-ahead log stays as large as it is. */
function shrink(db: Database.Database): boolean {
  db.pragma('incremental_vacuum');
  const [{ busy } = { busy: 1 }] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return busy === 0;
}

function setIn<K, V>(map: Map<K, V>, key: K, value: V): V {
  map.set(key, value);
  return value;
}
