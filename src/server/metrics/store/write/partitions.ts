import { BoundedMap } from '../../../../lib/bounded-map.ts';
import type Database from 'better-sqlite3';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorMessage } from '../../../../lib/errors.ts';
import { isDamage } from '../files/head-db.ts';
import { openPartition, PART_FILE, partFile, partName, wholePart } from '../files/partition.ts';
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
  /** Files that are kept and not read, oldest first. */
  unread(): UnreadFile[];
  /** False: it is still there. */
  removeUnread(file: UnreadFile): boolean;
  /** Takes it from the disk, then from the list: a kill in between leaves one that is removed again. */
  remove(key: PartKey): void;
  /** Tells of files that no list has: they may be of a row that is damaged, and are kept as long as others of their age. */
  tidy(): void;
  /** Of all files, also those that are not read. */
  bytes(): number;
  /** Of these, of files that could not be removed: points that can be read do not go in their stead. */
  stuckBytes(): number;
  close(): void;
}

/** Set aside as it is damaged, or in no list. */
export interface UnreadFile extends PartKey {
  /** Its path. */
  readonly file: string;
  readonly bytes: number;
}

/** Write handles that are kept open. */
const OPEN = 8;

export interface PartitionListener {
  report(damage: MetricDamage): void;
  /** A file is gone, or was set aside under another name; `file` is its path in the store's folder, by which its damage is told. */
  removed(file: string): void;
  /** Something is to be done by somebody. */
  warn(what: string): void;
}

export function createPartitions(
  folder: string,
  head: Database.Database,
  { report, removed, warn }: PartitionListener,
): Partitions {
  const rows = head.prepare<[], PartKey>('SELECT bucket, start FROM part ORDER BY start, bucket');
  const add = head.prepare('INSERT OR IGNORE INTO part (bucket, start) VALUES (?, ?)');
  const drop = head.prepare('DELETE FROM part WHERE bucket = ? AND start = ?');
  const handles = new BoundedMap<string, Database.Database>(OPEN, (db) => db.close());
  const keyOf = ({ bucket, start }: PartKey) => `${bucket}/${start}`;
  const listed = new Set(rows.all().map(keyOf));
  /** Damaged ones. */
  const told = new Set<string>();
  /** Files that could not be removed. */
  const stuck = new Set<string>();

  /** Files that are not read, as they were last seen. */
  let seen = new Map<string, UnreadFile>();

  function unread(): UnreadFile[] {
    const found = unreadFiles(folder, (key) => listed.has(keyOf(key)));
    const before = seen;
    seen = new Map(found.map((one) => [one.file, one]));
    // Not only this store removes them: somebody may do so by hand.
    for (const [file, one] of before) if (!seen.has(file)) removed(nameOf(one));
    return found;
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
      // What was told of the file is of this one now: the new one is whole, and may outlive it.
      told.delete(keyOf(key));
      removed(partName(key.bucket, key.start));
      report({
        ...wholePart(
          key.bucket,
          key.start,
          `${basename(file)} was damaged (${why}) and is kept under this name and not read; it goes when others of its age do, or earlier to make room, and points are stored in a new file`,
        ),
        file: nameOf({ ...key, file: kept }),
        keep: true,
      });
      unread();
    },
    remove(key) {
      const name = keyOf(key);
      letGo(key);
      const file = partFile(folder, key.bucket, key.start);
      unlink(file);
      drop.run(key.bucket, key.start);
      listed.delete(name);
      told.delete(name);
      // One that somebody holds is not read any more, and told of once it is gone.
      if (!existsSync(file)) removed(partName(key.bucket, key.start));
    },
    unread,
    removeUnread({ file }) {
      const why = unlink(file);
      if (existsSync(file)) {
        if (!stuck.has(file)) warn(`${file}, which is not read, cannot be removed (${why}): remove it`);
        stuck.add(file);
        return false;
      }
      stuck.delete(file);
      unread();
      return true;
    },
    tidy() {
      for (const { bucket, start, file } of unread()) {
        // Of one that was set aside it was told then.
        if (file !== partFile(folder, bucket, start)) continue;
        report({
          ...wholePart(bucket, start, 'the store does not list the file: its points are not read'),
          keep: false,
        });
      }
    },
    bytes: () =>
      rows.all().reduce(
        (sum, { bucket, start }) => sum + withLog(partFile(folder, bucket, start)),
        unread().reduce((sum, { bytes }) => sum + bytes, withLog(join(folder, 'head.db'))),
      ),
    stuckBytes: () => [...stuck].reduce((sum, file) => sum + withLog(file), 0),
    close() {
      for (const db of handles.values()) db.close();
      handles.clear();
    },
  };
}

/** Path in the store's folder, also of one that was set aside. */
const nameOf = ({ bucket, file }: Pick<UnreadFile, 'bucket' | 'file'>): string => `bucket-${bucket}/${basename(file)}`;

/** Files of buckets under a name of a partition that is not in the list, or with something behind it. */
function unreadFiles(folder: string, isListed: (key: PartKey) => boolean): UnreadFile[] {
  const found: UnreadFile[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const bucket = entry.isDirectory() && /^bucket-(\d+)$/.exec(entry.name)?.[1];
    if (!bucket) continue;
    for (const name of readdirSync(join(folder, entry.name))) {
      const [, number, aside] = PART_FILE.exec(name) ?? [];
      if (number === undefined) continue;
      const key = { bucket: Number(bucket), start: Number(number) };
      if (aside === undefined && isListed(key)) continue;
      const file = join(folder, entry.name, name);
      found.push({ ...key, file, bytes: withLog(file) });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** Removes a partition's file with what SQLite keeps beside it; gives why it could not. */
function unlink(file: string): string {
  let why = '';
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      rmSync(file + suffix, { force: true });
    } catch (error) {
      // Held open by a reader where that forbids it.
      why ||= errorMessage(error);
    }
  }
  return why;
}

/** Bytes of a file and its write-ahead log. */
const withLog = (file: string): number => sizeOf(file) + sizeOf(`${file}-wal`);

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
