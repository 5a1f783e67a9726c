import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { Fault } from '../../../lib/fault.ts';
import { makeFolder } from '../../../lib/folders.ts';
import { fsyncPath } from '../../../lib/fsync-path.ts';
import { knownCluster } from '../postgres/join-cluster.ts';
import { configOf, withoutPassword } from '../postgres/store-url.ts';
import { dialPostgres } from '../postgres/dial-postgres.ts';
import { openBodies, withBodies } from '../snapshot-bodies/with-bodies.ts';
import { openJournalDatabase } from '../postgres/journal-database.ts';
import { copyInThread } from '../replica/copy-in-thread.ts';
import { openReplica } from '../replica/replica.ts';
import { systemTime } from '../time.ts';
import type { StoreCopied } from './copy-to-postgres.ts';
import { sumTables } from './table-sums.ts';

/** A master that reported within this time runs. */
const RUNS_MS = 5000;

/**
 * Makes a data folder for a single master of what PostgreSQL holds, from its newest snapshot and the journal. It is made
 * beside the folder and put in its place by one rename: what goes wrong leaves nothing behind.
 *
 * @param folder missing or empty
 * @param snapshots the folder or bucket where the masters keep their snapshots; null: they are in PostgreSQL
 */
export async function copyToFolder(
  url: string,
  folder: string,
  secretsKey: string,
  snapshots: string | null,
  log: (line: string) => void,
): Promise<StoreCopied> {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Fault(
      'FOLDER_NOT_EMPTY',
      `${target} is not empty: name a new or empty folder, so that nothing is overwritten`,
    );
  const clusterId = await knownCluster(url, secretsKey);
  makeFolder(dirname(target));
  const half = `${target}.copying-${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  const journal = openJournalDatabase(dialPostgres(configOf(url)), systemTime(), 0);
  const database = snapshots === null ? journal : withBodies(journal, openBodies(snapshots, clusterId, process.env));
  try {
    const before = await database.look();
    await refuseRunning();
    mkdirSync(half, { mode: 0o700 });
    const file = join(half, 'yardmaster.db');
    const replica = await openReplica({ copy: copyInThread(file), database, log });
    const { position } = replica;
    await replica.close();
    if (position === null)
      throw new Fault('STORE_COPY_FAILED', `${withoutPassword(url)} holds no state yet: no master has run on it`);
    const after = await database.look();
    await refuseRunning();
    if (after.epoch !== before.epoch || after.last > position.turn)
      throw new Fault(
        'STORE_COPY_FAILED',
        `a master worked on ${withoutPassword(url)} while the copy was made: stop all masters, then copy again`,
      );
    const schema = finish(file);
    const tables = sumTables(file);
    fsyncPath(file);
    if (existsSync(target)) rmdirSync(target);
    renameSync(half, target);
    fsyncPath(dirname(target));
    return { clusterId, schema, tables };
  } finally {
    await database.close();
    rmSync(half, { recursive: true, force: true });
  }

  async function refuseRunning(): Promise<void> {
    const { masters, now } = await database.view();
    const running = masters.filter(({ lastSeenAt }) => Date.parse(now) - Date.parse(lastSeenAt) < RUNS_MS);
    if (running.length > 0)
      throw new Fault(
        'STORE_IN_USE',
        `masters run on ${withoutPassword(url)}: ${running.map((one) => one.url).join(', ')}. Stop them, then copy again`,
      );
  }
}

/** What only a working copy has is taken out; the rest is checked whole. */
function finish(file: string): number {
  const db = new Database(file);
  try {
    db.exec('DROP TABLE journal_position');
    const check = db.pragma('integrity_check(1)', { simple: true });
    const foreign = db.pragma('foreign_key_check') as unknown[];
    if (check !== 'ok' || foreign.length > 0)
      throw new Fault(
        'STORE_COPY_FAILED',
        `the copy is not whole (${check === 'ok' ? `${foreign.length} rows name others that are missing` : String(check)})`,
      );
    db.pragma('wal_checkpoint(TRUNCATE)');
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}
