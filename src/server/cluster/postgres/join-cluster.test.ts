import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverUser } from '../../../../scripts/lib/postgres-binaries.mjs';
import type { Postgres } from '../../../../scripts/lib/postgres.mjs';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { portOf } from '../../../lib/listen-on-port.ts';
import { freshDatabase, ownPostgres, query, type TestDatabase } from '../../testing/postgres.fixture.ts';
import { joinCluster } from './join-cluster.ts';

/** What whoever starts a master reads; no password is in it, nor in what is behind it. */
async function refusal(url: string, known: string | null = null, key = 'a key'): Promise<string> {
  const error: unknown = await joinCluster(url, key, known).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was not refused');
  for (const password of [new URL(url).password, 'wrong-password'])
    if (password !== '')
      expect(`${error.message}${error.stack}`.replaceAll('yardmaster:…', '')).not.toContain(`:${password}`);
  const { code } = error as { code?: string };
  return `${code}: ${error.message}`;
}

const changed = (url: string, change: (to: URL) => void): string => {
  const to = new URL(url);
  change(to);
  return to.href;
};

describe('a database that cannot be used', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await freshDatabase();
    return () => database.drop();
  });

  it('is refused where the password is wrong or missing', async () => {
    const wrong = changed(database.url, (to) => (to.password = 'wrong-password'));
    expect(await refusal(wrong)).toMatch(/^POSTGRES_REFUSED: .*refused the sign-in \(password authentication failed/);
    vi.stubEnv('PGPASSFILE', '/no/such/file');
    const missing = changed(database.url, (to) => (to.password = ''));
    expect(await refusal(missing)).toMatch(/^POSTGRES_REFUSED: .*asks for a password, and there is none.*PGPASSFILE/);
  });

  it('takes the password from a file that nobody else may read', async () => {
    const { hostname, port, username, password } = new URL(database.url);
    const file = join(mkdtempSync(join(tmpdir(), 'ym-pgpass-')), 'pgpass');
    writeFileSync(file, `${hostname}:${port}:*:${username}:${password}\n`, { mode: 0o600 });
    vi.stubEnv('PGPASSFILE', file);
    const without = changed(database.url, (to) => (to.password = ''));
    expect(await joinCluster(without, 'a key', null)).toMatch(/^[0-9a-f-]{36}$/);
    chmodSync(file, 0o644);
    expect(await refusal(without)).toContain('chmod 600');
  });

  it('is refused where it is not there, or nobody listens', async () => {
    expect(await refusal(changed(database.url, (to) => (to.pathname = '/nowhere')))).toMatch(
      /^POSTGRES_REFUSED: .*"nowhere" does not exist; create the database first/,
    );
    expect(await refusal(changed(database.url, (to) => (to.port = '1')))).toMatch(
      /^POSTGRES_UNREACHABLE: .*ECONNREFUSED.*check host, port and sslmode/,
    );
  });

  it('is refused where it is that of another cluster, of another key, or of a newer version', async () => {
    const id = await joinCluster(database.url, 'a key', null);
    expect(await joinCluster(database.url, 'a key', id)).toBe(id);
    expect(await refusal(database.url, 'another')).toMatch(
      new RegExp(`^CLUSTER_DIFFERS: .*holds the cluster ${id}, but the data folder belongs to the cluster another`),
    );
    expect(await refusal(database.url, id, 'another key')).toMatch(/^SECRETS_KEY_INVALID: /);
    await query(database.url, 'UPDATE yardmaster.cluster SET format = 99');
    expect(await refusal(database.url, id)).toMatch(/^SCHEMA_UNKNOWN: .*tables of format 99.*start the newer version/);
  });

  it('tells what an administrator has to run where the user may not create tables, and that is enough', async () => {
    const user = `u${new URL(database.url).pathname.slice(1)}`;
    await query(database.url, `CREATE ROLE ${user} LOGIN PASSWORD 'limited-password'`);
    const limited = changed(database.url, (to) => {
      to.username = user;
      to.password = 'limited-password';
    });
    try {
      const said = await refusal(limited);
      expect(said).toMatch(/^POSTGRES_REFUSED: .*may not create the schema "yardmaster".*Run as an administrator/);
      await query(database.url, /start again: (.*)$/.exec(said)?.[1] ?? '');
      expect(await joinCluster(limited, 'a key', null)).toMatch(/^[0-9a-f-]{36}$/);
    } finally {
      await query(database.url, `DROP OWNED BY ${user}`);
      await query(database.url, `DROP ROLE ${user}`);
    }
  });

  it('is refused where the user has no right on tables that are there', async () => {
    await joinCluster(database.url, 'a key', null);
    const user = `u${new URL(database.url).pathname.slice(1)}`;
    await query(database.url, `CREATE ROLE ${user} LOGIN PASSWORD 'limited-password'`);
    try {
      const limited = changed(database.url, (to) => {
        to.username = user;
        to.password = 'limited-password';
      });
      expect(await refusal(limited)).toMatch(/^POSTGRES_REFUSED: .*permission denied for schema yardmaster; grant/);
    } finally {
      await query(database.url, `DROP ROLE ${user}`);
    }
  });

  it('is refused by name where the server is too old', async () => {
    const old = await oldServer(12_0005);
    expect(await refusal(`postgres://u:p@127.0.0.1:${old.port}/d`)).toMatch(
      /^POSTGRES_REFUSED: .*is PostgreSQL 12: Yardmaster needs 13 or later/,
    );
    old.close();
  });
});

describe('TLS', () => {
  const authority = createAuthority('the authority');
  const folder = mkdtempSync(join(tmpdir(), 'ym-postgres-tls-'));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    const user = serverUser();
    if (user) chownSync(path, user.uid, user.gid);
    return path;
  };
  const trusted = file('authority.pem', authority.cert);
  const foreign = file('foreign.pem', createAuthority('somebody else').cert);
  let server: Postgres;
  const at = (parameters: string, host = '127.0.0.1') =>
    changed(`${server.url}?${parameters}`, (to) => (to.hostname = host));

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    const { cert, key } = authority.issue({ addresses: ['127.0.0.1'] });
    server = await ownPostgres({
      settings: {
        ssl: 'on',
        ssl_cert_file: file('server.pem', cert),
        ssl_key_file: file('server-key.pem', key),
        ssl_ca_file: trusted,
      },
    });
  });
  afterAll(() => server.stop());

  it('is used without a question of trust by require, and with it by verify-full', async () => {
    const id = await joinCluster(at('sslmode=require'), 'a key', null);
    expect(await joinCluster(at(`sslmode=verify-full&sslrootcert=${trusted}`), 'a key', id)).toBe(id);
    expect(await refusal(at('sslmode=verify-full'))).toMatch(
      /^POSTGRES_UNREACHABLE: .*certificate that is not trusted .*name the file of its authority with sslrootcert/,
    );
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await refusal(at(`sslmode=${mode}&sslrootcert=${foreign}`))).toContain('is not trusted');
  });

  it('checks the name by verify-full alone', async () => {
    expect(await refusal(at(`sslmode=verify-full&sslrootcert=${trusted}`, 'localhost'))).toMatch(
      /^POSTGRES_UNREACHABLE: .*certificate for another name/,
    );
    await joinCluster(at(`sslmode=verify-ca&sslrootcert=${trusted}`, 'localhost'), 'a key', null);
  });

  it('is missed by name where the server has none', async () => {
    const plain = await freshDatabase();
    expect(await refusal(`${plain.url}?sslmode=require`)).toMatch(/^POSTGRES_UNREACHABLE: .*does not offer TLS/);
    await plain.drop();
  });

  it('proves the user by a certificate where the server asks for one', async () => {
    const rules = join(server.folder, 'data', 'pg_hba.conf');
    await query(server.url, 'CREATE ROLE by_certificate LOGIN SUPERUSER');
    const before = 'hostssl all by_certificate 127.0.0.1/32 cert\nhost all all 127.0.0.1/32 scram-sha-256\n';
    writeFileSync(rules, before);
    await query(server.url, 'SELECT pg_reload_conf()');
    const { cert, key } = authority.issue({ names: ['by_certificate'], forClients: true });
    const withCertificate = changed(
      at(`sslmode=require&sslcert=${file('client.pem', cert)}&sslkey=${file('client-key.pem', key)}`),
      (to) => ((to.username = 'by_certificate'), (to.password = '')),
    );
    await expect.poll(() => joinCluster(withCertificate, 'a key', null).catch(String)).toMatch(/^[0-9a-f-]{36}$/);
    const without = changed(withCertificate, (to) => {
      to.searchParams.delete('sslcert');
      to.searchParams.delete('sslkey');
    });
    expect(await refusal(without)).toMatch(/^POSTGRES_REFUSED: .*valid client certificate.*sslcert, sslkey/);
  });
});

/** Speaks just enough of PostgreSQL's protocol to be asked its version. */
async function oldServer(version: number) {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message('Z', Buffer.from('I'));
  const name = Buffer.from('server_version_num\0');
  const value = Buffer.from(String(version));
  const int16 = (n: number) => Buffer.from([n >> 8, n & 255]);
  const int32 = (n: number) => Buffer.from([n >> 24, n >> 16, n >> 8, n]);
  const rows = Buffer.concat([
    message('T', int16(1), name, int32(0), int16(0), int32(25), int16(0xffff), int32(-1), int16(0)),
    message('D', int16(1), int32(value.length), value),
    message('C', Buffer.from('SHOW\0')),
    ready,
  ]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]));
      socket.on('data', (chunk) => chunk[0] === 0x51 && socket.write(rows));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: portOf(server), close: () => server.close() };
}
