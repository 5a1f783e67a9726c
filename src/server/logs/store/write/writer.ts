import { mkdirSync, statfsSync } from 'node:fs';
import { BoundedMap } from '../../../../lib/bounded-map.ts';
import { errorMessage } from '../../../../lib/errors.ts';
import { Fault } from '../../../../lib/fault.ts';
import { itemAt } from '../../../../lib/item-at.ts';
import type { NamedSecret } from '../../../../lib/redact.ts';
import { type Ack, REMEMBERED_BATCHES } from '../files/batch-ids.ts';
import { createFiles } from '../files/files.ts';
import { isDamage, isFull } from '../files/schema.ts';
import type { Merge } from '../merge/merge.ts';
import type { StoreDamage } from '../port.ts';
import { createBatchEncoder, type BatchOutcome, type EncodedBatches, type NewBatch } from './batch-encoder.ts';
import type { LineLimits } from './line-keys.ts';
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
  /** The number of the newest line that was acknowledged, when the writer is restarted: the file with it may be gone, and followers wait for higher numbers. */
  arrived?: number;
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

/** Numbers of lines that another thread encodes, from `from` on. */
export interface Reserved {
  /** Unix ms, for lines without a time. */
  readonly at: number;
  readonly from: number;
  readonly ids: readonly (string | null)[];
  /** The last of the numbers. */
  readonly newest: number;
}
/** What `commit` writes. */
export type NumberedBatches = EncodedBatches & Pick<Reserved, 'ids' | 'newest'>;

/** What throws STORE_FULL has stored nothing. */
export interface LogWriter {
  /** Stores batches in one transaction: encodes and commits them. `turnMs`: see `HowToEncode`. */
  insert(batches: readonly NewBatch[], turnMs?: number): readonly BatchOutcome[];
  /** Numbers the lines of batches, and turns them into blocks. */
  encode(batches: readonly NewBatch[], turnMs: number): NumberedBatches;
  /** Numbers for the lines of batches that are encoded elsewhere. */
  reserve(batches: readonly NewBatch[]): Reserved;
  /** Stores them in one transaction. Those that were numbered first come first: who follows the lines asks for greater numbers. */
  commit(batches: NumberedBatches): readonly BatchOutcome[];
  /** Counts batches that were not stored, as they could not be encoded elsewhere. */
  refused(batches: number): void;
  /** Whether a batch with this id was stored. */
  knows(id: string): boolean;
  /** Does some of what can wait: sealing, merging, retention. False: there is nothing to do now. */
  work(idle: boolean): boolean;
  redact(secrets: readonly NamedSecret[]): void;
  configure(options: Pick<WriterOptions, 'storeBytes' | 'retentionDays'> & { reserveBytes?: number }): void;
  stats(): WriterStats;
  /** The number of the newest line that was stored; each line has a greater one than those that came before it. */
  arrived(): number;
  close(): void;
}

const NEWLINE = 0x0a;
const ROOM_MS = 1000;
/** That it can write again is said once it could for so long: on a full disk there is room for a little now and then. */
const CALM_MS = 5000;

/** The one writer of a store's folder. Throws a `Fault` for a file of an unknown format. */
export function openWriter(options: WriterOptions): LogWriter {
  const { folder, limits, now, log } = options;
  mkdirSync(folder, { recursive: true });
  /** The batches that were stored lately, by id. */
  const seen = new BoundedMap<string, Ack>(REMEMBERED_BATCHES);
  const files = createFiles(options, (id, ack) => seen.set(id, ack));
  const upkeep = createMaintenance(options, files);
  const encoder = createBatchEncoder(limits);
  let newest = files.arrived();
  let refusing: string | null = null;
  /** It was said that nothing can be written. */
  let saidFull = false;
  /** Since when it can be again. */
  let calmSince = 0;
  /** What was last said about the upkeep. */
  let told = '';
  let room = { at: 0, full: false };
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

  function refusable<T>(batches: number, run: () => T): T {
    try {
      return run();
    } catch (error) {
      counts.refused += batches;
      throw error;
    }
  }
  /** Before the work of reading lines that cannot be written. */
  function checkRoomFor({ length }: readonly NewBatch[]): void {
    refusable(length, () => {
      try {
        checkRoom();
      } catch (error) {
        throw refusal(error);
      }
    });
  }
  function encode(batches: readonly NewBatch[], turnMs: number): NumberedBatches {
    checkRoomFor(batches);
    const encoded = refusable(batches.length, () =>
      encoder.encode(batches, { at: now(), arrival: files.arrival, known: (id) => seen.get(id), turnMs }),
    );
    return { ...encoded, ids: batches.map(({ id }) => id), newest: files.arrived() };
  }
  function reserve(batches: readonly NewBatch[]): Reserved {
    checkRoomFor(batches);
    const lines = batches.reduce((sum, { ndjson }) => sum + linesIn(ndjson), 0);
    return { at: now(), from: files.reserve(lines), ids: batches.map(({ id }) => id), newest: files.arrived() };
  }
  function commit(batches: NumberedBatches): readonly BatchOutcome[] {
    refusable(batches.ids.length, () => writing(() => putSomewhere(batches)));
    return batches.outcomes;
  }

  function put({ blocks, outcomes, ids, newest: last }: NumberedBatches): void {
    const at = now();
    files.put(blocks, (file) =>
      outcomes.forEach(({ duplicate, stored, skipped }, i) => {
        const id = itemAt(ids, i);
        if (id !== null && !duplicate) file.remember(id, at, stored, skipped);
      }),
    );
    newest = last;
    outcomes.forEach(({ duplicate, stored, skipped }, i) => {
      if (duplicate) return void counts.duplicates++;
      counts.stored += stored;
      counts.skipped += skipped;
      const id = itemAt(ids, i);
      if (id !== null) seen.set(id, { stored, skipped });
    });
  }
  /** Once more in a new file where the newest one is damaged. */
  function putSomewhere(batches: NumberedBatches): void {
    try {
      put(batches);
    } catch (error) {
      if (!isDamage(error)) throw error;
      files.abandon(errorMessage(error));
      put(batches);
    }
  }
  /** What to throw for an error: says once that nothing can be written, where that is why. */
  function refusal(error: unknown): unknown {
    const fault = isFull(error) ? full(errorMessage(error)) : error;
    if (!(fault instanceof Fault) || fault.code !== 'STORE_FULL') return error;
    if (!saidFull) log(fault.message);
    saidFull = true;
    refusing = fault.message;
    return fault;
  }
  function writing(run: () => void): void {
    try {
      run();
    } catch (error) {
      throw refusal(error);
    }
    if (refusing !== null) calmSince = now();
    refusing = null;
    sayCalm();
  }
  function sayCalm(): void {
    if (!saidFull || refusing !== null || Math.abs(now() - calmSince) < CALM_MS) return;
    saidFull = false;
    log('the log store can write again');
  }

  return {
    encode,
    reserve,
    commit,
    insert: (batches, turnMs = Infinity) => commit(encode(batches, turnMs)),
    refused: (batches) => void (counts.refused += batches),
    knows: (id) => seen.get(id) !== undefined,
    work(idle) {
      if (idle) encoder.rest();
      try {
        if (refusing !== null)
          writing(() => {
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
    redact: encoder.redact,
    configure: (changed) => void Object.assign(options, changed),
    stats: () => ({ ...files.stats(), ...counts, refusing, damaged: upkeep.damaged() + files.damaged() }),
    arrived: () => newest,
    close: () => files.close(),
  };
}

/** At most so many lines. */
function linesIn(ndjson: Uint8Array): number {
  const bytes = Buffer.from(ndjson.buffer, ndjson.byteOffset, ndjson.length);
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
