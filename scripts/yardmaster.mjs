import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { nodeFlags } from './lib/node-flags.mjs';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { main } from './lib/problem.mjs';
import { stand } from './lib/processes.mjs';

/** `npm run -s yardmaster -- <command>`: the command line, installed and built first where needed. Standard output is the command's alone. */
await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const log = (line) => process.stderr.write(`${line}\n`);
  await ensureInstalled(root, log);
  await ensureBuilt(root, log);
  const { code } = await stand(
    nodeOf(root),
    [...nodeFlags, join(root, 'out', 'main', 'cli.js'), ...process.argv.slice(2)],
    { env: environmentOf(root) },
  );
  return code;
});
