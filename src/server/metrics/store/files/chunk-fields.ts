import { ByteReader } from '../../../../lib/bytes.ts';
import { HAS_NS, HAS_WHO } from './chunk.ts';
import { decodeScaled, isScaled, openSection, takeSection, timesInto } from './codec.ts';

/** The numbers of a field times `scale`, and their times; of both what comes after `count` means nothing, and all is overwritten by the next. */
export interface FieldNumbers {
  readonly ms: Float64Array;
  readonly values: Float64Array;
  readonly count: number;
  readonly scale: number;
}

/** Fields of a chunk that are read one after the other. */
export interface ChunkFields {
  /** Times have a part below the millisecond. */
  readonly hasNs: boolean;
  /** Null: no row has the field. */
  read(field: number): FieldNumbers | null;
}

/** Fields are read into these, and times; they grow with the largest chunk. */
let fieldTimes = new Float64Array(1024);
let fieldValues = new Float64Array(1024);
/** Times of the rows that have a field, where not all do. */
let someTimes = new Float64Array(0);
/** What these times were read from: series that are written together have the same. */
let timesRead: { readonly bytes: Uint8Array; readonly count: number } | null = null;

function readTimes(bytes: Uint8Array, count: number): Float64Array {
  if (fieldTimes.length < count) {
    fieldTimes = new Float64Array(count * 2);
    fieldValues = new Float64Array(count * 2);
    timesRead = null;
  }
  if (timesRead?.count === count && areSame(timesRead.bytes, bytes)) return fieldTimes;
  timesRead = null;
  timesInto(bytes, count, fieldTimes);
  // Irregular ones are long, and hardly ever the same.
  if (bytes.length <= 64) timesRead = { bytes, count };
  return fieldTimes;
}

/** The times of the rows that have a bit. */
function timesWith(bitmap: Uint8Array, times: Float64Array, count: number): Float64Array {
  if (someTimes.length < count) someTimes = new Float64Array(times.length);
  for (let row = 0, at = 0; row < count; row++)
    if ((bitmap[row >> 3] ?? 0) & (1 << (row & 7))) someTimes[at++] = times[row] ?? 0;
  return someTimes;
}

function areSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The fields that rows of a chunk have. */
export function fieldsIn(data: Uint8Array): number[] {
  const reader = new ByteReader(data);
  const count = reader.varint();
  const flags = reader.u8();
  const found: number[] = [];
  for (let left = 1 + (flags & HAS_NS ? 1 : 0) + (flags & HAS_WHO ? 2 : 0); left > 0; left--) takeSection(reader);
  while (reader.more) {
    found.push(reader.varint());
    if (reader.varint() < count) takeSection(reader);
    takeSection(reader);
  }
  return found;
}

/** The last value of a field in a chunk; null: only whole rows can tell. */
export function lastIn(data: Uint8Array, field: number): { ms: number; value: number } | null {
  const chunk = openChunk(data, [{ id: field }]);
  const read = chunk?.hasNs === false ? chunk.read(field) : null;
  if (!chunk || !read) return null;
  return { ms: read.ms[read.count - 1] ?? 0, value: (read.values[read.count - 1] ?? 0) / read.scale };
}

/** A chunk of which some fields are read, without rows. Null: one of these has numbers beyond what a double holds, or the chunk has owners. */
export function openChunk(data: Uint8Array, wanted: readonly { readonly id: number }[]): ChunkFields | null {
  const reader = new ByteReader(data);
  const count = reader.varint();
  const flags = reader.u8();
  if (flags & HAS_WHO) return null;
  const times = takeSection(reader);
  if (flags & HAS_NS) takeSection(reader);
  const columns = new Map<number, { column: Uint8Array; present: number; bitmap: Uint8Array | null }>();
  while (reader.more) {
    const field = reader.varint();
    const present = reader.varint();
    const rows = present < count ? takeSection(reader) : null;
    const values = takeSection(reader);
    if (!wanted.some(({ id }) => id === field)) continue;
    const column = openSection(values);
    if (!isScaled(column)) return null;
    columns.set(field, { column, present, bitmap: rows && openSection(rows) });
  }
  return {
    hasNs: (flags & HAS_NS) !== 0,
    read(field) {
      const found = columns.get(field);
      if (!found) return null;
      const { column, present, bitmap } = found;
      const all = readTimes(openSection(times), count);
      const ms = bitmap ? timesWith(bitmap, all, count) : all;
      return { ms, values: fieldValues, count: present, scale: decodeScaled(column, present, fieldValues) };
    },
  };
}
