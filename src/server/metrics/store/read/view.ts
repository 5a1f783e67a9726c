import { BoundedMap } from '../../../../lib/bounded-map.ts';
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { errorCode, errorMessage } from '../../../../lib/errors.ts';
import { openCatalog, type Catalog } from '../files/catalog.ts';
import { hasColumn, hasTies, openHead } from '../files/head-db.ts';
import type { RollBlock } from '../files/read-rolls.ts';
import type { FieldType, MetricDamage } from '../port.ts';
import type { Pack } from '../files/pack.ts';
import { openPartition, PART_MS, partFile, wholePart } from '../files/partition.ts';
import { Rows } from '../files/rows.ts';
import { entryDamage, takeEntry, type Entry } from '../files/wal.ts';
import { createBlockMemory, openPacks, openRollBlocks, type FindBlock } from './blocks.ts';
import { openPartReader, type PartReader, type SeriesChunks } from './part-reader.ts';
import { createSettledMemory, type FindSettled } from './settled.ts';

/** A partition as a reader has it open. */
export interface OpenPart extends SeriesChunks {
  readonly bucket: number;
  readonly start: number;
  readonly db: Database.Database;
  readonly settled: FindSettled;
  readonly rollBlock: FindBlock<RollBlock>;
  readonly pack: FindBlock<Pack>;
  /** All points are still there; else only those of series without roll-ups. */
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

/** Bytes of packs that are remembered, with what was unpacked of them: two days of 256 slow series. */
const PACKS_REMEMBERED = 16 * 1024 * 1024;
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
  const packsIn = createBlockMemory(openPacks, PACKS_REMEMBERED);
  const typeOf = (field: number): FieldType => catalog.fields.get(field)?.type ?? 'float';
  const handles = new BoundedMap<string, Handle>(OPEN, ({ db }) => db.close());
  let rows = new Map<number, Rows>();
  let sealed = 0;
  let last = 0;
  let listed: { bucket: number; start: number }[] = [];

  /** True where points were sealed since the last time. */
  const read = head.transaction((): boolean => {
    catalog.refresh();
    const now = sealedNow.get() ?? 0;
    const isSealed = now !== sealed;
    if (isSealed) {
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
    return isSealed;
  });

  function handle(bucket: number, start: number): Handle | null {
    const name = `${bucket}/${start}`;
    let one = handles.get(name);
    if (!one) {
      try {
        const file = partFile(folder, bucket, start);
        const inode = inodeOf(file);
        const db = openPartition(folder, bucket, start, true);
        let packed = false;
        // The writer may give it packs while it is open.
        const hasPacks = () => (packed ||= hasColumn(db, 'series', 'pack'));
        const pack = packsIn(db);
        const told = (series: number | null, what: string) =>
          damaged(wholePart(bucket, start, what, series === null ? 'packs' : `series ${series}`));
        const chunks = openPartReader(db, hasPacks, pack, typeOf, told);
        one = {
          ...chunks,
          db,
          file,
          inode,
          pack,
          settled: settledIn(db, hasPacks),
          rollBlock: rollBlocksIn(db),
        };
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
      const isSealed = read();
      const names = new Set(listed.map(({ bucket, start }) => `${bucket}/${start}`));
      for (const [name, { db, file, inode }] of handles) {
        // A damaged file is set aside as points are sealed, and another has its name then.
        if (names.has(name) && !(isSealed && inodeOf(file) !== inode)) continue;
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

type Handle = PartReader &
  Pick<OpenPart, 'db' | 'settled' | 'rollBlock' | 'pack'> & { readonly file: string; readonly inode: number };

const inodeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.ino ?? 0;
