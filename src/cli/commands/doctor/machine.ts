import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { DEFAULT_PORTS } from '../../../contract/limits.ts';
import type { LocalFile } from '../../../contract/process.ts';
import { findPortHolder } from '../../../lib/listen-on-port.ts';
import { failed, passed, reason, warning, type Check } from './check.ts';

const NODE_NEEDED = [22, 14] as const;
const FREE_BYTES_NEEDED = 500 * 1024 * 1024;

/** The store's native part needs Node-API 10. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
  return enough
    ? passed('node', version)
    : failed(
        'node',
        `${version} is too old for a master`,
        `use Node ${NODE_NEEDED.join('.')} or newer; in the repository, use \`npm run yardmaster\``,
      );
}

export async function checkSqlite(): Promise<Check> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(':memory:');
    const version = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version;
    db.close();
    return passed('sqlite', version ?? 'loads');
  } catch (error) {
    return failed(
      'sqlite',
      `better-sqlite3 does not load (${reason(error)})`,
      'reinstall the dependencies for this platform: npm ci',
    );
  }
}

/** Bits by which the group and others may do something. */
const OTHERS = 0o077;

export function checkDataFolder(folder: string): Check {
  const there = existsSync(folder);
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(place);
    const free = `${((Number(bavail) * Number(bsize)) / 2 ** 30).toFixed(1)} GiB free`;
    if (Number(bavail) * Number(bsize) < FREE_BYTES_NEEDED)
      return warning(
        'data folder',
        `${folder}, only ${free}`,
        'free up space, or choose a folder on another disk with --data',
      );
    const mode = there && process.platform !== 'win32' ? statSync(folder).mode & 0o777 : 0;
    if ((mode & OTHERS) !== 0)
      return warning(
        'data folder',
        `${folder} is open to other users of this machine (mode ${mode.toString(8).padStart(4, '0')})`,
        `run \`chmod go-rwx ${folder}\`; a master does that when it starts`,
      );
    return passed('data folder', `${folder}, ${there ? 'writable' : 'not created yet'}, ${free}`);
  } catch (error) {
    return failed(
      'data folder',
      `${folder} is not writable (${reason(error)})`,
      `make ${place} writable for this user, or choose another folder with --data`,
    );
  }
}

/** Reads each database of the data folder whole, but one; also while a master runs. */
export async function checkStores(folder: string, but: string | null): Promise<Check[]> {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.db') && file !== join(folder, but ?? '') && statSync(file).isFile());
  if (files.length === 0) return but === null ? [passed('store', 'nothing is stored yet')] : [];
  const { default: Database } = await import('better-sqlite3');
  return files.map((file) => {
    const name = `store ${relative(folder, file)}`;
    try {
      const db = new Database(file, { readonly: true, timeout: 5000 });
      try {
        const faults = db.prepare<[], string>('PRAGMA integrity_check(5)').pluck().all();
        if (faults.length === 1 && faults[0] === 'ok')
          return passed(name, `sound, ${Math.ceil(statSync(file).size / 1024)} KiB`);
        return failed(
          name,
          `damaged: ${faults.join('; ')}`,
          'stop the master and restore a backup into an empty folder',
        );
      } finally {
        db.close();
      }
    } catch (error) {
      return failed(
        name,
        `not readable (${reason(error)})`,
        'check its owner and mode; if it is damaged, restore a backup into an empty folder',
      );
    }
  });
}

/** Whether a master could take its default ports now. The running one may hold them. */
export async function checkPorts(local: LocalFile | null): Promise<Check[]> {
  const own = new Set(local === null ? [] : Object.values(local.ports));
  return Promise.all(
    (
      [
        ['master', DEFAULT_PORTS.master, '--port'],
        ['log pipeline', DEFAULT_PORTS.logstash, '--logstash-port'],
      ] as const
    ).map(async ([what, port, flag]) => {
      const name = `port ${port}`;
      if (own.has(port)) return passed(name, `${what}, used by the running master`);
      if (await isFree(port)) return passed(name, `${what}, free`);
      const holder = findPortHolder(port);
      return warning(
        name,
        `${what}, taken${holder === null ? '' : ` by ${holder}`}`,
        `the master uses the next free port; to choose one, use ${flag}`,
      );
    }),
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
