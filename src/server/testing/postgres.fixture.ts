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
      await connections
        .get(url.href)
        ?.then((client) => client.end())
        .catch(() => {});
      await query(base, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A connection costs the server a process and its catalogue, so `query` keeps one for each URL as long as it holds. */
const connections = new Map<string, Promise<pg.Client>>();
/** The end of the last statement of each. */
const turns = new Map<string, Promise<void>>();

function connectionTo(url: string): Promise<pg.Client> {
  const kept = connections.get(url);
  if (kept) return kept;
  const opened = connect(url, () => {
    if (connections.get(url) === opened) connections.delete(url);
  });
  connections.set(url, opened);
  return opened;
}

async function connect(url: string, forget: () => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // The server was stopped, or the database dropped.
  client.on('error', forget);
  client.on('end', forget);
  try {
    await client.connect();
  } catch (error) {
    forget();
    throw error;
  }
  return client;
}

/** One statement, after those that were asked for before it. What it sets for its session holds for the next. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const rows = (turns.get(url) ?? Promise.resolve()).then(async () => {
    const client = await connectionTo(url);
    return (await client.query<Row>(sql, values)).rows;
  });
  turns.set(
    url,
    rows.then(
      () => {},
      () => {},
    ),
  );
  return rows;
}
