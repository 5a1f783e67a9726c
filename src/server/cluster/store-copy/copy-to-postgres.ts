import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { Fault } from '../../../lib/fault.ts';
import { POSITION_TABLE, PUT_POSITION } from '../journal/turn-recorder.ts';
import { joinCluster } from '../postgres/join-cluster.ts';
import { configOf, withoutPassword } from '../postgres/store-url.ts';
import * as sql from '../postgres/statements.ts';
import { compressChunk } from '../replica/chunks.ts';
import { CHUNK_BYTES } from '../replica/working-copy.ts';
import { differingTables, sumTables, type TableSum } from './table-sums.ts';

export interface StoreCopied {
  readonly clusterId: string;
  readonly schema: number;
  readonly tables: readonly TableSum[];
}

/** The copy is the first turn of the first epoch; the owner that comes goes on with the next of both. */
const FIRST = { epoch: 1, turn: 1 };
const PARTITION = 0;

/**
 * Puts the database of a data folder that no master uses (the caller holds its lock) into PostgreSQL, as the first snapshot of
 * a new cluster, and reads it back. What goes wrong leaves nothing there that a master would take for the state; a second
 * attempt begins anew.
 *
 * @param newest the newest schema that this program knows
 */
export async function copyToPostgres(
  folder: string,
  url: string,
  secretsKey: string,
  newest: number,
): Promise<StoreCopied> {
  const source = join(folder, 'yardmaster.db');
  const copy = join(folder, `store-copy-${process.pid}.db`);
  const back = `${copy}.back`;
  const clusterId = await joinCluster(url, secretsKey, null);
  const client = new Client({ ...configOf(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    // The last step is: what was written before it is safe with it.
    await client.query('SET synchronous_commit = off');
    await refuseUsed(client, url);
    const schema = copyWithPosition(source, copy, newest);
    const before = sumTables(source);
    await client.query(sql.DROP_ALL_SNAPSHOTS, [PARTITION]);
    const begun = await client.query<{ id: string }>(sql.BEGIN_SNAPSHOT, [
      ...[PARTITION, FIRST.epoch, FIRST.turn, schema],
      'store copy',
    ]);
    const id = Number(begun.rows[0]?.id);
    const { bytes, chunks } = await sendChunks(client, id, copy);
    await readBack(client, id, chunks, back);
    const differing = differingTables(before, sumTables(back));
    if (differing.length > 0)
      throw new Fault(
        'STORE_COPY_FAILED',
        `what PostgreSQL gave back differs in ${differing.join(', ')}; nothing was changed in ${folder}`,
      );
    await finish(client, id, bytes, chunks, url);
    return { clusterId, schema, tables: before };
  } finally {
    for (const file of [copy, back]) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await client.end().catch(() => {});
  }
}

/** Throws STORE_NOT_EMPTY where a master has owned this database, or one is about to. */
async function refuseUsed(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ epoch: string; entries: boolean; copied: boolean; masters: string }>(
    sql.USE_OF_STORE,
    [PARTITION],
  );
  const [use] = rows;
  if (!use || Number(use.epoch) > 0 || use.entries || use.copied || Number(use.masters) > 0)
    throw new Fault(
      'STORE_NOT_EMPTY',
      `${withoutPassword(url)} holds the state of a cluster already${Number(use?.masters ?? 0) > 0 ? `, and ${use?.masters} masters run on it` : ''}: name a database that no master has used`,
    );
}

/** A whole, defragmented copy that says of itself which turn it holds. Gives its schema. */
function copyWithPosition(source: string, copy: string, newest: number): number {
  rmSync(copy, { force: true });
  const db = new Database(source, { fileMustExist: true });
  try {
    const schema = Number(db.pragma('user_version', { simple: true }));
    if (schema > newest)
      throw new Fault(
        'SCHEMA_UNKNOWN',
        `the database ${source} has schema ${schema}, but this Yardmaster supports schemas up to ${newest}: copy it with the version that wrote it`,
      );
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
  const made = new Database(copy);
  try {
    const check = made.pragma('integrity_check(1)', { simple: true });
    if (check !== 'ok')
      throw new Fault(
        'STORE_CORRUPT',
        `the database ${source} is damaged (${String(check)}): run \`yardmaster repair\``,
      );
    const schema = Number(made.pragma('user_version', { simple: true }));
    made.exec(POSITION_TABLE);
    made.prepare(PUT_POSITION).run(FIRST.epoch, FIRST.turn, schema);
    return schema;
  } finally {
    made.close();
  }
}

async function sendChunks(client: Client, id: number, file: string): Promise<{ bytes: number; chunks: number }> {
  const fd = openSync(file, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let bytes = 0;
  try {
    for (let index = 0; ; index++) {
      const length = readSync(fd, buffer, 0, CHUNK_BYTES, index * CHUNK_BYTES);
      if (length === 0) return { bytes, chunks: index };
      bytes += length;
      await client.query(sql.PUT_SNAPSHOT_CHUNK, [id, index, compressChunk(buffer.subarray(0, length))]);
    }
  } finally {
    closeSync(fd);
  }
}

async function readBack(client: Client, id: number, chunks: number, file: string): Promise<void> {
  const fd = openSync(file, 'w', 0o600);
  try {
    for (let index = 0; index < chunks; index++) {
      const { rows } = await client.query<{ body: Buffer }>(sql.SNAPSHOT_CHUNK, [id, index]);
      const bytes = zstdDecompressSync(rows[0]?.body ?? Buffer.alloc(0), { maxOutputLength: CHUNK_BYTES });
      writeSync(fd, bytes, 0, bytes.length, index * CHUNK_BYTES);
    }
  } finally {
    closeSync(fd);
  }
}

/** From here on it is the state, unless a master has taken the empty one meanwhile. */
async function finish(client: Client, id: number, bytes: number, chunks: number, url: string): Promise<void> {
  await client.query('SET synchronous_commit = on');
  await client.query('BEGIN');
  try {
    const { rowCount } = await client.query(sql.CLAIM_EMPTY, [PARTITION, FIRST.epoch]);
    if (rowCount !== 1)
      throw new Fault(
        'STORE_NOT_EMPTY',
        `a master started on ${withoutPassword(url)} while the copy was made: stop it, and name a database that no master has used`,
      );
    await client.query(sql.END_SNAPSHOT, [id, bytes, chunks]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    await client.query(sql.DROP_SNAPSHOT, [id]).catch(() => {});
    throw error;
  }
}
