import { createHmac } from 'node:crypto';
import { Client } from 'pg';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { uuidv7 } from '../../../lib/uuid.ts';
import { CREATE_TABLES, FORMAT, grantSql } from './schema.ts';
import { configOf, withoutPassword } from './store-url.ts';

const OLDEST_SERVER = 130_000;
/** Two masters that start together would both create the tables. */
const LOCK = 0x79_6d_63_6c;

/**
 * Connects, makes the tables where they are missing, and gives the ID of the cluster that the database holds. Throws a
 * `Fault` that says what to do: POSTGRES_UNREACHABLE, POSTGRES_REFUSED, CLUSTER_DIFFERS, SECRETS_KEY_INVALID, SCHEMA_UNKNOWN.
 *
 * @param known the cluster that the data folder belongs to; null: none yet
 */
export async function joinCluster(url: string, secretsKey: string, known: string | null): Promise<string> {
  const shown = withoutPassword(url);
  const client = new Client({ ...configOf(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
    const version = Number(rows[0]?.server_version_num ?? 0);
    if (version < OLDEST_SERVER)
      throw new Fault(
        'POSTGRES_REFUSED',
        `${shown} is PostgreSQL ${Math.floor(version / 10_000)}: Yardmaster needs 13 or later`,
      );
    await createTables(client, shown);
    return await clusterOf(client, { shown, secretsKey, known });
  } catch (error) {
    throw error instanceof Fault ? error : refusalOf(error, shown);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The cluster that a database holds, which is not changed by this. Throws as `joinCluster`. */
export async function knownCluster(url: string, secretsKey: string): Promise<string> {
  const shown = withoutPassword(url);
  const client = new Client({ ...configOf(url), connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ there: boolean }>(
      "SELECT to_regclass('yardmaster.failover') IS NOT NULL AS there",
    );
    if (!rows[0]?.there)
      throw new Fault('STORE_COPY_FAILED', `${shown} holds no state of Yardmaster: check the name of the database`);
    return await clusterIn(client, { shown, check: keyCheck(secretsKey), known: null });
  } catch (error) {
    throw error instanceof Fault ? error : refusalOf(error, shown);
  } finally {
    await client.end().catch(() => {});
  }
}

async function createTables(client: Client, shown: string): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('yardmaster.failover') IS NOT NULL AS there",
  );
  if (rows[0]?.there) return;
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(CREATE_TABLES);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    if (errorCode(error) !== '42501') throw error;
    const { rows: who } = await client.query<{ u: string; d: string }>(
      'SELECT current_user AS u, current_database() AS d',
    );
    throw new Fault(
      'POSTGRES_REFUSED',
      `${shown}: the user may not create the schema "yardmaster" (${errorMessage(error)}). Run as an administrator of the database, then start again: ${grantSql(who[0]?.u ?? 'yardmaster', who[0]?.d ?? 'yardmaster')}`,
      { cause: error },
    );
  }
}

async function clusterOf(
  client: Client,
  { shown, secretsKey, known }: { shown: string; secretsKey: string; known: string | null },
): Promise<string> {
  const check = keyCheck(secretsKey);
  await client.query(
    'INSERT INTO yardmaster.cluster (id, format, key_check) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [known ?? uuidv7(), FORMAT, check],
  );
  return clusterIn(client, { shown, check, known });
}

const keyCheck = (secretsKey: string): string =>
  createHmac('sha256', secretsKey).update('yardmaster cluster key check').digest('hex');

async function clusterIn(
  client: Client,
  { shown, check, known }: { shown: string; check: string; known: string | null },
): Promise<string> {
  const { rows } = await client.query<{ id: string; format: number; key_check: string }>(
    'SELECT id, format, key_check FROM yardmaster.cluster',
  );
  const [cluster] = rows;
  if (!cluster) throw new Fault('POSTGRES_REFUSED', `${shown}: the table yardmaster.cluster is empty`);
  if (cluster.format > FORMAT)
    throw new Fault(
      'SCHEMA_UNKNOWN',
      `${shown} has tables of format ${cluster.format}, but this Yardmaster supports ${FORMAT}: start the newer version that made them`,
    );
  if (known !== null && cluster.id !== known)
    throw new Fault(
      'CLUSTER_DIFFERS',
      `${shown} holds the cluster ${cluster.id}, but the data folder belongs to the cluster ${known}: name the right database, or start with an empty data folder`,
    );
  if (cluster.key_check !== check)
    throw new Fault(
      'SECRETS_KEY_INVALID',
      'YARDMASTER_SECRETS_KEY differs from that of the other masters of this cluster: set the same key on every master',
    );
  return cluster.id;
}

/** What the driver's errors mean for whoever starts a master. */
function refusalOf(error: unknown, shown: string): Fault {
  const code = errorCode(error) ?? '';
  const said = errorMessage(error);
  const refused = (what: string): Fault => new Fault('POSTGRES_REFUSED', `${shown}${what}`, { cause: error });
  const unreachable = (what: string): Fault => new Fault('POSTGRES_UNREACHABLE', `${shown}${what}`, { cause: error });
  if (code === '28P01' || code === '28000')
    return refused(
      ` refused the sign-in (${said}): check user, password (also PGPASSFILE), client certificate (sslcert, sslkey), sslmode and pg_hba.conf`,
    );
  if (said.includes('client password must be'))
    return refused(
      ' asks for a password, and there is none: write it into the file of PGPASSFILE (or ~/.pgpass), which nobody else may read (chmod 600), or into the URL',
    );
  if (code.startsWith('57P')) return unreachable(` is starting or stopping (${said})`);
  if (code === '53300')
    return unreachable(` takes no more connections (${said}): each master needs four, see max_connections`);
  if (code === '3D000') return refused(`: ${said}; create the database first (createdb)`);
  if (code === '42501') return refused(`: ${said}; grant the user the rights on the schema yardmaster`);
  if (/^[0-9A-Z]{5}$/.test(code)) return refused(`: ${said} (${code})`);
  if (said.includes('does not support SSL'))
    return unreachable(
      ' does not offer TLS: switch it on there (ssl = on), or set sslmode=disable on a private network',
    );
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return unreachable(` has a certificate for another name (${said}): use the name that it is for`);
  if (/CERT|SIGNATURE|ISSUER/.test(code))
    return unreachable(
      ` has a certificate that is not trusted (${said}): name the file of its authority with sslrootcert`,
    );
  return unreachable(
    ` cannot be reached (${said || code || 'no answer'}): check host, port and sslmode, and that PostgreSQL runs`,
  );
}
