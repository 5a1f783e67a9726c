import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programOf } from './debian.mjs';
import { environmentOf, nodeOf } from './install.mjs';
import { Problem } from './problem.mjs';
import { run } from './processes.mjs';

/** electron-builder in a folder of its own: it is large, and nothing else needs it. Returns the folder. */
export async function ensureTools(root, log) {
  const folder = join(root, '.cache', 'packaging');
  const lock = readFileSync(join(root, 'packaging', 'package-lock.json'), 'utf8');
  const mark = join(folder, '.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return folder;
  log('Installing electron-builder (once) …');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, 'packaging', file), join(folder, file));
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  if (code !== 0)
    throw new Problem('Could not install electron-builder.', output.trim().split('\n').slice(-8).join('\n'));
  writeFileSync(mark, lock);
  return folder;
}

/** electron-builder did not get a tool that it fetches from GitHub. */
export class Unreachable extends Problem {}

/** Runs electron-builder on what is laid out in `stage`. `env` is added to the environment. */
export async function electronBuilder(root, tools, stage, electron, args, env = {}) {
  const { code, output } = await run(
    nodeOf(root),
    [
      join(tools, 'node_modules', 'electron-builder', 'cli.js'),
      '--projectDir',
      stage,
      '--config',
      join(stage, 'electron-builder.cjs'),
      '--publish',
      'never',
      `-c.electronVersion=${electron.version}`,
      `-c.electronDist=${electron.folder}`,
      ...args,
    ],
    // Signing takes its certificates from the environment of whoever releases; without them the packages are unsigned.
    {
      cwd: stage,
      env: {
        ...environmentOf(root),
        ...(process.env.CSC_LINK ? {} : { CSC_IDENTITY_AUTO_DISCOVERY: 'false' }),
        ...env,
      },
    },
  );
  if (code === 0) return;
  const tail = output.trim().split('\n').slice(-12).join('\n');
  if (
    /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|ENETUNREACH|fetch failed|RequestError|HTTPError/.test(output)
  )
    throw new Unreachable(
      'electron-builder failed.',
      `electron-builder needs a tool from GitHub, which is not reachable.\n\n${tail}`,
    );
  throw new Problem('electron-builder failed.', tail);
}

/** A program in the place of `fpm` that has Debian's own dpkg-deb build the .deb (scripts/lib/fpm.mjs). Returns its path. */
export function fpmOf(root, dist) {
  const program = join(dist, 'fpm');
  const quoted = (path) => `'${path.replaceAll("'", "'\\''")}'`;
  writeFileSync(
    program,
    `#!/bin/sh\nexec ${quoted(nodeOf(root))} ${quoted(fileURLToPath(new URL('fpm.mjs', import.meta.url)))} "$@"\n`,
  );
  chmodSync(program, 0o755);
  return program;
}

/** A runtime begins at a whole page, as those of AppImage do. */
const PAGE = 4096;

/**
 * What electron-builder's AppImage tools are made of, from the system's own mksquashfs and a runtime that unpacks instead of
 * mounting: for AppImages to try out where the tools themselves cannot be fetched. Returns the folder.
 */
export function standInAppImageTools(root, dist) {
  const mksquashfs = programOf('mksquashfs');
  if (mksquashfs === null)
    throw new Problem(
      'An AppImage needs mksquashfs.',
      'The AppImage tools cannot be downloaded, and mksquashfs is not installed on this system (Debian: apt-get install squashfs-tools).',
    );
  const folder = join(dist, 'appimage-tools');
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  rmSync(folder, { recursive: true, force: true });
  for (const inner of ['runtimes', join('lib', arch)]) mkdirSync(join(folder, inner), { recursive: true });
  // What is only tried out need not be small: its usual level takes minutes.
  writeFileSync(join(folder, 'mksquashfs'), `#!/bin/sh\nexec ${mksquashfs} "$@" -Xcompression-level 2\n`, {
    mode: 0o755,
  });
  // electron-builder looks whether it is there, and does not call it.
  symlinkSync(programOf('desktop-file-validate') ?? '/bin/true', join(folder, 'desktop-file-validate'));
  const script = readFileSync(join(root, 'packaging', 'linux', 'appimage-runtime.sh'), 'utf8').replace(
    '@OFFSET@',
    PAGE,
  );
  writeFileSync(join(folder, 'runtimes', `runtime-${arch}`), script.padEnd(PAGE, '\n'));
  return folder;
}
