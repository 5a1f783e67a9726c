import { MIN_REDACTED_CHARACTERS } from '../../../../contract/secret-names.ts';
import { createRedactor, type NamedSecret, type Redactor } from '../../../../lib/redact.ts';
import { encodeBlock, type BlockUse, type EncodedBlock } from '../blocks/encode.ts';
import { orderOf, Rows } from '../blocks/rows.ts';
import type { Ack } from '../files/batch-ids.ts';
import { BLOCK_BYTES, BLOCK_ROWS, isLarge, isWide } from '../merge/plan.ts';
import type { LogBatch } from '../port.ts';
import { dayNumber } from '../time.ts';
import { createLineReader, type LineReader } from './ingest.ts';
import type { LineLimits } from './line-keys.ts';

export type NewBatch = Pick<LogBatch, 'id' | 'ndjson' | 'options'>;
export type BatchOutcome = Ack & { duplicate: boolean; rest?: Uint8Array };

/** Batches as blocks ready to be written, and what came of each batch. */
export interface EncodedBatches {
  readonly blocks: readonly EncodedBlock[];
  readonly outcomes: readonly BatchOutcome[];
}

export interface HowToEncode {
  /** Unix ms, for lines without a time. */
  readonly at: number;
  /** Numbers the lines. */
  arrival(): number;
  /** What was stored of the batch with this id before. */
  known(id: string): Ack | undefined;
  /** After so long the lines of a batch without an id that are left over are given back, so that others get their turn. */
  readonly turnMs: number;
}

/** Turns batches into blocks. Holds no file: one that writes has its own, and threads beside it have more. */
export interface BatchEncoder {
  encode(batches: readonly NewBatch[], how: HowToEncode): EncodedBatches;
  redact(secrets: readonly NamedSecret[]): void;
  /** No batch comes for a while. */
  rest(): void;
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

export function createBatchEncoder(limits: LineLimits): BatchEncoder {
  let redactor: Redactor | null = null;
  /** V8 drops what it compiled for closures with the last of them: those of the last batch live until the next one, or until none comes. */
  const lately: { reader: LineReader | null } = { reader: null };
  /** Their room is the next rows'. New room for each block is as much work as filling it, and waits to be collected as garbage. */
  let spare: Rows | null = null;
  /** What was left over has no secrets any more. */
  const cleaned = new WeakMap<Uint8Array, Redactor>();

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

  function restOf(bytes: Buffer, from: number): Uint8Array {
    const rest = new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
    if (redactor !== null) cleaned.set(rest, redactor);
    return rest;
  }

  return {
    encode(batches, { at, arrival, known, turnMs }) {
      const ends = performance.now() + turnMs;
      const hot = batches.reduce((sum, { ndjson }) => sum + ndjson.length, 0) < SEALED_BYTES;
      const blocks: EncodedBlock[] = [];
      const ids = new Map<string, Ack>();
      let rows = new Rows(FEW_ROWS, hot ? null : spare);
      if (!hot) spare = null;
      const isFullRows = () => rows.count >= BLOCK_ROWS || rows.bytes >= BLOCK_BYTES || isWide(rows);
      const purposeOf = (part: Uint32Array): BlockUse =>
        hot
          ? 'hot'
          : isLarge({ rows: part.length, bytes: (rows.bytes * part.length) / rows.count })
            ? 'whole'
            : 'batch';
      const end = () => {
        if (rows.count > 0)
          for (const part of byDay(rows)) blocks.push(encodeBlock(rows, part, LEVEL, purposeOf(part)));
      };
      const outcomes = batches.map(({ id, ndjson, options }) => {
        const before = id === null ? undefined : (ids.get(id) ?? known(id));
        if (before) return { ...before, duplicate: true };
        const bytes = withoutSecrets(ndjson);
        const reader = createLineReader(options, limits, arrival, redactor === null ? null : redactor.text);
        let from = 0;
        while (from < bytes.length) {
          from = reader.read(bytes, from, rows, at, isFullRows);
          if (!isFullRows()) continue;
          end();
          // As large as the last: many fields fill a block with few rows, and each field has room for them all.
          rows = new Rows(Math.min(4096, Math.max(FEW_ROWS, rows.count)), isSpare(rows) ? rows : null);
          if (id === null && performance.now() > ends) break;
        }
        if (bytes.length <= KEPT_BYTES && rows.fields.size <= KEPT_FIELDS) lately.reader = reader;
        const ack = { stored: reader.stored, skipped: reader.skipped };
        if (id !== null) ids.set(id, ack);
        return { ...ack, duplicate: false, ...(from < bytes.length ? { rest: restOf(bytes, from) } : {}) };
      });
      end();
      // Few lines would have to clear room for many, each time.
      if (!hot && isSpare(rows)) spare = rows;
      return { blocks, outcomes };
    },
    redact(secrets) {
      redactor = secrets.some(({ value }) => value.length >= MIN_REDACTED_CHARACTERS)
        ? createRedactor(secrets, MIN_REDACTED_CHARACTERS)
        : null;
    },
    rest() {
      lately.reader = null;
      spare = null;
    },
  };
}

const isSpare = ({ fields }: Rows): boolean => fields.size <= KEPT_FIELDS;

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
