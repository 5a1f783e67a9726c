import { itemAt } from '../../../../lib/item-at.ts';
import { BoundedMap } from '../../../../lib/bounded-map.ts';
import { mkdirSync, statfsSync } from 'node:fs';
import { errorMessage } from '../../../../lib/errors.ts';
import { MIN_REDACTED_CHARACTERS } from '../../../../contract/secret-names.ts';
import { Fault } from '../../../../lib/fault.ts';
import { createRedactor, type NamedSecret, type Redactor } from '../../../../lib/redact.ts';
import { encodeBlock, type BlockUse, type EncodedBlock } from '../blocks/encode.ts';
import { isDamage, isFull } from '../files/schema.ts';
import { createFiles } from '../files/files.ts';
import { createLineReader, type LineReader } from './ingest.ts';
import type { LineLimits } from './line-keys.ts';
import type { Merge } from '../merge/merge.ts';
import type { LogBatch, StoreDamage } from '../port.ts';
import { BLOCK_BYTES, BLOCK_ROWS, isLarge, isWide } from '../merge/plan.ts';
import { orderOf, Rows } from '../blocks/rows.ts';
import { type Ack, REMEMBERED_BATCHES } from '../files/batch-ids.ts';
import { dayNumber } from '../time.ts';
import { createMaintenance } from './maintenance.ts';

export interface WriterOptions {
  folder: string;
  limits: LineLimits;
  /** Bytes of all files; above, the oldest go. */
  storeBytes: number;
  /** Days after which a file goes that took no more lines since; 0: never. */
  retentionDays: number;
  /** Bytes of the disk that are left free. */
  reserveBytes: number;
  /** Pages of 8 KB that a file may have; for tests of a full disk. */
  pages?: number;
  /** A batch that takes longer lets the others go first; for tests. */
  turnMs?: number;
  /** Commits survive a power cut too. */
  durable: boolean;
  /** Merges blocks, in a thread of its own. */
  merge: Merge;
  /** When the oldest query under way began, unix ms; Infinity: none is. */
  oldestQuery(): number;
  now(): number;
  log(line: string): void;
  /** Hears of lines that cannot be read. */
  report?(damage: StoreDamage): void;
  /** Hears of files that are no more. */
  removed?(file: string): void;
}

export interface WriterStats {
  rows: number;
  bytes: number;
  blocks: number;
  oldest: number | null;
  newest: number | null;
  refusing: string | null;
  /** Since the start. */
  stored: number;
  skipped: number;
  duplicates: number;
  refused: number;
  damaged: number;
}

export type BatchOutcome = Ack & { duplicate: boolean; rest?: Uint8Array<ArrayBuffer> };

export interface LogWriter {
  /**
   * Stores batches in one transaction. Throws STORE_FULL, and then none is stored. `turnMs`: after so long the lines of a batch without
   * an id that are left over are given back, so that others get their turn.
   */
  insert(batches: readonly Pick<LogBatch, 'id' | 'ndjson' | 'options'>[], turnMs?: number): BatchOutcome[];
  /** Does some of what can wait: sealing, merging, retention. False: there is nothing to do now. */
  work(idle: boolean): boolean;
  redact(secrets: readonly NamedSecret[]): void;
  configure(options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'> & { reserveBytes?: number }): void;
  stats(): WriterStats;
  /** The number of the newest line; each line has a greater one than those that came before it. */
  arrived(): number;
  close(): void;
}

/** Batches of together as many bytes become a block; less waits in small ones to be merged. */
const SEALED_BYTES = 256 * 1024;
/** Where lines of one batch are of more days than this, they are not parted by day. */
const DAYS = 32;
const LEVEL = 1;
/** A reader holds its batch and the rows: no larger one outlives them. */
const KEPT_BYTES = 2 * 1024 * 1024;
const KEPT_FIELDS = 100;
/** Room grows with the rows: each of a thousand fields has room for all of them. */
const FEW_ROWS = 64;
const ROOM_MS = 1000;
/** That it can write again is said once it could for so long: on a full disk there is room for a little now and then. */
const CALM_MS = 5000;
const ID_CHARACTERS = 200;

/** The one writer of a store's folder. Throws a `Fault` for a file of an unknown format. */
export function openWriter(options: WriterOptions): LogWriter {
  const { folder, limits, now, log } = options;
  mkdirSync(folder, { recursive: true });
  /** The batches that were stored lately, by id. */
  const seen = new BoundedMap<string, Ack>(REMEMBERED_BATCHES);
  const files = createFiles(options, (id, ack) => seen.set(id, ack));
  const upkeep = createMaintenance(options, files);
  let redactor: Redactor | null = null;
  let refusing: string | null = null;
  /** It was said that nothing can be written. */
  let saidFull = false;
  /** Since when it can be again. */
  let calmSince = 0;
  /** What was last said about the upkeep. */
  let told = '';
  let room = { at: 0, full: false };
  /** V8 drops what it compiled for closures with the last of them: those of the last batch live until the next one, or until none comes. */
  const lately: { reader: LineReader | null } = { reader: null };
  /** What was left over has no secrets any more. */
  const cleaned = new WeakMap<Uint8Array, Redactor>();
  const counts = { stored: 0, skipped: 0, duplicates: 0, refused: 0 };

  /** Throws while the disk has too little room, so that what else lives there can go on. */
  function checkRoom(): void {
    if (Math.abs(now() - room.at) >= ROOM_MS) {
      const { bavail, bsize } = statfsSync(folder);
      room = { at: now(), full: bavail * bsize < options.reserveBytes };
    }
    if (room.full) throw full(`less than ${Math.round(options.reserveBytes / 1e6)} MB of disk space is free`);
  }
  const full = (why: string): Fault =>
    new Fault(
      'STORE_FULL',
      `the log store cannot write (${why}): free disk space for ${folder}; the log store then recovers automatically`,
    );

  function withoutSecrets(ndjson: Uint8Array): Buffer {
    const bytes = Buffer.from(ndjson.buffer, ndjson.byteOffset, ndjson.length);
    if (redactor === null || cleaned.get(ndjson) === redactor) return bytes;
    const text = bytes.toString();
    if (redactor.text(text) === text) return bytes;
    const { json } = redactor;
    return Buffer.from(
      text
        .split('\n')
        .map((line) => json(line))
        .join('\n'),
    );
  }

  function restOf(bytes: Buffer, from: number): Uint8Array<ArrayBuffer> {
    const rest = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset + from, bytes.length - from);
    if (redactor !== null) cleaned.set(rest, redactor);
    return rest;
  }

  function encode(
    batches: Parameters<LogWriter['insert']>[0],
    turnMs: number,
  ): { blocks: EncodedBlock[]; acks: BatchOutcome[] } {
    const ends = performance.now() + turnMs;
    const hot = batches.reduce((sum, { ndjson }) => sum + ndjson.length, 0) < SEALED_BYTES;
    const blocks: EncodedBlock[] = [];
    const ids = new Map<string, Ack>();
    let rows: Rows = new Rows(FEW_ROWS);
    const at = now();
    const isFullRows = () => rows.count >= BLOCK_ROWS || rows.bytes >= BLOCK_BYTES || isWide(rows);
    const purposeOf = (part: Uint32Array): BlockUse =>
      hot ? 'hot' : isLarge({ rows: part.length, bytes: (rows.bytes * part.length) / rows.count }) ? 'whole' : 'batch';
    const end = () => {
      if (rows.count > 0) for (const part of byDay(rows)) blocks.push(encodeBlock(rows, part, LEVEL, purposeOf(part)));
    };
    const acks = batches.map(({ id, ndjson, options: how }) => {
      const known = id === null ? undefined : (ids.get(id) ?? seen.get(id));
      if (known) return { ...known, duplicate: true };
      const bytes = withoutSecrets(ndjson);
      const reader = createLineReader(how, limits, files.arrival, redactor === null ? null : redactor.text);
      let from = 0;
      while (from < bytes.length) {
        from = reader.read(bytes, from, rows, at, isFullRows);
        if (!isFullRows()) continue;
        end();
        // As large as the last: many fields fill a block with few rows, and each field has room for them all.
        rows = new Rows(Math.min(4096, Math.max(FEW_ROWS, rows.count)));
        if (id === null && performance.now() > ends) break;
      }
      if (bytes.length <= KEPT_BYTES && rows.fields.size <= KEPT_FIELDS) lately.reader = reader;
      const ack = { stored: reader.stored, skipped: reader.skipped };
      if (id !== null) ids.set(id, ack);
      return { ...ack, duplicate: false, ...(from < bytes.length ? { rest: restOf(bytes, from) } : {}) };
    });
    end();
    return { blocks, acks };
  }

  function write(batches: Parameters<LogWriter['insert']>[0], turnMs: number): BatchOutcome[] {
    checkRoom();
    const { blocks, acks } = encode(batches, turnMs);
    const at = now();
    files.put(blocks, (file) => {
      batches.forEach(({ id }, i) => {
        const ack = itemAt(acks, i);
        if (id !== null && !ack.duplicate) file.remember(id, at, ack.stored, ack.skipped);
      });
    });
    batches.forEach(({ id }, i) => {
      const ack = itemAt(acks, i);
      if (ack.duplicate) counts.duplicates++;
      else {
        counts.stored += ack.stored;
        counts.skipped += ack.skipped;
        if (id !== null) seen.set(id, { stored: ack.stored, skipped: ack.skipped });
      }
    });
    return acks;
  }

  /** Tries after an error, once: in a new file where the newest one is damaged. */
  function guarded<T>(run: () => T): T {
    try {
      const result = run();
      if (refusing !== null) calmSince = now();
      refusing = null;
      sayCalm();
      return result;
    } catch (error) {
      const fault = isFull(error) ? full(errorMessage(error)) : error;
      if (!(fault instanceof Fault) || fault.code !== 'STORE_FULL') throw error;
      if (!saidFull) log(fault.message);
      saidFull = true;
      refusing = fault.message;
      throw fault;
    }
  }
  function sayCalm(): void {
    if (!saidFull || refusing !== null || Math.abs(now() - calmSince) < CALM_MS) return;
    saidFull = false;
    log('the log store can write again');
  }

  return {
    insert(given, turnMs = Infinity) {
      const batches = given.map((batch) => ({
        ...batch,
        id: batch.id === null ? null : batch.id.slice(0, ID_CHARACTERS),
      }));
      try {
        return guarded(() => {
          try {
            return write(batches, turnMs);
          } catch (error) {
            if (!isDamage(error)) throw error;
            files.abandon(errorMessage(error));
            return write(batches, turnMs);
          }
        });
      } catch (error) {
        counts.refused += batches.length;
        throw error;
      }
    },
    work(idle) {
      if (idle) lately.reader = null;
      try {
        if (refusing !== null)
          guarded(() => {
            checkRoom();
            files.probe();
          });
        sayCalm();
        return upkeep.step(idle);
      } catch (error) {
        if (error instanceof Fault && error.code === 'STORE_FULL') upkeep.retention();
        else if (!isFull(error) && told !== errorMessage(error)) {
          told = errorMessage(error);
          log(`log store maintenance failed: ${told}`);
        }
        return false;
      }
    },
    redact(secrets) {
      redactor = secrets.some(({ value }) => value.length >= MIN_REDACTED_CHARACTERS)
        ? createRedactor(secrets, MIN_REDACTED_CHARACTERS)
        : null;
    },
    configure: (changed) => void Object.assign(options, changed),
    stats: () => ({ ...files.stats(), ...counts, refusing, damaged: upkeep.damaged() + files.damaged() }),
    arrived: files.arrived,
    close: () => files.close(),
  };
}

/** Rows in the order of time, parted by day, so that a late line widens no block of today. */
function byDay(rows: Rows): Uint32Array[] {
  const order = orderOf(rows);
  const parts: Uint32Array[] = [];
  let from = 0;
  let day = Number.NaN;
  for (let i = 0; i <= order.length; i++) {
    const next = i < order.length ? dayNumber(rows.ms[order[i] ?? 0] ?? 0) : Number.NaN;
    if (next === day) continue;
    if (i > from) parts.push(order.subarray(from, i));
    if (parts.length > DAYS) return [order];
    from = i;
    day = next;
  }
  return parts;
}
