import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled, nodeOf } from './lib/install.mjs';
import { main } from './lib/problem.mjs';
import { stand } from './lib/processes.mjs';

/** `npm run fuzz -- --minutes N [--seed S] [--only NAME]`: runs the fuzzer on what is built from the tree as it is. */
await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const log = (line) => process.stderr.write(`${line}\n`);
  await ensureInstalled(root, log);
  await ensureBuilt(root, log);
  const { code } = await stand(nodeOf(root), [join(root, 'fuzz', 'fuzz.ts'), ...process.argv.slice(2)]);
  return code;
});
