import { ByteReader, ByteWriter } from '../../../../lib/bytes.ts';
import {
  decodeNumbers,
  decodeTexts,
  decodeTimes,
  decodeWhole,
  encodeBig,
  encodeNumbers,
  encodeTexts,
  encodeTimes,
  encodeWhole,
  openSection,
  putSection,
  takeSection,
} from './codec.ts';
import { has, Rows, type Column } from './rows.ts';
import type { FieldType } from '../port.ts';
import { splitOwnerKey, ownerKey } from './owner-key.ts';

/** What a chunk says of one of its fields without being decoded. Of texts only `count` means something. */
export interface FieldStats {
  readonly field: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly first: number;
  readonly last: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lastNs: number;
  /** The last value is one that a double does not hold. */
  readonly rounded: boolean;
}

export interface ChunkRow {
  /** First and last time, Unix ms. */
  readonly t0: number;
  readonly t1: number;
  readonly n: number;
  /** Least and greatest job id of its rows, '' for those without; null: no row has an owner. */
  readonly job0: string | null;
  readonly job1: string | null;
  readonly stats: Uint8Array;
  readonly data: Uint8Array;
}

/** Flags of a chunk: it has nanoseconds; owners. */
export const HAS_NS = 1;
export const HAS_WHO = 2;

/** A buffer that served a larger chunk is given back. */
const KEPT = 256 * 1024;
let out = new ByteWriter(64 * 1024);
const stats = new ByteWriter(256);

/** Rows in order, each instant and owner once (`tidied`), from `start` to before `end`. `plain`: without compression, as it becomes part of what is compressed. */
export function encodeChunk(rows: Rows, start: number, end: number, plain = false): ChunkRow {
  const n = end - start;
  if (out.buffer.length > KEPT) out = new ByteWriter(64 * 1024);
  out.at = 0;
  stats.at = 0;
  const ns = rows.ns?.subarray(start, end).some((value) => value !== 0) ? rows.ns.subarray(start, end) : null;
  const who = rows.who?.slice(start, end).some((value) => value !== '')
    ? rows.who.slice(start, end).map(splitOwnerKey)
    : null;
  out.varint(n);
  out.u8((ns ? HAS_NS : 0) | (who ? HAS_WHO : 0));
  const put = (section: Uint8Array): void => putSection(out, section, plain);
  put(encodeTimes(rows.ms.subarray(start, end)));
  if (ns) put(wholeBytes(ns));
  if (who) {
    put(encodeTexts(who.map(({ job }) => job)));
    put(encodeTexts(who.map(({ task }) => task)));
  }
  for (const column of rows.columns.values()) {
    const present = presentIn(column, start, end);
    if (present !== null && present.length === 0) continue;
    out.varint(column.field);
    out.varint(present?.length ?? n);
    if (present) put(bitmapOf(present, start, n));
    // Most often every row has the field, and its numbers are taken as they lie.
    if (!present && !column.texts && !column.big) put(encodeNumbers(column.numbers.subarray(start, end)));
    else put(valuesOf(column, present ?? Array.from({ length: n }, (_, i) => start + i)));
    putStats(stats, statsOfField(column, present, start, end, rows));
  }
  const jobs = who?.map(({ job }) => job) ?? null;
  return {
    t0: rows.ms[start] ?? 0,
    t1: rows.ms[end - 1] ?? 0,
    n,
    job0: jobs && least(jobs),
    job1: jobs && greatest(jobs),
    stats: stats.done(),
    data: out.done(),
  };
}

const least = (texts: readonly string[]): string => texts.reduce((a, b) => (b < a ? b : a));
const greatest = (texts: readonly string[]): string => texts.reduce((a, b) => (b > a ? b : a));

/** The rows that have the field; null: all. */
function presentIn(column: Column, start: number, end: number): number[] | null {
  let row = start;
  while (row < end && has(column, row)) row++;
  if (row === end) return null;
  const present: number[] = [];
  for (let i = start; i < end; i++) if (i < row || has(column, i)) present.push(i);
  return present;
}

function wholeBytes(values: ArrayLike<number>): Uint8Array {
  const bytes = new ByteWriter(values.length * 2 + 16);
  encodeWhole(bytes, values);
  return bytes.done();
}

function bitmapOf(present: readonly number[], start: number, n: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(n / 8));
  for (const row of present) bits[(row - start) >> 3] = (bits[(row - start) >> 3] ?? 0) | (1 << ((row - start) & 7));
  return bits;
}

function valuesOf({ texts, numbers, big }: Column, present: readonly number[]): Uint8Array {
  if (texts) return encodeTexts(present.map((row) => texts[row] as string));
  if (big && present.some((row) => big.has(row)))
    return encodeBig(
      BigInt64Array.from(present, (row) => BigInt.asIntN(64, big.get(row) ?? BigInt(numbers[row] ?? 0))),
    );
  return encodeNumbers(Float64Array.from(present, (row) => numbers[row] ?? 0));
}

function statsOfField(
  { field, numbers, texts, big }: Column,
  present: readonly number[] | null,
  start: number,
  end: number,
  rows: Rows,
): FieldStats {
  const first = present ? (present[0] ?? 0) : start;
  const last = present ? (present.at(-1) ?? 0) : end - 1;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  if (!texts) {
    for (let row = first; row <= last; row++) {
      const value = numbers[row] ?? 0;
      if (value !== value) continue;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return {
    field,
    count: present?.length ?? end - start,
    sum,
    min: texts ? 0 : min,
    max: texts ? 0 : max,
    first: texts ? 0 : (numbers[first] ?? 0),
    last: texts ? 0 : (numbers[last] ?? 0),
    firstMs: rows.ms[first] ?? 0,
    lastMs: rows.ms[last] ?? 0,
    lastNs: rows.ns?.[last] ?? 0,
    rounded: texts !== null || big?.has(last) === true,
  };
}

function putStats(into: ByteWriter, { field, count, sum, min, max, first, last, ...more }: FieldStats): void {
  into.varint(field);
  into.varint(count);
  for (const value of [sum, min, max, first, last]) into.f64(value);
  into.zigzag(more.firstMs);
  into.zigzag(more.lastMs);
  into.varint(more.lastNs);
  into.u8(more.rounded ? 1 : 0);
}

export function decodeStats(bytes: Uint8Array): FieldStats[] {
  const reader = new ByteReader(bytes);
  const found: FieldStats[] = [];
  while (reader.more) {
    found.push({
      field: reader.varint(),
      count: reader.varint(),
      sum: reader.f64(),
      min: reader.f64(),
      max: reader.f64(),
      first: reader.f64(),
      last: reader.f64(),
      firstMs: reader.zigzag(),
      lastMs: reader.zigzag(),
      lastNs: reader.varint(),
      rounded: reader.u8() === 1,
    });
  }
  return found;
}

/** The rows of a chunk with the fields that are wanted. Throws where its bytes are damaged. */
export function decodeChunk(
  data: Uint8Array,
  typeOf: (field: number) => FieldType,
  wanted: ((field: number) => boolean) | null,
): Rows {
  const reader = new ByteReader(data);
  const n = reader.varint();
  const flags = reader.u8();
  const rows = new Rows();
  rows.count = n;
  rows.ms = decodeTimes(openSection(takeSection(reader)), n);
  if (flags & HAS_NS) rows.ns = Uint32Array.from(decodeWhole(new ByteReader(openSection(takeSection(reader))), n));
  if (flags & HAS_WHO) {
    const jobs = decodeTexts(openSection(takeSection(reader)), n);
    const tasks = decodeTexts(openSection(takeSection(reader)), n);
    rows.who = jobs.map((job, i) => ownerKey(job, tasks[i] ?? ''));
  }
  while (reader.more) {
    const field = reader.varint();
    const count = reader.varint();
    const bitmap = count < n ? takeSection(reader) : null;
    const values = takeSection(reader);
    if (!wanted || wanted(field))
      setColumn(rows, field, typeOf(field), count, bitmap ? openSection(bitmap) : null, openSection(values));
  }
  return rows;
}

function setColumn(
  rows: Rows,
  field: number,
  type: FieldType,
  count: number,
  bitmap: Uint8Array | null,
  bytes: Uint8Array,
): void {
  const places = bitmap ? placesOf(bitmap, rows.count) : null;
  if (type === 'string') {
    const texts = decodeTexts(bytes, count);
    rows.columns.set(field, {
      field,
      type,
      numbers: new Float64Array(0),
      big: null,
      texts: places ? spreadTexts(texts, places, rows.count) : texts,
    });
    return;
  }
  const values = decodeNumbers(bytes, count);
  if (values instanceof Float64Array && !places) {
    rows.columns.set(field, { field, type, numbers: values, big: null, texts: null });
    return;
  }
  const column: Column = {
    field,
    type,
    numbers: new Float64Array(rows.count).fill(Number.NaN),
    big: null,
    texts: null,
  };
  for (let i = 0; i < count; i++) {
    const row = places ? (places[i] ?? 0) : i;
    const value = values[i] as number | bigint;
    if (typeof value === 'number') column.numbers[row] = value;
    else {
      const exact = type === 'uint' ? BigInt.asUintN(64, value) : value;
      column.numbers[row] = Number(exact);
      if (!Number.isSafeInteger(column.numbers[row])) (column.big ??= new Map()).set(row, exact);
    }
  }
  rows.columns.set(field, column);
}

function placesOf(bitmap: Uint8Array, n: number): number[] {
  const places: number[] = [];
  for (let i = 0; i < n; i++) if ((bitmap[i >> 3] ?? 0) & (1 << (i & 7))) places.push(i);
  return places;
}

function spreadTexts(texts: readonly string[], places: readonly number[], n: number): (string | undefined)[] {
  const spread = new Array<string | undefined>(n).fill(undefined);
  for (const [i, place] of places.entries()) spread[place] = texts[i];
  return spread;
}
