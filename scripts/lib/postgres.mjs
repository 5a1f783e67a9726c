import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { broughtPostgres, nativeFolder, reachableFor, serverUser } from './postgres-binaries.mjs';
import { Problem } from './problem.mjs';
import { run } from './processes.mjs';

/**
 * A PostgreSQL of our own on this machine, from the binaries that npm brought: nothing is installed, and nobody else reaches it
 * (127.0.0.1 alone, a superuser `yardmaster` with a password, no Unix socket).
 */

const USER = 'yardmaster';
const START_MS = 60_000;
/** How long a server that still runs over the same folder may take to end. */
const LEFT_OVER_MS = 15_000;
const OTHER_PORTS = 5;
const KEEPER = fileURLToPath(new URL('./postgres-keeper.mjs', import.meta.url));

/** What makes a server quick that need not outlive a power failure. */
const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', jit: 'off' };

/**
 * Starts a server over `folder` (made if it is not there: `data`, `password`, `postgres.log`) and waits until it takes connections.
 * It ends with this process, however that ends. As root it runs as another user, so `folder` must be reachable for all.
 *
 * - `port`: a free one by default; the same again after a restart only if it is named
 * - `settings`: of postgresql.conf, by name
 * - `durable: false`: does not wait for the disk, for tests
 * - `template`: an empty data folder is kept among the temporary files, and copied; its password is one that all know
 * - `remove`: the folder goes with the server
 *
 * Returns `{url, port, pid, folder, stop, kill, ended, log}`: `stop()` closes what is open in order, `kill()` pulls the plug (all
 * processes of the server at once); both end when no process is left, as does the promise `ended`. `log()` is what the server wrote.
 * Throws `Problem` where it cannot run, with its last words.
 */
export async function startPostgres({ folder, port, settings, durable = true, template = false, remove = false }) {
  const user = serverUser();
  const native = nativeFolder(user);
  const data = join(folder, 'data');
  const all = { ...SETTINGS, ...(durable ? {} : NOT_DURABLE), ...settings };
  for (let attempt = 1; ; attempt++) {
    mkdirSync(folder, { recursive: true });
    if (user) chmodSync(folder, 0o711);
    reachableFor(user, folder);
    const password = template ? USER : keptPassword(folder);
    if (!existsSync(data)) await makeData({ native, user, folder, data, password, durable, template });
    await untilFree(data);
    const chosen = port ?? (await freePort());
    const server = await launch({ native, user, folder, data, port: chosen, settings: all, remove });
    const fault = await server.ready();
    if (fault === null) {
      const { pid, stop, kill, ended } = server;
      const url = `postgres://${USER}:${password}@127.0.0.1:${chosen}/postgres`;
      return { url, port: chosen, pid, folder, stop, kill, ended, log: () => readLog(folder) };
    }
    await server.kill();
    if (port === undefined && attempt < OTHER_PORTS && /Address already in use/.test(fault)) continue;
    throw new Problem(`PostgreSQL did not start over ${folder}.`, fault);
  }
}

function keptPassword(folder) {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** A data folder comes into being at once or not at all: half of one would never start. */
async function makeData({ native, user, folder, data, password, durable, template }) {
  const draft = join(folder, `data-${randomBytes(6).toString('hex')}`);
  if (template) await copyTemplate(native, user, draft, password);
  else await initialize(native, user, draft, password, durable);
  renameSync(draft, data);
}

/** Half a second of the processor less for each server of a test. */
async function copyTemplate(native, user, to, password) {
  const template = join(tmpdir(), `yardmaster-postgres-${broughtPostgres().version}`);
  if (!existsSync(template)) {
    const made = `${template}-${randomBytes(6).toString('hex')}`;
    await initialize(native, user, made, password, false);
    try {
      renameSync(made, template);
    } catch {
      // Another process was first.
      rmSync(made, { recursive: true, force: true });
    }
  }
  if (process.getuid && statSync(template).uid !== (user?.uid ?? process.getuid()))
    throw new Problem(`${template} belongs to somebody else.`, 'Remove it, or set TMPDIR to a folder of your own.');
  emptyFolder(to, user);
  if (user) await asUser(user, 'cp', ['-R', `${template}/.`, to]);
  else cpSync(template, to, { recursive: true });
}

async function initialize(native, user, data, password, durable) {
  emptyFolder(data, user);
  const passwordFile = `${data}.password`;
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user) chownSync(passwordFile, user.uid, user.gid);
    await asUser(user, join(native, 'bin', 'initdb'), [
      `--pgdata=${data}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function emptyFolder(folder, user) {
  mkdirSync(folder, { mode: 0o700 });
  if (user) chownSync(folder, user.uid, user.gid);
}

async function asUser(user, command, args) {
  const { code, output } = await run(command, args, { cwd: '/', ...user });
  if (code !== 0) throw new Problem(`${command} failed (exit ${code}).`, output.trim());
}

/** One that was killed a moment ago may still be about to end. */
async function untilFree(data) {
  const until = Date.now() + LEFT_OVER_MS;
  while (Date.now() < until) {
    const pid = Number(stateOf(data)?.[0]);
    if (!(pid > 0) || !lives(pid)) return;
    await pause(20);
  }
}

/** The lines of the file by which PostgreSQL says that it is there, and how: process, folder, start, port, …, state. */
function stateOf(data) {
  try {
    return readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The keeper is a process of its own, which ends the server when this one is gone. */
async function launch({ native, user, folder, data, port, settings, remove }) {
  const logStart = readLog(folder).length;
  const job = {
    command: join(native, 'bin', process.platform === 'win32' ? 'postgres.exe' : 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, to]) => ['-c', `${name}=${to}`]),
    ],
    user,
    log: join(folder, 'postgres.log'),
    remove: remove ? folder : null,
  };
  const keeper = spawn(process.execPath, [KEEPER], { stdio: ['pipe', 'pipe', 'inherit'], detached: true, cwd: '/' });
  const ended = new Promise((resolve) => keeper.once('close', resolve));
  // It may be gone before it was told to go.
  keeper.stdin.on('error', () => {});
  keeper.stdin.write(`${JSON.stringify(job)}\n`);
  const said = await Promise.race([
    new Promise((resolve) => createInterface({ input: keeper.stdout }).once('line', resolve)),
    ended.then(() => '{}'),
  ]);
  const { pid = 0, fault } = JSON.parse(said);
  // Whoever started a server and forgets it can end all the same.
  for (const part of [keeper, keeper.stdin, keeper.stdout]) part.unref();
  let running = true;
  void ended.then(() => (running = false));
  const tell = async (word) => {
    for (const part of [keeper, keeper.stdout]) part.ref();
    if (running) keeper.stdin.write(`${word}\n`);
    await ended;
    if (remove) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return {
    pid,
    ended,
    /** Null, or why it does not run. */
    async ready() {
      const until = Date.now() + START_MS;
      while (running && Date.now() < until) {
        const state = stateOf(data);
        if (Number(state?.[0]) === pid && state?.[7]?.trim() === 'ready') return null;
        await pause(10);
      }
      const words = readLog(folder).slice(logStart).trim().split('\n').slice(-12).join('\n');
      return fault ?? (running ? `not ready after ${START_MS / 1000} s\n${words}` : words);
    },
    stop: () => tell('stop'),
    kill: () => tell('kill'),
  };
}

function readLog(folder) {
  try {
    return readFileSync(join(folder, 'postgres.log'), 'utf8');
  } catch {
    return '';
  }
}

/** Below those ports that systems give to whoever asks for any: it is free still when a server comes back to it. */
export async function freePort() {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const free = await new Promise((resolve) =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    );
    await new Promise((resolve) => server.close(resolve));
    if (free) return port;
  }
}
