import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { freshDatabase, ownPostgres, query } from '../../src/server/testing/postgres.fixture.ts';
import { startPostgres } from './postgres.mjs';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Where the user of the server may be, also when root started it. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-postgres-test-'));
  chmodSync(folder, 0o711);
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const count = async (url: string) => (await query<{ n: number }>(url, 'SELECT count(*)::int AS n FROM kept'))[0]?.n;

it('keeps what was written over a stop and over a loss of power, under the same password and port', async () => {
  const folder = openFolder();
  const first = await startPostgres({ folder });
  ends.push(first.kill);
  await query(first.url, 'CREATE TABLE kept (n int)');
  await query(first.url, 'INSERT INTO kept VALUES (1)');
  await first.stop();
  expect(first.log()).toContain('database system is shut down');
  expect(lives(first.pid)).toBe(false);

  const second = await startPostgres({ folder, port: first.port });
  ends.push(second.kill);
  expect(second.url).toBe(first.url);
  await query(second.url, 'INSERT INTO kept VALUES (2)');
  await second.kill();
  expect(lives(second.pid)).toBe(false);

  const third = await startPostgres({ folder, port: first.port });
  ends.push(third.kill);
  expect(third.log()).toContain('automatic recovery in progress');
  expect(await count(third.url)).toBe(2);
  // No other user of the machine reads the password.
  expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
  expect(third.url).toContain(readFileSync(join(folder, 'password'), 'utf8'));
});

it('waits for the disk unless told otherwise, takes settings, and refuses who has no password', async () => {
  const server = await ownPostgres({ durable: true, settings: { max_connections: '7' } });
  ends.push(server.kill);
  expect(await query(server.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(server.url, 'SHOW max_connections')).toEqual([{ max_connections: '7' }]);
  expect(await query(server.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  await expect(query(server.url.replace('yardmaster@', 'wrong@'), 'SELECT 1')).rejects.toThrow(
    'password authentication failed',
  );
  await server.stop();
  expect(existsSync(server.folder), 'its folder goes with it').toBe(false);
});

it('ends with the process that started it, also when that is killed, and so does its folder', async () => {
  const folder = join(openFolder(), 'server');
  const module = new URL('./postgres.mjs', import.meta.url).href;
  const starter = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { startPostgres } from ${JSON.stringify(module)};
       const { pid } = await startPostgres({ folder: ${JSON.stringify(folder)}, template: true, durable: false, remove: true });
       console.log(pid); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  ends.push(() => starter.kill('SIGKILL'));
  const [pid] = (await once(createInterface({ input: starter.stdout }), 'line')) as [string];
  expect(lives(Number(pid))).toBe(true);
  starter.kill('SIGKILL');
  await expect.poll(() => lives(Number(pid))).toBe(false);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

it('says that it ended', async () => {
  const server = await ownPostgres();
  ends.push(server.kill);
  process.kill(server.pid, 'SIGKILL');
  await server.ended;
});

it('says why it does not start', async () => {
  const folder = openFolder();
  await expect(startPostgres({ folder, template: true, settings: { shared_buffers: 'plenty' } })).rejects.toMatchObject(
    {
      message: `PostgreSQL did not start over ${folder}.`,
      remedy: expect.stringContaining('invalid value for parameter "shared_buffers": "plenty"') as string,
    },
  );
  const server = await ownPostgres();
  ends.push(server.kill);
  await expect(startPostgres({ folder, template: true, port: server.port })).rejects.toMatchObject({
    remedy: expect.stringContaining('Address already in use') as string,
  });
});

it('names the folder that its user may not enter, where that is another one than ours', async () => {
  const closed = openFolder();
  chmodSync(closed, 0o700);
  const start = startPostgres({ folder: join(closed, 'postgres'), template: true, durable: false });
  if (process.getuid?.() === 0)
    await expect(start).rejects.toMatchObject({
      message: expect.stringContaining(`no other user may enter ${closed}`) as string,
    });
  else await (await start).stop();
});

it('leaves nothing half made behind: the data folder comes into being at once', async () => {
  const folder = openFolder();
  const server = await startPostgres({ folder, template: true, durable: false });
  ends.push(server.kill);
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'postgres.log']);
});

it('gives each test a database of its own, also on a server that is named', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  ends.push(one.drop, other.drop);
  await query(one.url, 'CREATE TABLE kept (n int)');
  await expect(query(other.url, 'SELECT * FROM kept')).rejects.toThrow('relation "kept" does not exist');
  await one.drop();
  await expect(query(one.url, 'SELECT 1')).rejects.toThrow('does not exist');

  const named = await ownPostgres();
  ends.push(named.kill);
  const third = await freshDatabase(named.url);
  expect(new URL(third.url).port).toBe(String(named.port));
  await third.drop();
});
