import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { nodeOf } from './install.mjs';

/**
 * Lays out what a package is made of, in `stage`:
 * `updateKey`: the public key (PEM) of those who may update it.
 * `app/` the desktop shell and the console alone (it becomes the archive),
 * `server/` master, worker, command line, console, examples, docs and the packages that they need,
 * `node/` the Node.js that runs them, `bin/` the command line for shells, `linux/` what a .deb puts outside of its own folder.
 */
export function layOut(root, out, stage, updateKey) {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { files, packages } = reach(join(out, 'main', 'index.js'));

  const app = join(stage, 'app');
  for (const file of [...files, join(out, 'main', 'licenses.md'), join(out, 'main', 'sbom.cdx.json')])
    copy(file, join(app, 'out', relative(out, file)));
  for (const folder of ['preload', 'renderer'])
    cpSync(join(out, folder), join(app, 'out', folder), { recursive: true });
  cpSync(join(root, 'resources', 'tray'), join(app, 'resources', 'tray'), { recursive: true });
  for (const path of withTheirs(root, packages)) cpSync(join(root, path), join(app, path), { recursive: true });
  // In the archive, whose sums are checked. By it the app knows updates from those who made it.
  writeFileSync(join(app, 'update-key.pem'), updateKey);
  // Such a package is for tests alone: the window is driven through the debugger, which others refuse.
  if (process.env.YARDMASTER_PACKAGE_TEST) writeFileSync(join(app, 'debugging-allowed'), '');
  const { name, version, description, license, author } = about;
  const common = { name, version, description, license, author, type: 'module' };
  // By `desktopName` Linux knows which windows, notes and badges are this app's. electron-builder insists on a homepage.
  const face = { productName: 'Yardmaster', desktopName: 'yardmaster.desktop', homepage: 'https://yardmaster.invalid' };
  writeJson(join(app, 'package.json'), {
    ...common,
    ...face,
    main: 'out/main/index.js',
    dependencies: Object.fromEntries(packages.map((one) => [one, versionOf(root, one)])),
  });

  layOutServer(root, out, stage);
  const command = process.platform === 'win32' ? 'yardmaster.cmd' : 'yardmaster';
  copy(join(root, 'packaging', command), join(stage, 'bin', command));
  cpSync(join(root, 'packaging', 'icons'), join(stage, 'icons'), { recursive: true });
  for (const file of ['electron-builder.cjs', 'after-pack.cjs', 'entitlements.plist', 'icon.icns', 'icon.ico'])
    copy(join(root, 'packaging', file), join(stage, file));
  // electron-updater takes its folder for downloads from here; where updates come from, the user sets.
  writeFileSync(
    join(stage, 'app-update.yml'),
    `provider: generic\nurl: https://updates.invalid\nupdaterCacheDirName: yardmaster-updater\n${publisherLines()}`,
  );
  writeJson(join(stage, 'package.json'), { ...common, private: true });
  cpSync(join(root, 'packaging', 'linux'), join(stage, 'linux'), { recursive: true });
  writeFileSync(join(stage, 'linux', 'package-type'), 'deb');
  mkdirSync(join(stage, 'linux', 'bin'));
  for (const [link, to] of [
    ['yardmaster', 'resources/bin/yardmaster'],
    ['yardmaster-desktop', 'yardmaster'],
  ])
    symlinkSync(`/opt/Yardmaster/${to}`, join(stage, 'linux', 'bin', link));
  return { version };
}

/** The part of it that has no window: `server/` and `node/`. A container image is made of these alone. */
export function layOutServer(root, out, stage) {
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name, version, description, license, author } = about;
  const server = join(stage, 'server');
  cpSync(out, join(server, 'out'), { recursive: true, filter: (path) => !path.endsWith('.inputs') });
  for (const folder of ['docs', 'resources/examples'])
    cpSync(join(root, folder), join(server, folder), { recursive: true });
  for (const path of withTheirs(root, Object.keys(about.dependencies)))
    cpSync(join(root, path), join(server, path), {
      recursive: true,
      filter: (from) => !isForeign(relative(root, from)),
    });
  writeJson(join(server, 'package.json'), {
    ...{ name, version, description, license, author, type: 'module' },
    ...{ exports: about.exports, bin: about.bin },
  });
  copyFileSync(join(root, 'LICENSE'), join(server, 'LICENSE'));

  const node = join(stage, 'node', process.platform === 'win32' ? 'node.exe' : 'node');
  copy(nodeOf(root), node);
  chmodSync(node, 0o755);
}

/** Whose signature a package for Windows must carry; updates of somebody else are refused by the updater. */
function publisherLines() {
  const publisher = process.env.YARDMASTER_WINDOWS_PUBLISHER;
  return publisher ? `publisherName:\n  - ${JSON.stringify(publisher)}\n` : '';
}

/** What a built file loads of the build, itself included, and the packages that these name. */
function reach(entry) {
  const files = new Set([entry]);
  const packages = new Set();
  for (const file of files) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"'\n]+)["']/g)) {
      if (name.startsWith('.')) {
        const path = join(dirname(file), name);
        if (existsSync(path)) files.add(path);
      } else if (
        /^[@a-z]/.test(name) &&
        !name.startsWith('node:') &&
        name !== 'electron' &&
        !builtinModules.includes(name)
      )
        packages.add(
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        );
    }
  }
  return { files: [...files], packages: [...packages].sort() };
}

/** Folders of these packages and of all that they need, by the lock file. */
function withTheirs(root, names) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const add = (name, from) => {
    // As Node looks for it: in the folder of who asks, then upwards.
    for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (packages[path] && existsSync(join(root, path))) {
        if (!found.has(path)) {
          found.add(path);
          for (const next of Object.keys({ ...packages[path].dependencies, ...packages[path].optionalDependencies }))
            add(next, path);
        }
        return;
      }
      if (at === '') return;
    }
  };
  for (const name of names) add(name, '');
  // A package inside another one's folder is copied with it.
  return [...found].filter((path) => !found.has(path.slice(0, path.lastIndexOf('/node_modules/'))));
}

/** Native code of other platforms, and sources of what is there compiled. */
function isForeign(path) {
  const [, prebuilt] = path.match(/better-sqlite3\/prebuilds\/(.+)\.node$/) ?? [];
  if (prebuilt) return !prebuilt.startsWith(`${process.platform}-`) && !prebuilt.startsWith(`${process.platform}musl-`);
  return /better-sqlite3\/(deps|src)$/.test(path);
}

const versionOf = (root, name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
