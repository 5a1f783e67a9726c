import { errorCode } from '../../../lib/errors.ts';
import { mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { uuidv7 } from '../../../lib/uuid.ts';
import { QUEUE } from './folders.ts';
import type { Frames } from './frames.ts';
import type { PipelineDamage } from './port.ts';
import {
  completeSegment,
  putSegment,
  readSegment,
  removeSegment,
  syncFolder,
  writeSegment,
  type SegmentData,
  type SegmentWriter,
} from './segment.ts';

export interface QueueOptions {
  folder: string;
  /** Bytes on disk above which the queue is full. */
  maxBytes: number;
  /** Bytes of one batch; a longer line is a batch by itself. */
  batchBytes: number;
  /** Appends survive a power cut too, not only the end of the process. */
  durable: boolean;
  now(): number;
  log(line: string): void;
  /** Hears of lines that cannot be read. */
  report?(damage: PipelineDamage): void;
}

/** A batch that waits to be delivered. Its id was given when it was begun and stays for good. */
export interface Batch {
  readonly id: string;
  readonly bytes: number;
  readonly lines: number;
  /** When its first line came, Unix ms. */
  readonly since: number;
}

/**
 * A bounded queue of batches, each a segment file: `<number>-<id>.open` while it is filled, `.batch` from then on, gone
 * once it is delivered. Nothing else has to be kept in step with the files, so a kill at any time leaves a whole queue.
 */
export interface Queue {
  /** Appends JSON lines, each with its newline, and says how many: fewer where the disk begins to refuse. Throws where it takes none. */
  append(lines: readonly string[]): number;
  /** Ends the batch that is being filled. */
  cut(): void;
  /** The oldest batch that is complete. */
  first(): Batch | null;
  read(batch: Batch): SegmentData;
  done(batch: Batch): void;
  /** Replaces a batch by two; both are there, or the batch still is. */
  split(batch: Batch, halves: readonly [SegmentData, SegmentData]): void;
  /** Adds a batch that has its id already. */
  put(id: string, data: SegmentData): void;
  /** When the first line of the batch that is being filled came; null: there is none. */
  readonly openSince: number | null;
  readonly oldest: number | null;
  readonly bytes: number;
  readonly lines: number;
  readonly full: boolean;
  close(): void;
  /** Reads all that waits. `read` is told how many bytes that were. */
  verify(read: (bytes: number) => Promise<void>): Promise<readonly PipelineDamage[]>;
}

/** Damaged segments that are kept, for whoever can make more of them. */
const KEPT = 100;
/** Lines came a little before the segment was begun. */
const SLACK_MS = 60_000;
const NAME = /^(\d{12})-([0-9a-zA-Z-]{1,80}(?:\.[01])*)\.(open|batch)$/;

interface Waiting extends Batch {
  readonly file: string;
  isDamaged?: boolean;
}

export function openQueue(options: QueueOptions): Queue {
  const { folder, maxBytes, batchBytes, durable, now } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let waiting: Waiting[] = [];
  let open: { id: string; file: string; writer: SegmentWriter; lines: number; since: number; ndjson: number } | null =
    null;
  let number = 0;
  let bytes = 0;
  let lines = 0;
  recover();

  function recover(): void {
    const names = readdirSync(folder).sort();
    const there = new Set(names);
    for (const name of names) if (name.endsWith('.tmp')) removeSegment(join(folder, name));
    for (const name of names) {
      const [, count, id, state] = NAME.exec(name) ?? [];
      if (count === undefined || id === undefined) continue;
      number = Math.max(number, Number(count));
      // The first half of a split is written last: where it is there, the whole is done for; where it is not, the second half is.
      if (
        there.has(`${count}-${id}.0.batch`) ||
        (id.endsWith('.1') &&
          !there.has(`${count}-${id.slice(0, -1)}0.batch`) &&
          there.has(`${count}-${id.slice(0, -2)}.batch`))
      ) {
        removeSegment(join(folder, name));
        continue;
      }
      const found = join(folder, name);
      const since = statSync(found).mtimeMs;
      const data = readSegment(found);
      if (data.torn > 0) options.log(`${data.torn} incomplete bytes at the end of ${found} are ignored`);
      const isDamaged = inspect(found, data, since) !== null;
      if (data.lines === 0) {
        discard(found, isDamaged);
        continue;
      }
      const file = join(folder, `${count}-${id}.batch`);
      if (state === 'open') {
        // Where it is not known what it had, it does not say so either.
        if (!data.complete && data.lost !== null) completeSegment(found, data);
        renameSync(found, file);
      }
      add({ id, file, bytes: data.ndjson.length, lines: data.lines, since, isDamaged });
    }
  }
  /** Tells of what a segment has lost; null: nothing. One that is complete says so at its end. */
  function inspect(file: string, { lost, complete, damaged }: Frames, since: number): PipelineDamage | null {
    const endsEarly = file.endsWith('.batch') && !complete;
    if (damaged === 0 && lost === 0 && !endsEarly) return null;
    const missing = lost === null || (endsEarly && lost === 0) ? null : lost;
    const damage: PipelineDamage = {
      file: `${QUEUE}/${basename(file).replace(/open$/, 'batch')}`,
      what: `${missing === null ? 'log lines' : `${missing} log lines`} that waited for the log store cannot be read (${endsEarly ? 'the file ends too early' : `${damaged} damaged bytes`})`,
      from: since - SLACK_MS,
      to: Math.max(since, now()) + 1,
      lost: missing,
    };
    options.report?.(damage);
    return damage;
  }
  function missing({ file, lines: lost, since }: Waiting): PipelineDamage {
    options.log(`the queue file ${file} is missing: its ${lost} log lines are lost`);
    const damage: PipelineDamage = {
      file: `${QUEUE}/${basename(file)}`,
      what: `the file is missing, with ${lost} log lines that waited for the log store`,
      from: since - SLACK_MS,
      to: Math.max(since, now()) + 1,
      lost,
    };
    options.report?.(damage);
    return damage;
  }
  /** Deletes a segment; a damaged one is set aside. */
  function discard(file: string, isDamaged: boolean): void {
    if (!isDamaged) return removeSegment(file);
    const aside = readdirSync(folder).filter((name) => name.endsWith('.damaged'));
    if (aside.length >= KEPT) return removeSegment(file);
    renameSync(file, `${file}.damaged`);
  }
  function add(batch: Waiting): void {
    waiting.push(batch);
    bytes += batch.bytes;
    lines += batch.lines;
  }
  const nextFile = (id: string, state: 'open' | 'batch') =>
    join(folder, `${String(++number).padStart(12, '0')}-${id}.${state}`);
  const named = (batch: Batch) => waiting.find((one) => one.id === batch.id) as Waiting;

  function begin(): NonNullable<typeof open> {
    // In the order of their making: lines of one millisecond are shown in the order of their arrival by it.
    const id = uuidv7();
    const file = nextFile(id, 'open');
    return (open = { id, file, writer: writeSegment(file, durable), lines: 0, since: now(), ndjson: 0 });
  }
  function cut(): void {
    if (open === null) return;
    const { id, file, writer, since } = open;
    const batch = { id, file: file.replace(/open$/, 'batch'), bytes: open.ndjson, lines: open.lines, since };
    const isComplete = writer.close();
    open = null;
    if (batch.lines === 0) return removeSegment(file);
    try {
      if (isComplete) renameSync(file, batch.file);
      else batch.file = file;
    } catch {
      // It goes under the name that it has.
      batch.file = file;
    }
    waiting.push(batch);
    if (durable) syncFolder(folder);
  }
  function write(group: readonly string[], size: number): void {
    const segment = open ?? begin();
    const data = Buffer.from(group.join(''));
    segment.writer.append(data, group.length);
    segment.lines += group.length;
    segment.ndjson += size;
    bytes += size;
    lines += group.length;
  }

  return {
    append(given) {
      let taken = 0;
      try {
        for (let from = 0; from < given.length;) {
          const before = open?.ndjson ?? 0;
          let size = 0;
          let to = from;
          for (; to < given.length; to++) {
            const length = Buffer.byteLength(given[to] ?? '');
            if (before + size > 0 && before + size + length > batchBytes) break;
            size += length;
          }
          if (to > from) write(given.slice(from, to), size);
          taken += to - from;
          from = to;
          if (from < given.length) cut();
        }
      } catch (error) {
        if (taken === 0) throw error;
      }
      return taken;
    },
    cut,
    first: () => waiting[0] ?? null,
    read(batch) {
      const one = named(batch);
      try {
        const data = readSegment(one.file);
        if (inspect(one.file, data, batch.since) !== null) one.isDamaged = true;
        return data;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        // Those behind it must not wait for ever.
        missing(one);
        return { ndjson: Buffer.alloc(0), lines: 0 };
      }
    },
    done(batch) {
      const at = waiting.findIndex((one) => one.id === batch.id);
      const [gone] = waiting.splice(at, 1);
      if (gone === undefined) return;
      bytes -= gone.bytes;
      lines -= gone.lines;
      discard(gone.file, gone.isDamaged === true);
    },
    split(batch, halves) {
      const whole = named(batch);
      const half = (i: 0 | 1) => ({
        id: `${batch.id}.${i}`,
        file: whole.file.replace(/\.(?:open|batch)$/, `.${i}.batch`),
        bytes: halves[i].ndjson.length,
        lines: halves[i].lines,
        since: batch.since,
      });
      const [first, second] = [half(0), half(1)];
      putSegment(second.file, halves[1], durable);
      putSegment(first.file, halves[0], durable);
      discard(whole.file, whole.isDamaged === true);
      waiting = waiting.flatMap((one) => (one === whole ? [first, second] : [one]));
    },
    put(id, data) {
      const file = nextFile(id, 'batch');
      putSegment(file, data, durable);
      add({ id, file, bytes: data.ndjson.length, lines: data.lines, since: now() });
    },
    get openSince() {
      return open?.since ?? null;
    },
    get oldest() {
      return waiting[0]?.since ?? open?.since ?? null;
    },
    get bytes() {
      return bytes;
    },
    get lines() {
      return lines;
    },
    get full() {
      return bytes >= maxBytes;
    },
    close() {
      cut();
    },
    async verify(read) {
      const found: PipelineDamage[] = [];
      for (const one of [...waiting]) {
        let data: Frames;
        try {
          data = readSegment(one.file);
        } catch (error) {
          if (errorCode(error) !== 'ENOENT') throw error;
          // It may have been delivered meanwhile.
          if (waiting.includes(one)) found.push(missing(one));
          continue;
        }
        const damage = inspect(one.file, data, one.since);
        if (damage) found.push(damage);
        await read(data.end + data.torn);
      }
      return found;
    },
  };
}
