import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { chromiumHere } from './lib/debian.mjs';
import { ensureInstalled, nodeOf } from './lib/install.mjs';
import { main } from './lib/problem.mjs';
import { stand } from './lib/processes.mjs';

/** `npm run bench -- NAME [--quick]`: runs bench/NAME.ts on what is built from the tree as it is. JSON lines on standard output. */
await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const names = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  const [name, ...rest] = process.argv.slice(2);
  if (!names.includes(name) || rest.some((option) => !option.startsWith('--'))) {
    console.error(`usage: npm run bench -- NAME [--quick] [options of the benchmark]   (NAME: ${names.join(', ')})`);
    return 2;
  }
  const log = (line) => process.stderr.write(`${line}\n`);
  await ensureInstalled(root, log);
  await ensureBuilt(root, log);
  const chromium = chromiumHere();
  const { code } = await stand(nodeOf(root), [join(root, 'bench', `${name}.ts`), ...rest], {
    env: { ...process.env, ...(chromium ? { YARDMASTER_E2E_CHROMIUM: chromium } : {}) },
  });
  return code;
});
