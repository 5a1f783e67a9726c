import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { Fault } from '../../lib/fault.ts';
import type { FoundDamage } from '../observability/port.ts';

/**
 * Texts that are answered to callers stand beside their CRC-32 (`…_sum`; null: written by an earlier version and not
 * looked at yet). Statements read them through the words below, which give a mark in the place of a text that is not as it
 * was written: its first character is U+0001, which no JSON text has, and the rest says whose text it was. Marks travel
 * like texts, so that one damaged text takes none of the others with it; `whole` refuses them where they would be answered.
 */

/** Of so many characters the sum is made sooner than zlib is called. */
const SHORT = 48;
const CRC_OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** The checksum of a text or of bytes, as it stands beside them: their CRC-32 in UTF-8. */
export function sumOf(text: string | Uint8Array): number {
  if (typeof text !== 'string' || text.length > SHORT) return crc32(text);
  let sum = -1;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character > 127) return crc32(text);
    sum = (CRC_OF_BYTE[(sum ^ character) & 255] as number) ^ (sum >>> 8);
  }
  return ~sum >>> 0;
}

const MARK = '\u0001';

/** The mark of what is damaged, say `the output of task 0190…`. */
export const damageMark = (what: string): string => MARK + what;

/** What a text says is damaged; null: it is whole. */
export const damageIn = (text: string | null | undefined): string | null =>
  text && text.charCodeAt(0) === 1 ? text.slice(MARK.length) : null;

/** A text that may be answered. Throws DATA_DAMAGED. */
export function whole<T extends string | null | undefined>(text: T): T {
  const what = damageIn(text);
  if (what !== null) throw dataDamaged(what);
  return text;
}

export const dataDamaged = (what: string): Fault =>
  new Fault(
    'DATA_DAMAGED',
    `${what} is damaged: the stored data does not match its checksum, and is not shown. Restore it from a backup with yardmaster repair`,
    { extra: { damaged: what } },
  );

/** True where bytes match the checksum beside them. */
export const isWhole = (bytes: string | Uint8Array, sum: number | null): boolean =>
  sum === null || sumOf(bytes) === sum;

export const DATABASE_FILE = 'yardmaster.db';

/** A text that is damaged, as it is listed: found twice, it is one. `time` in Unix ms. */
export const damageOf = (what: string, time: number | null = null): FoundDamage => ({
  part: 'database',
  file: DATABASE_FILE,
  place: what,
  what: `${what} does not match its checksum, and is not shown`,
  from: time,
  to: time === null ? null : time + 1,
  // Its row is still listed.
  lost: 0,
});

/** What was found damaged by whoever was refused it; null: the error is another one. */
export const damageFound = (error: unknown): FoundDamage | null =>
  error instanceof Fault && error.code === 'DATA_DAMAGED' && typeof error.extra['damaged'] === 'string'
    ? damageOf(error.extra['damaged'])
    : null;

const markOf = (what: string, id: string): string => `char(1) || 'the ${what} ' || ${id}`;

/**
 * SQL: a text, null where there is none, or its mark. `column` has a checksum beside it; `what` and `id` (SQL) name it.
 * The bytes are compared as they lie in the file, before anybody makes characters of them.
 */
export const inlineText = (column: string, what: string, id: string, sum = `${column}_sum`): string =>
  `CASE WHEN ${column} IS NULL OR ${sum} IS NULL OR is_whole(CAST(${column} AS BLOB), ${sum}) THEN ${column} ELSE ${markOf(what, id)} END`;

interface Named {
  /** How people call it: `output of task`. */
  readonly what: string;
  /** SQL of whose it is. */
  readonly id: string;
}

/** SQL: the text that stands in the row, or else in a payload of its own, joined as `payload`; null where there is none. */
export const textOf = (row: string, column: 'input' | 'output', payload: string, { what, id }: Named): string =>
  `coalesce(${textParts(row, column, payload, { what, id }).join(', ')})`;

function textParts(row: string, column: string, payload: string, { what, id }: Named): string[] {
  return [
    inlineText(`${row}.${column}`, what, id),
    inlineText(`${payload}.text`, what, id, `${payload}.sum`),
    // The payload that the row names is not there.
    `CASE WHEN ${row}.${column}_payload IS NOT NULL THEN ${markOf(what, id)} END`,
  ];
}

/** SQL: the same, or else the output of the task that the row names, joined as `task` with its payload as `taskPayload`. `reference`: the column that names it. */
export const textOrOutputOf = (
  row: string,
  column: 'input' | 'output',
  { payload, task, taskPayload }: { payload: string; task: string; taskPayload: string },
  named: Named,
): string =>
  `coalesce(${[
    ...textParts(row, column, payload, named),
    ...textParts(task, 'output', taskPayload, { what: 'output of task', id: `${task}.id` }),
    `CASE WHEN ${row}.${column}_task IS NOT NULL AND ${task}.seq IS NULL THEN ${markOf(named.what, named.id)} END`,
  ].join(', ')})`;

/** SQL: a text (or bytes) with its checksum in `sum` beside it, or its mark. */
export const checkedColumn = (column: string, what: string, id: string): string => inlineText(column, what, id, 'sum');

/** Lets the statements of a connection compare checksums. */
export function registerWhole(db: Database.Database): void {
  db.function('is_whole', { deterministic: true }, (bytes: unknown, sum: unknown) =>
    Number((typeof bytes === 'string' || bytes instanceof Uint8Array) && sumOf(bytes) === sum),
  );
}
