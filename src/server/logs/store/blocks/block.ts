import type Database from 'better-sqlite3';
import { errorMessage } from '../../../../lib/errors.ts';
import { ChecksumError } from './bytes.ts';
import type { Cache } from '../read/cache.ts';
import {
  bytesAt,
  decodeArrivals,
  decodeColumn,
  decodeFine,
  decodeHead,
  decodeTimes,
  numbersAt,
  type DecodedColumn,
  type Head,
  type Place,
} from './decode.ts';
import { textOfDecimals } from './decimal-column.ts';
import { decodeNumbers, textOfTemplates } from './template-column.ts';
import { isDamage, PARTS, type BlockRow } from '../files/schema.ts';
import { streamId } from '../write/streams.ts';
import type { Block, Column, TextColumn } from '../port.ts';

/** A block as the store has it: a `Block`, and what only the store's own readers ask for. */
export interface StoredBlock extends Block {
  /** Arrival numbers of the rows. */
  readonly arrivals: Float64Array;
  /** Tells of rows whether their value came as a JSON number, boolean or array, and can be written as it is. */
  bareOf(name: string): (row: number) => boolean;
  /** What was unpacked of it need not be at hand any more: it is looked up in the cache, like that of others. */
  letGo(): void;
}

/** The parts of a file's blocks. */
export interface BlockParts {
  head(id: number): Buffer | undefined;
  part(id: number): Buffer | undefined;
}

export function blockParts(db: Database.Database): BlockParts {
  const head = db.prepare<[number], Buffer>('SELECT head FROM blk WHERE id = ?').pluck();
  const part = db.prepare<[number], Buffer>('SELECT data FROM col WHERE id = ?').pluck();
  // A damaged file may have anything there.
  const bytes = (value: unknown) => (Buffer.isBuffer(value) ? value : undefined);
  return { head: (id) => bytes(head.get(id)), part: (id) => bytes(part.get(id)) };
}

/** What is remembered of each column of a block. */
const COLUMN_BYTES = 200;

/**
 * Opens a block; its columns are read when they are asked for, and are at hand until it is let go of, however small the
 * cache is: a query that goes through it row by row unpacks nothing twice. Throws where its head cannot be read. What cannot be read of it later goes to `fail`: a block is whole or none, or filters and counts would be wrong. `late`: the head too is read when something of it is asked for.
 */
export function openBlock(
  row: BlockRow,
  parts: BlockParts,
  cache: Pick<Cache, 'get'>,
  fail: (why: string) => never,
  late = false,
): StoredBlock {
  let atHand: Map<string, unknown> | null = new Map();
  function get<T>(key: string, make: () => { value: T; bytes: number }): T {
    // A key names one kind of value: what is told apart stands before the name, which may be any text.
    if (atHand?.has(key)) return atHand.get(key) as T;
    const value = cache.get(key, make);
    atHand?.set(key, value);
    return value;
  }
  let known: Head | null = null;
  const readHead = (): Head =>
    (known ??= get(`${row.id}`, () => {
      const value = decodeHead(orDamaged(parts.head(row.id)));
      if (value.rows !== row.rows) throw new ChecksumError('another head is in its place');
      return { value, bytes: value.bytes + value.columns.size * COLUMN_BYTES };
    }));
  if (!late) readHead();
  const headOf = (): Head => known ?? orFail('head', readHead);
  const at = (place: Place): Buffer => bytesAt(place, (part) => parts.part(row.id * PARTS + part));

  function orFail<T>(what: string, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!isBroken(error)) throw error;
      return fail(`${what}: ${errorMessage(error)}`);
    }
  }
  function decoded(name: string): DecodedColumn | null {
    const column = headOf().columns.get(name);
    if (!column) return null;
    return get(`${row.id}.${name}`, () => {
      const value = orFail(`field ${JSON.stringify(name)}`, () =>
        decodeColumn(at(column.place), column.kind, column.bare, row.rows),
      );
      return { value, bytes: value.bytes + COLUMN_BYTES };
    });
  }
  /** A column of templates reads its numbers when they are asked for; texts are made of numbers likewise. */
  function whole(name: string, read: DecodedColumn | null): Column | null {
    if (read === null) return null;
    const text = (make: () => TextColumn) =>
      get(`${row.id}t.${name}`, () => {
        const value = make();
        return { value, bytes: value.bytes.length + value.ends.byteLength };
      });
    if (read.column.kind === 'decimals') {
      const decimals = read.column;
      return {
        ...decimals,
        kind: 'decimal',
        get text() {
          return text(() => textOfDecimals(decimals));
        },
      };
    }
    if (read.column.kind !== 'templates') return read.column;
    const codes = read.column;
    const place = headOf().columns.get(name)?.numbers ?? null;
    const numbers = () =>
      get(`${row.id}n.${name}`, () =>
        orFail(`numbers of field ${JSON.stringify(name)}`, () => {
          const raw = numbersAt(place, at);
          return { value: decodeNumbers(raw, codes), bytes: raw.length + COLUMN_BYTES };
        }),
      );
    return {
      kind: 'template',
      templates: codes.templates,
      codes: codes.codes,
      get numbers() {
        return numbers();
      },
      get text() {
        return text(() => textOfTemplates(codes, numbers()));
      },
    };
  }
  function column(name: string): Column | null {
    if (name !== '_stream_id') return whole(name, decoded(name));
    const stream = whole('_stream', decoded('_stream'));
    return stream ? get(`${row.id}.${name}`, () => ({ value: mapped(stream, streamId), bytes: 1000 })) : null;
  }

  return {
    id: row.id,
    rows: row.rows,
    t0: row.t0,
    t1: row.t1,
    get ms() {
      return get(`${row.id} ms`, () => ({
        value: orFail('times', () => decodeTimes(at(headOf().times), row.rows)),
        bytes: row.rows * 8,
      }));
    },
    get ns() {
      const { fine } = headOf();
      return fine === null
        ? null
        : get(`${row.id} ns`, () => ({
            value: orFail('nanoseconds', () => decodeFine(at(fine), row.rows)),
            bytes: row.rows * 4,
          }));
    },
    get arrivals() {
      return get(`${row.id} seq`, () => ({
        value: orFail('arrival numbers', () => decodeArrivals(at(headOf().arrivals), row.rows)),
        bytes: row.rows * 8,
      }));
    },
    get names() {
      const { columns } = headOf();
      return [...columns.keys(), ...(columns.has('_stream') ? ['_stream_id'] : [])];
    },
    column,
    bareOf(name) {
      const { bare = null, column } = decoded(name) ?? {};
      if (bare === null || bare === true) return () => bare === true;
      const codes = column?.kind === 'dictionary' ? column.codes : null;
      return (row) => {
        const bit = codes === null ? row : (codes[row] ?? 0);
        return ((bare[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
      };
    },
    letGo: () => void (atHand = null),
  };
}

/** True for an error that says the bytes on disk are not what was written. */
export const isBroken = (error: unknown): boolean => error instanceof ChecksumError || isDamage(error);

function orDamaged(bytes: Buffer | undefined): Buffer {
  if (bytes === undefined) throw new ChecksumError('a part is missing');
  return bytes;
}

function mapped(column: Column, change: (value: string) => string): Column {
  if (column.kind === 'constant') return { kind: 'constant', value: change(column.value) };
  if (column.kind === 'dictionary')
    return { kind: 'dictionary', values: column.values.map(change), codes: column.codes };
  if (column.kind === 'template' || column.kind === 'decimal') return mapped(column.text, change);
  const values: string[] = [];
  const ends = new Uint32Array(column.ends.length);
  let end = 0;
  for (let i = 0; i < ends.length; i++) {
    const value = change(column.bytes.toString('utf8', i === 0 ? 0 : column.ends[i - 1], column.ends[i]));
    values.push(value);
    ends[i] = end += value.length;
  }
  return { kind: 'text', bytes: Buffer.from(values.join('')), ends };
}
