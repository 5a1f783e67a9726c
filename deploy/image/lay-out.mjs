import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { layOutServer } from '../../scripts/lib/package-stage.mjs';
import { main } from '../../scripts/lib/problem.mjs';

/** Builds what is not built, and lays out in a folder what the container image holds beside its base (see the Dockerfile). */
await main(async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const image = resolve(process.argv[2] ?? 'image');
  await ensureBuilt(root, (line) => process.stdout.write(`${line}\n`));
  layOutServer(root, join(root, 'out'), join(image, 'program'));
  removeUnused(join(image, 'program', 'server'));
  // The user of the image cannot make it in a file system of root's.
  mkdirSync(join(image, 'data', 'yardmaster'), { recursive: true });
  return 0;
});

/**
 * What no master reads: native code of other processors and sources of it, types, source maps and tests of packages, the
 * forms of QuickJS that nothing starts, pictures of the documentation.
 */
function removeUnused(server) {
  rmSync(join(server, 'docs', 'images'), { recursive: true, force: true });
  const packages = join(server, 'node_modules');
  for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isUnused = entry.isDirectory()
      ? /^(__)?tests?(__)?$/.test(entry.name)
      : /\.(map|ts|mts|cts|h|c|cc|cpp|gypi?)$/.test(entry.name) ||
        (entry.name.endsWith('.wasm') && /quickjs-wasmfile-(debug|.*asyncify)/.test(path)) ||
        (/\.(md|markdown)$/.test(entry.name) && !/licen[cs]e|notice/i.test(entry.name)) ||
        (entry.name.endsWith('.node') && entry.name !== `linux-${process.arch}.node`);
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}
