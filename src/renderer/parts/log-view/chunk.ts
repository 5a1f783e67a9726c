import type { LogRecord } from '../../../contract/api.ts';
import { parseJson } from '../../../lib/json.ts';

/** Records in columns: texts are few long strings, not an object for each record. Filled once, then only read. */
export interface Chunk {
  /** Number of its first record; the others follow. */
  readonly first: number;
  readonly count: number;
  /** Characters that it holds. */
  readonly characters: number;
  /** Unix milliseconds. */
  readonly ms: Float64Array;
  /** Nanoseconds below the millisecond; null: all are 0. */
  readonly ns: Uint32Array | null;
  /** All messages; message `i` ends at `ends[i]`. */
  readonly text: string;
  readonly ends: Uint32Array;
  /** The custom fields of all records as JSON objects, empty where a record has none. */
  readonly rest: string;
  readonly restEnds: Uint32Array;
  /** Index into `origins`: level and ids, which many records share. */
  readonly codes: Uint16Array;
  readonly origins: readonly Origin[];
}

/** What says where a record comes from and how bad it is. */
export interface Origin {
  readonly level?: string;
  readonly job_id?: string;
  readonly task_id?: string;
  readonly worker_id?: string;
  readonly source?: string;
}
const ORIGIN = ['level', 'job_id', 'task_id', 'worker_id', 'source'] as const;

export const CHUNK_RECORDS = 4096;
export const CHUNK_CHARACTERS = 1_000_000;

/** Fills a chunk. It can be read at any time; `sealed` makes its texts whole and lets the rest go. */
export function createChunkBuilder(first: number) {
  const ms = new Float64Array(CHUNK_RECORDS);
  const ns = new Uint32Array(CHUNK_RECORDS);
  const codes = new Uint16Array(CHUNK_RECORDS);
  const texts: string[] = [];
  const rests: string[] = [];
  const origins: Origin[] = [];
  const known = new Map<string, number>();
  let characters = 0;
  let fine = false;

  return {
    first,
    get count() {
      return texts.length;
    },
    get characters() {
      return characters;
    },
    get full() {
      return texts.length === CHUNK_RECORDS || characters >= CHUNK_CHARACTERS;
    },
    add(record: LogRecord) {
      const i = texts.length;
      const [at, below] = instantOf(record._time);
      ms[i] = at;
      ns[i] = below;
      fine ||= below > 0;
      const origin: Record<string, string> = {};
      for (const field of ORIGIN) {
        const value = record[field];
        if (value !== undefined && value !== null) origin[field] = String(value);
      }
      const key = JSON.stringify(origin);
      let code = known.get(key);
      if (code === undefined) {
        known.set(key, (code = origins.length));
        origins.push(origin);
      }
      codes[i] = code;
      const custom = restOf(record);
      texts.push(record._msg ?? '');
      rests.push(custom);
      characters += (record._msg ?? '').length + custom.length;
    },
    message: (i: number) => texts[i] as string,
    record: (i: number): LogRecord => recordOf(ms[i] as number, ns[i] as number, texts[i] as string, origins[codes[i] as number] as Origin, rests[i] as string),
    ms: (i: number) => ms[i] as number,
    sealed(): Chunk {
      const count = texts.length;
      return { first, count, characters, ms: ms.slice(0, count), ns: fine ? ns.slice(0, count) : null, text: texts.join(''), ends: endsOf(texts), rest: rests.join(''), restEnds: endsOf(rests), codes: codes.slice(0, count), origins };
    },
  };
}
export type ChunkBuilder = ReturnType<typeof createChunkBuilder>;

function endsOf(texts: readonly string[]): Uint32Array {
  const ends = new Uint32Array(texts.length);
  let at = 0;
  for (const [i, text] of texts.entries()) ends[i] = at += text.length;
  return ends;
}

export const messageOf = (chunk: Chunk, i: number): string => chunk.text.slice(i === 0 ? 0 : chunk.ends[i - 1], chunk.ends[i]);
const restText = (chunk: Chunk, i: number): string => chunk.rest.slice(i === 0 ? 0 : chunk.restEnds[i - 1], chunk.restEnds[i]);

/** The record as it came, but for the order of its fields. */
export const recordIn = (chunk: Chunk, i: number): LogRecord => recordOf(chunk.ms[i] as number, chunk.ns?.[i] ?? 0, messageOf(chunk, i), chunk.origins[chunk.codes[i] as number] as Origin, restText(chunk, i));

function recordOf(ms: number, ns: number, message: string, origin: Origin, rest: string): LogRecord {
  return { _time: timeText(ms, ns), _msg: message, ...origin, ...(rest === '' ? {} : (parseJson(rest) as object)) } as LogRecord;
}

const OWN: ReadonlySet<string> = new Set(['_time', '_msg', '_stream', '_stream_id', ...ORIGIN]);
function restOf(record: LogRecord): string {
  let rest: Record<string, unknown> | null = null;
  for (const field in record) if (!OWN.has(field) && record[field] !== undefined) (rest ??= {})[field] = record[field];
  return rest === null ? '' : JSON.stringify(rest);
}

/** Unix milliseconds and the nanoseconds below of a time as the log store writes it. */
export function instantOf(text: string): readonly [ms: number, ns: number] {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return [0, 0];
  if (text.length <= 24) return [Math.floor(ms), 0];
  const digits = /\.\d{3}(\d{1,6})/.exec(text)?.[1];
  return [Math.floor(ms), digits === undefined ? 0 : Number(digits.padEnd(6, '0'))];
}

/** RFC 3339 in UTC with 3, 6 or 9 digits of a second. */
export function timeText(ms: number, ns: number): string {
  const text = new Date(ms).toISOString();
  if (ns === 0) return text;
  const digits = String(ns).padStart(6, '0');
  return `${text.slice(0, -1)}${ns % 1000 === 0 ? digits.slice(0, 3) : digits}Z`;
}
