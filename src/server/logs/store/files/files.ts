import { join } from 'node:path';
import { errorMessage } from '../../../../lib/errors.ts';
import type { EncodedBlock } from '../blocks/encode.ts';
import {
  asideFiles,
  BrokenFile,
  dayOfFile,
  isDamage,
  logFiles,
  nextFile,
  openForWriting,
  removeFile,
  quarantineFile,
  sizeOf,
  walBytes,
  type AsideFile,
  type BlockRow,
} from './schema.ts';
import { asideDamage, lostFiles } from './lost-files.ts';
import { openFile, type OpenFile } from './open-file.ts';
import { REMEMBERED_BATCHES_OLD, type Ack } from './batch-ids.ts';
import { dayName } from '../time.ts';
import type { StoreDamage } from '../port.ts';
import type { WriterOptions } from '../write/writer.ts';

/** A file that takes no more lines, and what there is to know of it. */
interface OldFile {
  readonly name: string;
  rows: number;
  blocks: number;
  t0: number;
  t1: number;
  size: number;
  /** Unix ms of its last block. */
  born: number;
  /** Open while there is something to do in it. */
  file: OpenFile | null;
  /** Closed until its turn comes: there may be something to do in it, but enough others are open. */
  waits: boolean;
}

/** The files of a folder: one takes what comes, the others are tidied until nothing is left to do in them. */
export interface Files {
  /** The next line's number. */
  arrival(): number;
  /** The first of so many numbers, which no other line gets. */
  reserve(lines: number): number;
  /** The last number that was given. */
  arrived(): number;
  /** Writes blocks, and whatever `more` does, in one transaction. */
  put(blocks: readonly EncodedBlock[], more: (file: OpenFile) => void): void;
  /** Writes blocks of a file anew as these. */
  replace(file: OpenFile, ids: readonly number[], by: readonly EncodedBlock[]): void;
  /** Those that may have something to be done in, the newest first. */
  open(): OpenFile[];
  current(): OpenFile;
  /** Nothing is left to do in a file. */
  settled(file: OpenFile): void;
  /** The newest file cannot be written: another one takes its place. */
  abandon(why: string): void;
  /** Throws where nothing can be written. */
  probe(): void;
  /** What does not fit: the oldest files that take no lines. */
  old(): readonly OldFile[];
  /** Those that were set aside, the oldest first. */
  aside(): readonly AsideFile[];
  /** One of the old ones, or of those set aside. */
  remove(name: string): void;
  /** On the disk, with the write-ahead logs and what was set aside; not older than two seconds. */
  bytes(): number;
  /** Of these, what is in write-ahead logs. */
  waitingBytes(): number;
  /** Empties the write-ahead logs that nobody reads at this moment. */
  checkpoint(): void;
  fileBytes(): number;
  damaged(): number;
  stats(): { rows: number; bytes: number; blocks: number; oldest: number | null; newest: number | null };
  close(): void;
}

/** A new file begins at this size, or earlier where the store has to be small. */
const FILE_BYTES = 512 * 1024 * 1024;
const MIN_FILE_BYTES = 1024 * 1024;
/** A smaller one goes on taking lines for some days: each file costs whoever reads a handle, memory and two milliseconds. */
const SMALL_FILE_BYTES = 32 * 1024 * 1024;
const SMALL_FILE_DAYS = 7;
/** Where lines go after so many days, a file has no more than this share of them. */
const SHARE_OF_DAYS = 1 / 16;
const DAY_MS = 86_400_000;
const SIZE_MS = 2000;
/** So many of the files that take no more lines are open at once after a start; the others follow one by one. */
const OPEN_AT_ONCE = 4;

export function createFiles(
  options: Pick<
    WriterOptions,
    'folder' | 'storeBytes' | 'retentionDays' | 'durable' | 'pages' | 'arrived' | 'now' | 'log' | 'report'
  >,
  seen: (id: string, ack: Ack) => void,
): Files {
  const { folder, now, log } = options;
  let damaged = 0;
  function report(damage: StoreDamage): void {
    damaged++;
    options.report?.(damage);
  }
  const old: OldFile[] = [];
  let nextId = 1;
  let nextSeq = (options.arrived ?? 0) + 1;
  let taking: OpenFile | null = null;
  let measured = { at: -Infinity, bytes: 0 };

  for (const gone of lostFiles(folder)) report(gone);
  const names = logFiles(folder);
  for (const name of names) {
    const file = openOrSetAside(name);
    if (file === null) continue;
    for (const { id, s1 } of file.live.values()) {
      nextId = Math.max(nextId, id + 1);
      nextSeq = Math.max(nextSeq, s1 + 1);
    }
    const { id, seq } = file.last;
    nextId = Math.max(nextId, id + 1);
    nextSeq = Math.max(nextSeq, seq + 1);
    if (names.indexOf(name) >= names.length - 2) file.eachSeen(seen);
    if (taking) retire(taking);
    taking = file;
    const one = old.at(-1 - OPEN_AT_ONCE);
    if (!one) continue;
    // There may be hundreds: each has handles and its rows in memory, and is asked again and again what there is to do.
    one.file?.close();
    one.file = null;
    one.waits = true;
  }

  function openOrSetAside(name: string, told = report): OpenFile | null {
    try {
      return opened(name, told);
    } catch (error) {
      if (!(error instanceof BrokenFile) && !isDamage(error)) throw error;
      const aside = quarantineFile(folder, name);
      log(
        `the log file ${join(folder, name)} is damaged (${errorMessage(error)}); it was renamed to ${aside}, and its lines cannot be searched`,
      );
      report(asideDamage(folder, aside));
      return null;
    }
  }
  function opened(name: string, told = report): OpenFile {
    const db = openForWriting(join(folder, name), options.durable, options.pages);
    try {
      return openFile(name, db, told);
    } catch (error) {
      db.close();
      throw error;
    }
  }
  function retire(file: OpenFile): void {
    const size = sizeOf(folder, file.name);
    old.push({ name: file.name, ...summary(file.live.values()), size, file, waits: false });
  }
  /** Opens the newest of those that wait, and can be opened. What is missing in it was told at the start. */
  function openNext(): void {
    for (let one = waiting(); one; one = waiting()) {
      const file = openOrSetAside(one.name, () => {});
      one.waits = false;
      one.file = file;
      if (file) return;
      old.splice(old.indexOf(one), 1);
    }
  }
  const waiting = () => old.findLast(({ waits }) => waits);

  const fileBytes = () => Math.min(FILE_BYTES, Math.max(MIN_FILE_BYTES, Math.floor(options.storeBytes / 8)));
  /** For how many days a file takes lines. */
  function daysOf(size: number): number {
    if (size >= SMALL_FILE_BYTES) return 1;
    return options.retentionDays <= 0
      ? SMALL_FILE_DAYS
      : Math.min(SMALL_FILE_DAYS, Math.max(1, Math.floor(options.retentionDays * SHARE_OF_DAYS)));
  }
  function current(): OpenFile {
    const today = dayName(now());
    const names = logFiles(folder);
    if (taking) {
      const size = sizeOf(folder, taking.name);
      if (size < fileBytes() && dayOfFile(taking.name) > dayName(now() - daysOf(size) * DAY_MS)) return taking;
    }
    const fresh = opened(nextFile(names, today));
    if (taking) retire(taking);
    taking = fresh;
    return taking;
  }

  function write(file: OpenFile, blocks: readonly EncodedBlock[], born: number, more: () => void): void {
    file.change(() => {
      for (const block of blocks) file.putBlock(nextId++, block, born);
      more();
    });
  }

  return {
    arrival: () => nextSeq++,
    reserve(lines) {
      nextSeq += lines;
      return nextSeq - lines;
    },
    arrived: () => nextSeq - 1,
    put(blocks, more) {
      const file = current();
      write(file, blocks, now(), () => more(file));
    },
    replace(file, ids, by) {
      // Lines that are written anew are no younger for it.
      const born = Math.max(...ids.map((id) => file.live.get(id)?.born ?? 0));
      write(file, by, born, () => file.bury(ids, now()));
      const one = old.find((o) => o.file === file);
      if (one) Object.assign(one, summary(file.live.values()));
    },
    open: () => [...(taking ? [taking] : []), ...old.flatMap(({ file }) => file ?? []).reverse()],
    current,
    settled(file) {
      const one = old.find((o) => o.file === file);
      if (!one) return;
      file.forget(REMEMBERED_BATCHES_OLD);
      file.db.pragma('wal_checkpoint(TRUNCATE)');
      file.close();
      one.file = null;
      one.size = sizeOf(folder, one.name);
      openNext();
    },
    abandon(why) {
      if (!taking) return;
      damaged++;
      log(
        `the log file ${join(folder, taking.name)} is damaged (${why}); new lines go to a new file, and readable lines of the damaged file stay searchable`,
      );
      const fresh = opened(nextFile(logFiles(folder), dayName(now())));
      const one: OldFile = {
        name: taking.name,
        ...summary(taking.live.values()),
        size: sizeOf(folder, taking.name),
        file: null,
        waits: false,
      };
      old.push(one);
      try {
        taking.close();
      } catch {
        // It could not be written before.
      }
      taking = fresh;
    },
    probe() {
      const { db } = current();
      db.transaction(() => void db.exec('UPDATE format SET version = version'))();
    },
    old: () => old,
    aside: () => asideFiles(folder),
    remove(name) {
      const one = old.find((o) => o.name === name);
      if (!one) {
        if (!asideFiles(folder).some((aside) => aside.name === name)) return;
        measured.at = -Infinity;
        return removeFile(folder, name);
      }
      const { file } = one;
      file?.close();
      one.file = null;
      removeFile(folder, name);
      old.splice(old.indexOf(one), 1);
      if (file) openNext();
      measured.at = -Infinity;
    },
    bytes() {
      if (Math.abs(now() - measured.at) > SIZE_MS)
        measured = {
          at: now(),
          bytes: old.reduce(
            (sum, { name, file, size }) => sum + (file === null ? size : sizeOf(folder, name)),
            asideFiles(folder).reduce((sum, { bytes }) => sum + bytes, taking ? sizeOf(folder, taking.name) : 0),
          ),
        };
      return measured.bytes;
    },
    waitingBytes() {
      return this.open().reduce((sum, { name }) => sum + walBytes(folder, name), 0);
    },
    checkpoint() {
      for (const file of this.open()) file.checkpoint(0);
      measured.at = -Infinity;
    },
    fileBytes,
    damaged: () => damaged,
    stats() {
      const all = [...old, ...(taking ? [summary(taking.live.values())] : [])];
      const oldest = Math.min(...all.map(({ t0 }) => t0));
      const newest = Math.max(...all.map(({ t1 }) => t1));
      return {
        rows: all.reduce((sum, { rows }) => sum + rows, 0),
        blocks: all.reduce((sum, { blocks }) => sum + blocks, 0),
        bytes: this.bytes(),
        oldest: Number.isFinite(oldest) ? oldest : null,
        newest: Number.isFinite(newest) ? newest : null,
      };
    },
    close() {
      for (const file of [taking, ...old.map((one) => one.file)]) {
        if (!file) continue;
        try {
          file.db.pragma('wal_checkpoint(TRUNCATE)');
        } catch {
          // What is in the log is found again at the next start.
        }
        file.close();
      }
    },
  };
}

function summary(blocks: Iterable<BlockRow>): { rows: number; blocks: number; t0: number; t1: number; born: number } {
  const sum = { rows: 0, blocks: 0, t0: Infinity, t1: -Infinity, born: 0 };
  for (const { rows, t0, t1, born } of blocks) {
    sum.rows += rows;
    sum.blocks++;
    sum.t0 = Math.min(sum.t0, t0);
    sum.t1 = Math.max(sum.t1, t1);
    sum.born = Math.max(sum.born, born);
  }
  return sum;
}
