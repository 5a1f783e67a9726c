import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Postgres, type PostgresChoices, startPostgres } from '../../../scripts/lib/postgres.mjs';

/** A server of a test alone, in a folder that goes with it: to stop, kill and start again (`{folder, port}` of it, `remove: true`). */
export function ownPostgres(choices: Partial<PostgresChoices> = {}): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-postgres-'));
  chmodSync(folder, 0o711);
  return startPostgres({ folder, durable: false, template: true, remove: true, ...choices });
}

/** Where tests make their databases: the server named by YARDMASTER_TEST_POSTGRES, or one of ours that ends with this process. */
let shared: Promise<string> | null = null;
function sharedServer(): Promise<string> {
  return (shared ??= serverOfTests());
}

async function serverOfTests(): Promise<string> {
  return process.env['YARDMASTER_TEST_POSTGRES'] || (await ownPostgres({ settings: { max_connections: '200' } })).url;
}

export interface TestDatabase {
  /** postgres://…, of a user who may do everything in it. */
  readonly url: string;
  /** Ends all connections to it. */
  drop(): Promise<void>;
}

/** A new, empty database for one test; `server`: the URL of another server than the shared one. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  const base = server ?? (await sharedServer());
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(base, `CREATE DATABASE ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      // The server waits for connections that it has to end.
      const pool = pools.get(url.href);
      pools.delete(url.href);
      await pool?.end();
      await query(base, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A connection costs the server a process and its catalogue, so `query` keeps one for each URL as long as it holds. */
const pools = new Map<string, pg.Pool>();
function poolOf(url: string): pg.Pool {
  const kept = pools.get(url);
  if (kept) return kept;
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server was stopped: the next statement has a new connection.
  pool.on('error', () => {});
  pools.set(url, pool);
  return pool;
}

/** One statement, after those that were asked for before it. What it sets for its session holds for the next. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  return (await poolOf(url).query<Row>(sql, values)).rows;
}
