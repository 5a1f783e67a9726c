import type { LogRecord } from '../../../../contract/logs.ts';
import { parseJson } from '../../../../lib/json.ts';

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
  /** Level and ids, which many records share. A field that no record has is left out. */
  readonly shared: SharedColumns;
}

/** What says where a record comes from and how bad it is. */
export const SHARED_FIELDS = ['level', 'job_id', 'task_id', 'worker_id', 'source'] as const;
export type SharedField = (typeof SHARED_FIELDS)[number];
export type SharedColumns = { readonly [field in SharedField]?: SharedColumn };

/** Each value once, whatever the number of records that have it. */
export interface SharedColumn {
  /** For each record 0 where it has none, else 1 + the index of its value. */
  readonly codes: Uint16Array;
  readonly values: readonly string[];
}

export const CHUNK_RECORDS = 4096;
export const CHUNK_CHARACTERS = 1_000_000;

/** Values of a field so far: each with its code. */
type Words = {
  readonly [field in SharedField]: {
    readonly codes: Uint16Array;
    readonly values: string[];
    readonly known: Map<string, number>;
  };
};

/** Fills a chunk. It can be read at any time; `sealed` makes its texts whole and lets the rest go. Values that the chunk `before` knew are held once for both. */
export function createChunkBuilder(first: number, before?: { readonly words: Words }) {
  const ms = new Float64Array(CHUNK_RECORDS);
  const ns = new Uint32Array(CHUNK_RECORDS);
  const texts: string[] = [];
  const rests: string[] = [];
  // One for each of the fields, of which the loop makes them all.
  const words = Object.fromEntries(
    SHARED_FIELDS.map((field) => [field, { codes: new Uint16Array(CHUNK_RECORDS), values: [], known: new Map() }]),
  ) as unknown as Words;
  const earlier = before?.words;
  let characters = 0;
  let fine = false;

  function codeOf(field: SharedField, value: string): number {
    const { values, known } = words[field];
    let code = known.get(value);
    if (code === undefined) {
      const same = earlier?.[field].known.get(value);
      const text = same === undefined ? value : (earlier?.[field].values[same - 1] ?? '');
      if (same === undefined) characters += value.length;
      code = values.push(text);
      known.set(text, code);
    }
    return code;
  }
  const sharedFieldsAt = (i: number) => {
    const found: Record<string, string> = {};
    for (const field of SHARED_FIELDS) {
      const { codes, values } = words[field];
      if (codes[i] !== 0) found[field] = values[(codes[i] ?? 0) - 1] ?? '';
    }
    return found;
  };

  return {
    first,
    words,
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
      const [at, below] = parseInstant(record._time);
      ms[i] = at;
      ns[i] = below;
      fine ||= below > 0;
      for (const field of SHARED_FIELDS) {
        const value = record[field];
        if (value !== undefined && value !== null) words[field].codes[i] = codeOf(field, String(value));
      }
      const custom = restOf(record);
      texts.push(record._msg ?? '');
      rests.push(custom);
      characters += (record._msg ?? '').length + custom.length;
    },
    message: (i: number) => texts[i] ?? '',
    record: (i: number): LogRecord =>
      recordAt(ms[i] ?? 0, ns[i] ?? 0, texts[i] ?? '', sharedFieldsAt(i), rests[i] ?? ''),
    ms: (i: number) => ms[i] ?? 0,
    sealed(): Chunk {
      const count = texts.length;
      const shared = Object.fromEntries(
        SHARED_FIELDS.filter((field) => words[field].values.length > 0).map((field) => [
          field,
          { codes: words[field].codes.slice(0, count), values: words[field].values.slice() },
        ]),
      );
      return {
        first,
        count,
        characters,
        ms: ms.slice(0, count),
        ns: fine ? ns.slice(0, count) : null,
        text: texts.join(''),
        ends: textEnds(texts),
        rest: rests.join(''),
        restEnds: textEnds(rests),
        shared,
      };
    },
  };
}
export type ChunkBuilder = ReturnType<typeof createChunkBuilder>;

function textEnds(texts: readonly string[]): Uint32Array {
  const ends = new Uint32Array(texts.length);
  let at = 0;
  for (const [i, text] of texts.entries()) ends[i] = at += text.length;
  return ends;
}

export const messageAt = (chunk: Chunk, i: number): string =>
  chunk.text.slice(i === 0 ? 0 : chunk.ends[i - 1], chunk.ends[i]);
const restText = (chunk: Chunk, i: number): string =>
  chunk.rest.slice(i === 0 ? 0 : chunk.restEnds[i - 1], chunk.restEnds[i]);

/** The record as it came, but for the order of its fields. */
export const recordIn = (chunk: Chunk, i: number): LogRecord =>
  recordAt(chunk.ms[i] ?? 0, chunk.ns?.[i] ?? 0, messageAt(chunk, i), sharedIn(chunk.shared, i), restText(chunk, i));

function sharedIn(shared: SharedColumns, i: number): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of SHARED_FIELDS) {
    const code = shared[field]?.codes[i] ?? 0;
    if (code !== 0) found[field] = shared[field]?.values[code - 1] ?? '';
  }
  return found;
}

function recordAt(
  ms: number,
  ns: number,
  message: string,
  shared: Readonly<Record<string, string>>,
  rest: string,
): LogRecord {
  return {
    _time: timeText(ms, ns),
    _msg: message,
    ...shared,
    ...(rest === '' ? {} : parseJson<object>(rest)),
  } as LogRecord;
}

const OWN: ReadonlySet<string> = new Set(['_time', '_msg', '_stream', '_stream_id', ...SHARED_FIELDS]);
function restOf(record: LogRecord): string {
  let rest: Record<string, unknown> | null = null;
  for (const field in record) if (!OWN.has(field) && record[field] !== undefined) (rest ??= {})[field] = record[field];
  return rest === null ? '' : JSON.stringify(rest);
}

/** Unix milliseconds and the nanoseconds below of a time as the log store writes it. */
export function parseInstant(text: string): readonly [ms: number, ns: number] {
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
