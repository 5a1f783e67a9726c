import { mkdirSync } from 'node:fs';
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
  // The user of the image cannot make it in a file system of root's.
  mkdirSync(join(image, 'data'), { recursive: true });
  return 0;
});
