import { countIn } from '../files/head-db.ts';
import type Database from 'better-sqlite3';
import type { Catalog, StoredBucket } from '../files/catalog.ts';
import { openSeriesBook } from '../files/series-book.ts';
import { BROKEN, compactPart, NOT_ROLLED } from './compact.ts';
import { SERIES_SUM } from '../files/sums.ts';
import { PART_MS, partOf } from '../files/partition.ts';
import type { PartKey, Partitions } from './partitions.ts';
import type { WriterOptions } from './port.ts';

export interface RetentionDeps {
  options(): WriterOptions;
  readonly head: Database.Database;
  readonly parts: Partitions;
  readonly catalog: Catalog;
  /** Series were forgotten. */
  changed(): void;
  /** Packs what is unsealed, where the disk takes it. */
  seal(): void;
  /** Points that went. */
  lost(points: number): void;
}

export interface Retention {
  /** Points of a bucket before this time (Unix ms) are not taken. */
  oldest(bucket: StoredBucket): number;
  /** Its points have not gone. */
  isRaw(key: PartKey): boolean;
  /** Takes away the next thing that is too old or too much; false: there is none. */
  step(): boolean;
  /** Series that have no points left make room for others, once half of the room is taken. */
  forgetSeries(): void;
}

const DAY_MS = 86_400_000;
const LOOK_MS = 30_000;

/** By age: first the points of a partition go where it has roll-ups of them, later the whole file. By size: first what cannot be read, then the same from the oldest on. */
export function createRetention({ options, head, parts, catalog, changed, seal, lost }: RetentionDeps): Retention {
  const { now } = options();
  /** By bucket: partitions before have no points any more. */
  const floors = new Map<number, number>();
  const rawOf = head.prepare<[number, number], number>('SELECT raw FROM part WHERE bucket = ? AND start = ?').pluck();
  const isRaw = ({ bucket, start }: PartKey) => rawOf.get(bucket, start) !== 0;
  const pointsIn = (db: Database.Database) =>
    countIn(db, 'SELECT coalesce(sum(n), 0) FROM (SELECT n FROM chunk UNION ALL SELECT n FROM pack)');
  const raise = ({ bucket, start }: PartKey) =>
    void floors.set(bucket, Math.max(floors.get(bucket) ?? Number.NEGATIVE_INFINITY, start + PART_MS));
  for (const key of parts.list()) if (!isRaw(key)) raise(key);
  let lookedAt = Number.NEGATIVE_INFINITY;
  /** Partitions that have only points of which there are no roll-ups. */
  const bare = new Set<string>();
  /** Those that turned out to be damaged as their points were to go. */
  const broken = new Set<string>();
  const nameOf = ({ bucket, start }: PartKey) => `${bucket}/${start}`;

  /** A damaged partition goes as a whole, later. */
  function dropRaw(key: PartKey): void {
    const isDone = parts.use(key, (db) => {
      dropRawOf(key, db);
      return true;
    });
    if (!isDone) broken.add(nameOf(key));
  }

  function dropRawOf(key: PartKey, db: Database.Database): void {
    const typeOf = (field: number) => catalog.fields.get(field)?.type ?? 'float';
    const isDone = db.prepare<[], number>("SELECT value FROM meta WHERE name = 'raw'").pluck().get() === 0;
    // After a kill before the last step only that is left: without points there is nothing to make roll-ups of.
    if (isDone) return dropped(key);
    const rolledBefore = db
      .prepare<[], { sid: number; rolled: number }>('SELECT sid, rolled FROM series WHERE rolled > 0')
      .all();
    // A row that is damaged stays so.
    db.prepare(
      `UPDATE series SET rolled = 0, tie = series_sum(sid, 0, pack, chunks, sum) WHERE tie = ${SERIES_SUM}`,
    ).run();
    while (compactPart(db, key, typeOf, true, () => {}));
    const before = pointsIn(db);
    db.transaction(() => {
      db.exec('DELETE FROM chunk');
      keepSparse(db, rolledBefore);
      db.exec(
        `UPDATE series SET chunks = 0, sum = 0, tie = series_sum(sid, rolled, pack, 0, 0) WHERE tie = ${SERIES_SUM}`,
      );
      db.exec(
        "DELETE FROM roll WHERE id NOT IN (SELECT rolled FROM series); UPDATE meta SET value = 0 WHERE name = 'raw'",
      );
    })();
    lost(before - pointsIn(db));
    dropped(key);
    try {
      db.exec('VACUUM');
    } catch {
      // It takes room to make room. Left as it is, the file would count as before, and the next partition's points would go.
      db.pragma('incremental_vacuum');
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Leaves the points of series without roll-ups in their packs. A pack that is damaged stays as it is, and roll-ups that its series had. */
  function keepSparse(db: Database.Database, rolledBefore: readonly { sid: number; rolled: number }[]): void {
    const book = openSeriesBook(db);
    const having = (rolled: number) =>
      new Set(db.prepare<[number], number>('SELECT sid FROM series WHERE rolled = ?').pluck().all(rolled));
    const sparse = having(NOT_ROLLED);
    const broken = having(BROKEN);
    for (const { sid, rolled } of rolledBefore) if (broken.has(sid)) book.roll(sid, rolled);
    for (const id of db.prepare<[], number>('SELECT id FROM pack').pluck().all()) {
      const kept = book.unpack(id)?.filter(({ sid }) => sparse.has(sid)) ?? [];
      if (kept.length > 0) book.pack(kept);
    }
    book.save();
  }

  /** Whether dropping its points would make room. */
  function hasMore(key: PartKey): boolean {
    const name = nameOf(key);
    if (bare.has(name) || broken.has(name)) return false;
    const some = 'SELECT EXISTS (SELECT 1 FROM series WHERE rolled > 0) + EXISTS (SELECT 1 FROM chunk)';
    if ((parts.use(key, (db) => countIn(db, some)) ?? 0) > 0) return true;
    bare.add(name);
    return false;
  }

  function dropped(key: PartKey): void {
    head.prepare('UPDATE part SET raw = 0 WHERE bucket = ? AND start = ?').run(key.bucket, key.start);
    raise(key);
  }

  function remove(key: PartKey): void {
    lost(parts.use(key, pointsIn) ?? 0);
    parts.remove(key);
    raise(key);
    forgetSeries();
  }

  function forgetSeries(): void {
    if (catalog.series.size * 2 < options().mostSeries) return;
    seal();
    // A full disk left some unsealed: whose they are is not known here.
    if (countIn(head, 'SELECT count(*) FROM wal') > 0) return;
    const used = new Set<number>();
    for (const key of parts.list()) {
      const sids = parts.use(key, (db) => db.prepare<[], number>('SELECT sid FROM series').pluck().all());
      // Which series a damaged one has is not known either.
      if (!sids) return;
      for (const sid of sids) used.add(sid);
    }
    const gone = [...catalog.series.keys()].filter((sid) => !used.has(sid));
    if (gone.length === 0) return;
    head.transaction(() => {
      const drop = head.prepare('DELETE FROM series WHERE id = ?');
      for (const sid of gone) drop.run(sid);
      head.prepare("UPDATE meta SET value = value + 1 WHERE name = 'generation'").run();
    })();
    changed();
  }

  /** Ms after which a partition goes with its roll-ups. */
  const wholeAge = (bucket: StoredBucket | undefined) =>
    Math.min(
      bucket && bucket.retentionSeconds > 0 ? bucket.retentionSeconds * 1000 : Number.POSITIVE_INFINITY,
      options().rollDays > 0 ? options().rollDays * DAY_MS : Number.POSITIVE_INFINITY,
    );
  const isOver = ({ bucket, start }: PartKey) => start + PART_MS < now() - wholeAge(catalog.buckets.get(bucket));
  const isFull = () => parts.bytes() - parts.stuckBytes() > options().mostBytes;

  return {
    isRaw,
    forgetSeries,
    oldest: ({ key, retentionSeconds }) =>
      Math.max(
        floors.get(key) ?? Number.NEGATIVE_INFINITY,
        retentionSeconds > 0 ? now() - retentionSeconds * 1000 : Number.NEGATIVE_INFINITY,
        options().rawDays > 0 ? now() - options().rawDays * DAY_MS : Number.NEGATIVE_INFINITY,
      ),
    step() {
      if (Math.abs(now() - lookedAt) < LOOK_MS) return false;
      const unread = parts.unread();
      if (unread.some((file) => isOver(file) && parts.removeUnread(file))) return true;
      const all = parts.list();
      for (const key of all) {
        if (!catalog.buckets.has(key.bucket) || isOver(key)) {
          remove(key);
          return true;
        }
        if (
          options().rawDays > 0 &&
          key.start + PART_MS < now() - options().rawDays * DAY_MS &&
          isRaw(key) &&
          !broken.has(nameOf(key))
        ) {
          dropRaw(key);
          return true;
        }
      }
      // Nobody can read them: they make room before anything that can be read.
      if (isFull() && unread.some(parts.removeUnread)) return true;
      if (isFull()) {
        const old = all.filter(({ start }) => start < partOf(now()));
        const raw = old.find((key) => isRaw(key) && hasMore(key));
        const next = raw ?? old[0] ?? all[0];
        if (next) {
          if (raw) dropRaw(raw);
          else remove(next);
          return true;
        }
      }
      lookedAt = now();
      bare.clear();
      return false;
    },
  };
}
