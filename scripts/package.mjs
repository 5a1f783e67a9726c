import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureElectron } from './lib/electron.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { layOut } from './lib/package-stage.mjs';
import { electronBuilder, ensureTools, fpmOf, standInAppImageTools, Unreachable } from './lib/package-tools.mjs';
import { main, Problem } from './lib/problem.mjs';
import { signFeed, updateKey } from './lib/update-key.mjs';

/**
 * `npm run package [-- dir deb AppImage …]`: packages of the desktop app for this platform, in dist/packages. Without names:
 * those that are usual here. `dir`: the unpacked app alone. What needs a download that cannot be had says so and fails.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const log = (line) => process.stdout.write(`${line}\n`);
const USUAL = { linux: ['deb', 'AppImage'], darwin: ['dmg', 'zip'], win32: ['nsis'] };
const UNPACKED = {
  linux: process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked',
  darwin: process.arch === 'arm64' ? 'mac-arm64' : 'mac',
  win32: 'win-unpacked',
};

await main(async () => {
  const asked = process.argv.slice(2);
  const targets = asked.length > 0 ? asked : (USUAL[process.platform] ?? []);
  await ensureInstalled(root, log);
  const given = process.env.YARDMASTER_PACKAGE_OUT;
  if (!given) await ensureBuilt(root, log);
  const dist = process.env.YARDMASTER_PACKAGE_DIST ?? join(root, 'dist');
  const stage = join(dist, 'stage');
  const packages = join(dist, 'packages');
  mkdirSync(packages, { recursive: true });
  const tools = await ensureTools(root, log);
  const { privateKey, publicKey } = updateKey(dist, log);
  const about = layOut(root, given ?? join(root, 'out'), stage, publicKey);
  const electron = await electronFor(dist);

  log('Packing the app …');
  await electronBuilder(root, tools, stage, electron, ['--dir']);
  const unpacked = join(packages, UNPACKED[process.platform]);
  log(`  ${unpacked}`);
  const made = [];
  for (const target of targets
    .filter((one) => one !== 'dir')
    .sort((a, b) => Number(a === 'AppImage') - Number(b === 'AppImage'))) {
    log(`Building ${target} …`);
    for (const name of packagesIn(packages)) if (name.endsWith(`.${target}`)) rmSync(join(packages, name));
    const before = new Set(packagesIn(packages));
    if (process.platform === 'linux') await linuxPackage(target, { tools, stage, electron, unpacked, dist });
    else
      await electronBuilder(root, tools, stage, electron, [
        { darwin: '--mac', win32: '--win' }[process.platform],
        target,
        '--prepackaged',
        unpacked,
      ]);
    made.push(
      ...packagesIn(packages)
        .filter((name) => !before.has(name))
        .map((name) => join(packages, name)),
    );
  }
  if (process.platform === 'linux' && made.length > 0) writeFeed(packages, about.version, made);
  signFeeds(packages, privateKey);
  for (const file of made) log(`  ${file} (${Math.round(statSync(file).size / 1024 / 1024)} MB)`);
  return 0;
});

/**
 * The Electron that goes into the package: the official one that is installed. Where only the stand-in for development can
 * be had, the package is one to try out, and this says so.
 */
async function electronFor(dist) {
  const { executable, version, reason } = await ensureElectron(root, log);
  if (executable === null) throw new Problem('No Electron to package.', reason);
  const home = dirname(executable);
  if (basename(executable).toLowerCase().startsWith('electron'))
    return { folder: process.platform === 'darwin' ? dirname(dirname(dirname(home))) : home, version };
  log(
    `Using the substitute runtime ${version}: this package is only for testing on this machine, not for distribution (Electron's downloads are not reachable).`,
  );
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

/** Packages for Linux. The .deb first: an AppImage also carries the kinds of files that it opens. */
async function linuxPackage(target, { tools, stage, electron, unpacked, dist }) {
  const args = ['--linux', target, '--prepackaged', unpacked];
  if (target !== 'AppImage')
    return electronBuilder(
      root,
      tools,
      stage,
      electron,
      args,
      target === 'deb' && process.env.USE_SYSTEM_FPM !== 'true'
        ? { CUSTOM_FPM_PATH: process.env.CUSTOM_FPM_PATH ?? fpmOf(root, dist) }
        : {},
    );
  cpSync(join(stage, 'linux', 'mime.xml'), join(unpacked, 'usr', 'share', 'mime', 'packages', 'yardmaster.xml'));
  try {
    await electronBuilder(root, tools, stage, electron, args);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    log(
      "Using this system's mksquashfs and a runtime that needs unsquashfs: this AppImage is only for testing on this machine, not for distribution (the AppImage tools cannot be downloaded).",
    );
    await electronBuilder(root, tools, stage, electron, args, {
      APPIMAGE_TOOLS_PATH: standInAppImageTools(root, dist),
    });
  }
}

function packagesIn(folder) {
  return readdirSync(folder).filter((name) => /\.(deb|AppImage|dmg|zip|exe)$/.test(name));
}

/** What electron-updater reads in a folder of updates (docs/packaging.md, "Updates"). */
function writeFeed(packages, version, made) {
  const files = made.map((file) => ({
    url: basename(file),
    sha512: createHash('sha512').update(readFileSync(file)).digest('base64'),
    size: statSync(file).size,
  }));
  const [first] = files;
  const lines = files.flatMap(({ url, sha512, size }) => [
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `    size: ${size}`,
  ]);
  writeFileSync(
    join(packages, process.arch === 'arm64' ? 'latest-linux-arm64.yml' : 'latest-linux.yml'),
    [
      `version: ${version}`,
      'files:',
      ...lines,
      `path: ${first.url}`,
      `sha512: ${first.sha512}`,
      `releaseDate: '${new Date().toISOString()}'`,
      '',
    ].join('\n'),
  );
}

/** Signs every feed that lies beside the packages, also those of electron-builder. */
function signFeeds(packages, privateKey) {
  for (const name of readdirSync(packages).filter((one) => /^latest.*\.yml$/.test(one)))
    writeFileSync(
      join(packages, `${name}.sig`),
      `${signFeed(name, readFileSync(join(packages, name), 'utf8'), privateKey)}\n`,
    );
}
