import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeEnvironment } from './node-flags.mjs';
import { Problem } from './problem.mjs';
import { run, wordsOfNpm } from './processes.mjs';
import { exclusively } from './setup-lock.mjs';

const OLDEST_NODE = 20;

/** The Node that everything runs on, brought by npm. */
export const nodeOf = (root) =>
  process.platform === 'win32'
    ? join(root, 'node_modules', 'node', 'bin', 'node.exe')
    : join(root, 'node_modules', '.bin', 'node');

/** Our child processes find Node 24 and the tools first. */
export const environmentOf = (root) => ({
  ...nodeEnvironment,
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
});

/** Brings `node_modules` to what the lock file says. Quick (some milliseconds) where it is. */
export async function ensureInstalled(root, log) {
  checkNode();
  checkWritable(root);
  if (!isInstalled(root))
    await exclusively(
      join(root, '.cache', 'install.lock'),
      log,
      async () => isInstalled(root) || (await install(root, log)),
    );
  if (!existsSync(nodeOf(root)))
    throw new Problem(
      'The packages are installed, but Node 24 (package "node") is missing.',
      'The install script of the package did not run: allow npm to run install scripts (npm config get ignore-scripts).\nThen remove node_modules and try again.',
    );
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE)
    throw new Problem(
      `Node ${process.versions.node} is too old: Yardmaster needs Node ${OLDEST_NODE} or newer to start.`,
      'Install a current Node from https://nodejs.org and try again.',
    );
}

function checkWritable(root) {
  try {
    for (const folder of ['.', '.cache', 'node_modules', 'out'])
      if (existsSync(join(root, folder))) accessSync(join(root, folder), constants.W_OK);
  } catch (error) {
    throw new Problem(
      `The folder ${error.path ?? root} is not writable.`,
      'Clone the repository to another folder, or make this folder writable.',
    );
  }
}

/** npm leaves in node_modules what it installed: the same versions as in the lock file, or it is stale. */
function isInstalled(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages;
    return (
      Object.entries(wanted).every(
        ([path, { version, optional, peer }]) =>
          path === '' || (present[path] ? present[path].version === version : optional === true || peer === true),
      ) && existsSync(nodeOf(root))
    );
  } catch {
    return false;
  }
}

async function install(root, log) {
  log('Installing packages from the lock file (about a minute) …');
  const started = Date.now();
  const beat = setInterval(() => log(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`), 20_000);
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  // Not `npm ci`: it would throw away what is there and right. The versions and hashes are those of the lock file here as well.
  // Not the environment of an outer `npm run`: its settings would be taken for flags.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|command)/.test(name)),
  );
  const { code, output } = await run(
    npm[0],
    [...npm.slice(1), 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: root, env, shell: npm.length === 1 && process.platform === 'win32' },
  );
  clearInterval(beat);
  if (code === 0) return log(`  installed in ${Math.round((Date.now() - started) / 1000)} s`);
  throw faultOfInstall(output);
}

/** Why an installation ended, of all that npm said, and what to do about it. */
export function faultOfInstall(output) {
  const tail = wordsOfNpm(output).slice(0, 5).join('\n') || output.trim().split('\n').slice(-12).join('\n');
  const headers = output.match(/request to (https?:\S+-headers\.tar\.gz) failed|(https?:\S+-headers\.tar\.gz)/);
  if (headers && /gyp ERR!/.test(output)) {
    const version = /node-v([\d.]+)-headers/.exec(headers[0])?.[1] ?? process.versions.node;
    const reason =
      output.match(/reason: (.+)/)?.[1] ?? output.match(/gyp ERR! stack (?:\w*Error: )?(.+)/)?.[1] ?? 'no response';
    return new Problem(
      `Could not download the headers of Node ${version}, which are needed to build better-sqlite3: ${headers[1] ?? headers[2]} (${reason}). All packages were downloaded.`,
      "Do one of the following, then try again:\n  Give this machine access to that address (npm's proxy settings apply: npm config set https-proxy …).\n  npm_config_nodedir=FOLDER npm start, if FOLDER/include/node contains the headers of this Node (often /usr or /usr/local)\n  npm_config_disturl=https://MIRROR/download/release npm start, to use a mirror of nodejs.org",
    );
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output))
    return new Problem(
      'Could not download the packages: the package registry does not respond.',
      `Check the network (and npm's proxy and registry settings), then try again.\n\n${tail}`,
    );
  if (/EACCES|EPERM|EROFS/.test(output))
    return new Problem(
      'Could not write the packages.',
      `Make the folder writable for your user, then try again.\n\n${tail}`,
    );
  if (/ENOSPC/.test(output)) return new Problem('The disk is full.', 'Free about 1 GB and try again.');
  return new Problem('Could not install the packages.', tail);
}
