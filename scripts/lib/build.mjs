import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, nodeOf } from './install.mjs';
import { Problem } from './problem.mjs';
import { run } from './processes.mjs';
import { sbomOf } from './sbom.mjs';
import { exclusively } from './setup-lock.mjs';

const SINGLE_INPUTS = [
  'scripts/lib/sbom.mjs',
  'electron.vite.config.ts',
  'scripts/lib/addresses.ts',
  'scripts/lib/node-build.ts',
  'scripts/lib/packed-assets.ts',
  'scripts/lib/written-schemas.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.sdk.json',
];
/** The console's help shows the documentation as it was when it was built. */
const FOLDERS = ['src', 'docs'];

/** Builds `out/` where its inputs changed since; it is put in place whole, so a failed build leaves the old one. */
export async function ensureBuilt(root, log) {
  if (isBuilt(root)) return;
  await exclusively(join(root, '.cache', 'build.lock'), log, async () => isBuilt(root) || (await build(root, log)));
}

async function build(root, log) {
  const inputs = digest(root);
  log('Building …');
  const fresh = join(root, '.cache', `build-${process.pid}`);
  const old = join(root, '.cache', `build-old-${process.pid}`);
  const { code, output } = await run(
    nodeOf(root),
    [join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'), 'build', '--outDir', fresh],
    { cwd: root, env: environmentOf(root) },
  );
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw new Problem('The build failed.', output.trim().split('\n').slice(-30).join('\n'));
  }
  writeFileSync(join(fresh, 'main', 'sbom.cdx.json'), `${JSON.stringify(sbomOf(root), null, 2)}\n`);
  writeFileSync(join(fresh, '.inputs'), inputs);
  if (existsSync(join(root, 'out'))) renameSync(join(root, 'out'), old);
  renameSync(fresh, join(root, 'out'));
  rmSync(old, { recursive: true, force: true });
}

function isBuilt(root) {
  try {
    return readFileSync(join(root, 'out', '.inputs'), 'utf8') === digest(root);
  } catch {
    return false;
  }
}

/** Changes with the path, size or time of any input. In whole milliseconds: a copy that keeps the time of a file keeps no part of one. */
function digest(root) {
  const hash = createHash('sha256');
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  for (const name of [...SINGLE_INPUTS, ...sources].sort()) {
    if (/\.test\.tsx?$/.test(name)) continue;
    const stat = statSync(join(root, name), { throwIfNoEntry: false });
    if (stat?.isFile()) hash.update(`${name}\0${stat.size}\0${Math.round(stat.mtimeMs)}\n`);
  }
  return hash.digest('hex');
}
