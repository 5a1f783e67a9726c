import { BoundedMap } from '../../../../lib/bounded-map.ts';
import type Database from 'better-sqlite3';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorMessage } from '../../../../lib/errors.ts';
import { isDamage } from '../files/head-db.ts';
import { openPartition, partFile, wholePart } from '../files/partition.ts';
import type { MetricDamage } from '../port.ts';

export interface PartKey {
  readonly bucket: number;
  readonly start: number;
}

/** The partitions of the store as its writer sees them: `part` in `head.db` says which there are, and whether they still have points. */
export interface Partitions {
  list(): PartKey[];
  has(key: PartKey): boolean;
  /** An open handle; made where it is missing. */
  open(key: PartKey): Database.Database;
  /** What is made of one. Undefined: it is damaged, of which this tells once. */
  use<T>(key: PartKey, make: (db: Database.Database) => T): T | undefined;
  /** Closes the handle of one that gets no points at present: its shared memory and its pages take room. */
  letGo(key: PartKey): void;
  /** Keeps a damaged file under another name, and tells of it: points are stored in a new one, and those it has are not read. */
  setAside(key: PartKey, why: string): void;
  /** Takes it from the disk, then from the list: a kill in between leaves one that is removed again. */
  remove(key: PartKey): void;
  /** Tells of files that no list has: they may be of a row that is damaged, and are left. */
  tidy(): void;
  bytes(): number;
  close(): void;
}

/** Write handles that are kept open. */
const OPEN = 8;

export function createPartitions(
  folder: string,
  head: Database.Database,
  report: (damage: MetricDamage) => void,
): Partitions {
  const rows = head.prepare<[], PartKey>('SELECT bucket, start FROM part ORDER BY start, bucket');
  const add = head.prepare('INSERT OR IGNORE INTO part (bucket, start) VALUES (?, ?)');
  const drop = head.prepare('DELETE FROM part WHERE bucket = ? AND start = ?');
  const handles = new BoundedMap<string, Database.Database>(OPEN, (db) => db.close());
  const keyOf = ({ bucket, start }: PartKey) => `${bucket}/${start}`;
  const listed = new Set(rows.all().map(keyOf));
  /** Damaged ones. */
  const told = new Set<string>();

  function unlink({ bucket, start }: PartKey): void {
    for (const suffix of ['', '-wal', '-shm']) {
      try {
        rmSync(partFile(folder, bucket, start) + suffix, { force: true });
      } catch {
        // Held open by a reader where that forbids it.
      }
    }
  }

  function letGo(key: PartKey): void {
    handles.get(keyOf(key))?.close();
    handles.delete(keyOf(key));
  }

  function open(key: PartKey): Database.Database {
    const name = keyOf(key);
    let db = handles.get(name);
    if (!db) {
      if (!listed.has(name)) {
        add.run(key.bucket, key.start);
        listed.add(name);
      }
      db = openPartition(folder, key.bucket, key.start, false);
    }
    handles.set(name, db);
    return db;
  }

  return {
    list: () => rows.all(),
    has: (key) => listed.has(keyOf(key)),
    open,
    use(key, make) {
      try {
        return make(open(key));
      } catch (error) {
        if (!isDamage(error)) throw error;
        const what = `the file is damaged (${errorMessage(error)}): its points are neither compacted nor deleted, and go with the file`;
        if (!told.has(keyOf(key))) report(wholePart(key.bucket, key.start, what));
        told.add(keyOf(key));
        return undefined;
      }
    },
    letGo,
    setAside(key, why) {
      letGo(key);
      const file = partFile(folder, key.bucket, key.start);
      const kept = `${file}.damaged-${Date.now()}`;
      renameSync(file, kept);
      if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${kept}-wal`);
      rmSync(`${file}-shm`, { force: true });
      report({
        ...wholePart(
          key.bucket,
          key.start,
          `the file is damaged (${why}): it is kept as ${basename(kept)} and not read, and points are stored in a new file`,
        ),
        keep: true,
      });
    },
    remove(key) {
      const name = keyOf(key);
      letGo(key);
      unlink(key);
      drop.run(key.bucket, key.start);
      listed.delete(name);
      told.delete(name);
    },
    tidy() {
      for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
        const bucket = Number(/^bucket-(\d+)$/.exec(name)?.[1] ?? Number.NaN);
        if (Number.isNaN(bucket)) continue;
        for (const file of readdirSync(join(folder, name))) {
          const start = Number(/^m-(-?\d+)\.db/.exec(file)?.[1] ?? Number.NaN);
          if (!file.endsWith('.db') || Number.isNaN(start) || listed.has(keyOf({ bucket, start }))) continue;
          report({
            ...wholePart(bucket, start, 'the store does not list the file: its points are not read'),
            keep: false,
          });
        }
      }
    },
    bytes: () =>
      rows
        .all()
        .reduce(
          (sum, { bucket, start }) =>
            sum + sizeOf(partFile(folder, bucket, start)) + sizeOf(`${partFile(folder, bucket, start)}-wal`),
          sizeOf(join(folder, 'head.db')) + sizeOf(join(folder, 'head.db-wal')),
        ),
    close() {
      for (const db of handles.values()) db.close();
      handles.clear();
    },
  };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
