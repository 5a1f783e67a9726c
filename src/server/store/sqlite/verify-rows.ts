import type Database from 'better-sqlite3';
import { blobId, gitObjectsFromText } from '../../../lib/git.ts';
import { draftHash, DRAFT_PREFIX } from '../../../lib/draft-hash.ts';
import { parseStored } from '../../../lib/json.ts';
import type { FoundDamage } from '../../observability/port.ts';
import { damageOf, isWhole, sumOf } from '../whole.ts';

/**
 * Reads every text that has a checksum beside it, and every definition and commit, slice by slice; so that each can rest
 * between two, and go on where another ended.
 */
export interface RowCursor {
  /** Place in `TABLES`. */
  readonly table: number;
  /** After the row of this key; empty: from the first. */
  readonly key: readonly Key[];
}

type Key = number | string;

/** A text that was written before there were checksums: it gets the one that it has now. */
export interface MissingSum {
  readonly sql: string;
  readonly args: readonly Key[];
}

/** A text that is damaged, and how one from elsewhere takes its place. */
export interface DamagedText {
  readonly what: string;
  readonly key: readonly Key[];
  /** Gives `text` of the row with this key. */
  readonly select: string;
  /** Takes the text, then the key. */
  readonly update: string;
  /** True for what was written. */
  matches(text: string | Buffer): boolean;
}

export interface RowSlice {
  readonly bytes: number;
  readonly damages: readonly FoundDamage[];
  readonly texts: readonly DamagedText[];
  readonly missing: readonly MissingSum[];
  /** Null: that was the end. */
  readonly next: RowCursor | null;
}

interface Row {
  readonly [column: string]: Key | Buffer | null;
}

interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** Texts with the column of their checksum. */
  readonly texts: readonly (readonly [text: string, sum: string])[];
  /** Further columns that name the row. */
  readonly also?: string;
  readonly time?: string;
  /** Long texts stand in payloads that the row names. */
  readonly apart?: true;
  /** What people call a text of a row, as the reads of the master call it. */
  what(read: Reader, row: Row, text: string): string;
}

type Reader = <T>(sql: string, ...args: readonly Key[]) => T | undefined;

const idOfJob = (read: Reader, row: Row): string =>
  read<{ id: string }>('SELECT id FROM job WHERE seq = ?', Number(row['job']))?.id ?? `no. ${String(row['job'])}`;
const ofList = (what: string) => (read: Reader, row: Row) =>
  `the ${what} of node ${String(row['node'])} in replica ${String(row['replica'])} of job ${idOfJob(read, row)}`;

const TABLES: readonly Table[] = [
  {
    ...{ name: 'task', key: ['seq'], also: 'id', time: 'ready_at', apart: true },
    texts: [
      ['input', 'input_sum'],
      ['output', 'output_sum'],
    ],
    what: (_read, { id }, text) => `the ${text} of task ${String(id)}`,
  },
  { name: 'payload', key: ['id'], also: 'job', texts: [['text', 'sum']], what: ownerOfPayload },
  {
    ...{ name: 'job', key: ['seq'], also: 'id', time: 'created_at', apart: true, texts: [['output', 'output_sum']] },
    what: (_read, { id }) => `the output of job ${String(id)}`,
  },
  {
    ...{ name: 'replica', key: ['job', 'replica'], apart: true, texts: [['output', 'output_sum']] },
    what: (read, row) => `the output of replica ${String(row['replica'])} of job ${idOfJob(read, row)}`,
  },
  {
    ...{ name: 'fan_out', key: ['job', 'replica', 'node'], apart: true },
    texts: [
      ['input', 'input_sum'],
      ['output', 'output_sum'],
    ],
    what: (read, row, text) => ofList(text)(read, row),
  },
  { name: 'fan_out_list', key: ['job', 'replica', 'node', 'first'], texts: [['items', 'sum']], what: ofList('list') },
  {
    name: 'fan_out_part',
    key: ['job', 'replica', 'node', 'part'],
    texts: [['outputs', 'sum']],
    what: ofList('outputs'),
  },
  {
    ...{ name: 'unborn', key: ['job', 'chunk'], also: 'replica', texts: [['texts', 'sum']] },
    what: (read, row) => `the input of replica ${String(row['replica'])} of job ${idOfJob(read, row)}`,
  },
];

/** Whoever names a payload. */
function ownerOfPayload(read: Reader, row: Row): string {
  const [id, job] = [Number(row['id']), Number(row['job'])];
  for (const text of ['input', 'output'] as const) {
    const task = read<{ id: string }>(`SELECT id FROM task WHERE job = ? AND ${text}_payload = ?`, job, id);
    if (task) return `the ${text} of task ${task.id}`;
  }
  return `payload ${id} of job ${idOfJob(read, row)}`;
}

/** 1 where the payload that a row names is not there. */
const goneColumn = (text: string): string =>
  `(${text}_payload IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payload WHERE id = ${text}_payload)) AS ${text}_gone`;

const ROWS = 200;
const SLICE_BYTES = 4 * 1024 * 1024;

/** The tables of a database; those that an older version does not have are passed over. */
export function createRowCheck(db: Database.Database): (from: RowCursor | null) => RowSlice {
  const read: Reader = <T>(sql: string, ...args: readonly Key[]) => db.prepare<Key[], T>(sql).get(...args);
  const has = (table: Table) =>
    table.texts.every(
      ([text, sum]) =>
        read('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table.name, text) !== undefined &&
        read('SELECT 1 FROM pragma_table_info(?) WHERE name = ?', table.name, sum) !== undefined,
    );

  function rowsOf(table: Table, key: readonly Key[], bytesLeft: number) {
    const columns = [
      ...table.key,
      ...(table.also === undefined ? [] : [table.also]),
      ...(table.time === undefined ? [] : [table.time]),
      ...table.texts.flatMap(([text, sum]) => [`CAST(${text} AS BLOB) AS ${text}`, sum]),
      ...(table.apart === true ? table.texts.map(([text]) => goneColumn(text)) : []),
    ];
    const order = table.key.join(', ');
    const after = key.length === 0 ? '' : `WHERE (${order}) > (${key.map(() => '?').join(', ')})`;
    let left = bytesLeft;
    const rows: Row[] = [];
    for (const row of db
      .prepare<Key[], Row>(`SELECT ${columns.join(', ')} FROM ${table.name} ${after} ORDER BY ${order} LIMIT ${ROWS}`)
      .iterate(...key)) {
      rows.push(row);
      for (const [text] of table.texts) left -= (row[text] as Buffer | null)?.length ?? 0;
      if (left <= 0) break;
    }
    return rows;
  }

  return (from) => {
    const at = from ?? { table: 0, key: [] };
    const table = TABLES[at.table];
    if (!table) return definitions(db, at, read);
    if (!has(table)) return { bytes: 0, damages: [], texts: [], missing: [], next: { table: at.table + 1, key: [] } };
    const damages: FoundDamage[] = [];
    const texts: DamagedText[] = [];
    const missing: MissingSum[] = [];
    let bytes = 0;
    const rows = rowsOf(table, at.key, SLICE_BYTES);
    for (const row of rows) {
      for (const [text, sum] of table.texts) {
        const found = row[text] as Buffer | null;
        if (row[`${text}_gone`] === 1) damages.push(damageOf(table.what(read, row, text)));
        if (found === null) continue;
        bytes += found.length;
        const known = row[sum] as number | null;
        const key = table.key.map((column) => row[column] as Key);
        const isRow = table.key.map((column) => `${column} = ?`).join(' AND ');
        if (known === null)
          missing.push({
            sql: `UPDATE ${table.name} SET ${sum} = ? WHERE ${isRow} AND ${sum} IS NULL`,
            args: [sumOf(found), ...key],
          });
        else if (!isWhole(found, known)) {
          const what = table.what(read, row, text);
          damages.push(damageOf(what, table.time === undefined ? null : Number(row[table.time])));
          texts.push({
            what,
            key,
            select: `SELECT ${text} AS text FROM ${table.name} WHERE ${isRow}`,
            update: `UPDATE ${table.name} SET ${text} = ? WHERE ${isRow}`,
            matches: (other) => isWhole(other, known),
          });
        }
      }
    }
    const last = rows.at(-1);
    return {
      bytes,
      damages,
      texts,
      missing,
      next: last
        ? { table: at.table, key: table.key.map((column) => last[column] as Key) }
        : { table: at.table + 1, key: [] },
    };
  };
}

const VERSION_COLUMNS = [
  'workflow_id',
  'parent',
  'message',
  'author_name',
  'author_email',
  'created_at',
  'blob',
] as const;

interface VersionParts {
  hash: string;
  workflow_id: string;
  parent: string | null;
  message: string;
  author_name: string;
  author_email: string;
  created_at: number;
  blob: string;
  text: string | null;
}

/** Definitions and commits by the ids that Git has for them, and drafts by theirs. */
function definitions(db: Database.Database, { key, table }: RowCursor, read: Reader): RowSlice {
  const damages: FoundDamage[] = [];
  const texts: DamagedText[] = [];
  let bytes = 0;
  const add = (what: string, blob: string, matches: (text: string) => boolean) => {
    damages.push(damageOf(what));
    texts.push({
      what,
      key: [blob],
      select: 'SELECT text FROM definition WHERE blob = ?',
      update: 'INSERT OR REPLACE INTO definition (text, blob) VALUES (?, ?)',
      matches: (text) => typeof text === 'string' && matches(text),
    });
  };
  if (table === TABLES.length) {
    const rows = db
      .prepare<Key[], { blob: string; text: string }>(
        'SELECT blob, text FROM definition WHERE blob > ? ORDER BY blob LIMIT 100',
      )
      .all(key[0] ?? '');
    for (const { blob, text } of rows) {
      bytes += text.length;
      if (blob.startsWith(DRAFT_PREFIX)) {
        const hash = blob.slice(DRAFT_PREFIX.length);
        const workflow = read<{ id: string }>(
          'SELECT workflow_id AS id FROM job WHERE commit_hash = ? LIMIT 1',
          hash,
        )?.id;
        if (workflow !== undefined && draftHash(workflow, text) !== hash)
          add(`the draft ${hash}`, blob, (other) => draftHash(workflow, other) === hash);
      } else if (blobId(text) !== blob) add(`the workflow definition ${blob}`, blob, (other) => blobId(other) === blob);
    }
    const last = rows.at(-1);
    return {
      bytes,
      damages,
      texts,
      missing: [],
      next: last ? { table, key: [last.blob] } : { table: table + 1, key: [] },
    };
  }
  const rows = db
    .prepare<Key[], VersionParts & { seq: number }>(
      'SELECT v.*, d.text FROM version v LEFT JOIN definition d ON d.blob = v.blob WHERE v.seq > ? ORDER BY v.seq LIMIT 100',
    )
    .all(Number(key[0] ?? 0));
  for (const row of rows) {
    bytes += row.message.length;
    const { text } = row;
    if (text === null) add(`the workflow definition ${row.blob}`, row.blob, (other) => blobId(other) === row.blob);
    else if (blobId(text) === row.blob && commitOf(row, text) !== row.hash) {
      const what = `the commit ${row.hash}`;
      damages.push(damageOf(what));
      texts.push({
        what,
        key: [row.hash],
        select: `SELECT json_array(${VERSION_COLUMNS.join(', ')}) AS text FROM version WHERE hash = ?`,
        update: `UPDATE version SET (${VERSION_COLUMNS.join(', ')}) = (SELECT ${VERSION_COLUMNS.map((_, i) => `json_extract(?1, '$[${i}]')`).join(', ')}) WHERE hash = ?2`,
        matches: (other) => {
          const values = parseStored<unknown[]>(String(other));
          const known = Object.fromEntries(VERSION_COLUMNS.map((column, i) => [column, values[i]]));
          return known['blob'] === row.blob && commitOf({ ...row, ...known }, text) === row.hash;
        },
      });
    }
  }
  const last = rows.at(-1);
  return { bytes, damages, texts, missing: [], next: last ? { table, key: [last.seq] } : null };
}

const commitOf = (row: VersionParts, text: string): string =>
  gitObjectsFromText(text, {
    workflowId: row.workflow_id,
    parent: row.parent,
    author: { name: row.author_name, email: row.author_email },
    createdAt: row.created_at,
    message: row.message,
  }).commit.id;
