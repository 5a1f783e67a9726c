import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { makeDeb } from './lib/deb.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { layOut } from './lib/package-stage.mjs';
import { main, Problem } from './lib/problem.mjs';
import { run } from './lib/processes.mjs';

/**
 * `npm run package [-- dir deb AppImage …]`: packages of the desktop app for this platform, in dist/packages. Without names:
 * those that are usual here. `dir`: the unpacked app alone. What needs a download that cannot be had says so and fails.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const say = (line) => process.stdout.write(`${line}\n`);
const USUAL = { linux: ['deb', 'AppImage'], darwin: ['dmg', 'zip'], win32: ['nsis'] };
const UNPACKED = { linux: process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked', darwin: process.arch === 'arm64' ? 'mac-arm64' : 'mac', win32: 'win-unpacked' };

await main(async () => {
  const asked = process.argv.slice(2);
  const targets = asked.length > 0 ? asked : (USUAL[process.platform] ?? []);
  await ensureInstalled(root, say);
  const given = process.env.YARDMASTER_PACKAGE_OUT;
  if (!given) await ensureBuilt(root, say);
  const dist = process.env.YARDMASTER_PACKAGE_DIST ?? join(root, 'dist');
  const stage = join(dist, 'stage');
  const packages = join(dist, 'packages');
  mkdirSync(packages, { recursive: true });
  const tools = await ensureTools();
  const about = layOut(root, given ?? join(root, 'out'), stage);
  const electron = await electronFor(dist);

  say('Packing the app …');
  await build(tools, stage, electron, ['--dir']);
  const unpacked = join(packages, UNPACKED[process.platform]);
  say(`  ${unpacked}`);
  const made = [];
  for (const target of targets.filter((one) => one !== 'dir')) {
    say(`Building ${target} …`);
    if (target === 'deb') made.push(await makeDeb(unpacked, stage, packages, about));
    else {
      const before = new Set(readdirSync(packages));
      await build(tools, stage, electron, [{ linux: '--linux', darwin: '--mac', win32: '--win' }[process.platform], target, '--prepackaged', unpacked]);
      made.push(...readdirSync(packages).filter((name) => !before.has(name) && /\.(AppImage|dmg|zip|exe)$/.test(name)).map((name) => join(packages, name)));
    }
  }
  if (process.platform === 'linux' && made.length > 0) writeFeed(packages, about.version, made);
  for (const file of made) say(`  ${file} (${Math.round(statSync(file).size / 1024 / 1024)} MB)`);
  return 0;
});

/** electron-builder in a folder of its own: it is large, and nothing else needs it. */
async function ensureTools() {
  const folder = join(root, '.cache', 'packaging');
  const lock = readFileSync(join(root, 'packaging', 'package-lock.json'), 'utf8');
  const mark = join(folder, '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return folder;
  say('Installing electron-builder (once) …');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, 'packaging', file), join(folder, file));
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, shell: process.platform === 'win32' });
  if (code !== 0) throw new Problem('electron-builder could not be installed.', output.trim().split('\n').slice(-8).join('\n'));
  writeFileSync(mark, lock);
  return folder;
}

/**
 * The Electron that goes into the package: the official one that is installed. Where only the stand-in for development can
 * be had, the package is one to try out, and this says so.
 */
async function electronFor(dist) {
  const { executable, version, reason } = await ensureElectron(root, say);
  if (executable === null) throw new Problem('There is no Electron to package.', reason);
  const home = dirname(executable);
  if (basename(executable).toLowerCase().startsWith('electron')) return { folder: process.platform === 'darwin' ? dirname(dirname(dirname(home))) : home, version };
  say(`Taking the stand-in runtime ${version}: a package to try out here, not one to hand on (Electron's own downloads are not reachable).`);
  const copy = join(dist, `electron-${version}`);
  if (!existsSync(join(copy, 'electron'))) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(home, copy, { recursive: true });
    rmSync(join(copy, 'resources'), { recursive: true, force: true });
    mkdirSync(join(copy, 'resources'));
    renameSync(join(copy, basename(executable)), join(copy, 'electron'));
    chmodSync(join(copy, 'electron'), 0o755);
    if (!existsSync(join(copy, 'version'))) writeFileSync(join(copy, 'version'), version);
  }
  return { folder: copy, version };
}

async function build(tools, stage, electron, args) {
  const { code, output } = await run(
    nodeOf(root),
    [join(tools, 'node_modules', 'electron-builder', 'cli.js'), '--projectDir', stage, '--config', join(stage, 'electron-builder.yml'), '--publish', 'never', `-c.electronVersion=${electron.version}`, `-c.electronDist=${electron.folder}`, ...args],
    // Signing takes its certificates from the environment of whoever releases; without them the packages are unsigned.
    { cwd: stage, env: { ...environmentOf(root), ...(process.env.CSC_LINK ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }) } },
  );
  if (code === 0) return;
  const download = output.match(/(?:Get|GET|url=|downloading)\s*"?(https?:\/\/[^\s"]+)/i)?.[1];
  const tail = output.trim().split('\n').slice(-12).join('\n');
  throw new Problem('electron-builder could not build it.', download ? `It needs ${download}, which may not be reachable from here.\n\n${tail}` : tail);
}

/** What electron-updater reads in a folder of updates (docs/packaging.md, "Updates"). */
function writeFeed(packages, version, made) {
  const files = made.map((file) => ({ url: basename(file), sha512: createHash('sha512').update(readFileSync(file)).digest('base64'), size: statSync(file).size }));
  const [first] = files;
  const lines = files.flatMap(({ url, sha512, size }) => [`  - url: ${url}`, `    sha512: ${sha512}`, `    size: ${size}`]);
  writeFileSync(join(packages, process.arch === 'arm64' ? 'latest-linux-arm64.yml' : 'latest-linux.yml'), [`version: ${version}`, 'files:', ...lines, `path: ${first.url}`, `sha512: ${first.sha512}`, `releaseDate: '${new Date().toISOString()}'`, ''].join('\n'));
}
