import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { main, Problem } from './lib/problem.mjs';
import { stand } from './lib/processes.mjs';
import { ownTemporaryFolder } from './lib/temporary.mjs';

/**
 * `npm run faults -- [--rounds N] [--seed S]`: the long form of the test of several masters (e2e/faults/cluster.e2e.ts). Each round is
 * load, a fault, and a check of everything that was acknowledged; it stops at the first promise that was broken. The same seed
 * makes the same choices.
 */
const NAMES = { '--rounds': 'YARDMASTER_FAULT_ROUNDS', '--seed': 'YARDMASTER_FAULT_SEED' };
const ROUNDS = 100;

await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const log = (line) => process.stdout.write(`${line}\n`);
  const env = { YARDMASTER_FAULT_ROUNDS: String(ROUNDS), YARDMASTER_FAULT_SEED: String(Date.now() % 1_000_000) };
  for (let args = process.argv.slice(2); args.length > 0; args = args.slice(2)) {
    const [name, value] = args;
    if (!(name in NAMES) || !/^[1-9]\d*$/.test(value ?? ''))
      throw new Problem(
        `Unexpected ${args.slice(0, 2).join(' ')}.`,
        'Usage: npm run faults -- [--rounds N] [--seed S]',
      );
    env[NAMES[name]] = value;
  }
  await ensureInstalled(root, log);
  await ensureBuilt(root, log);
  ownTemporaryFolder();
  log(`${env.YARDMASTER_FAULT_ROUNDS} rounds, seed ${env.YARDMASTER_FAULT_SEED}`);
  const { code } = await stand(
    nodeOf(root),
    [
      join(root, 'node_modules', '@playwright', 'test', 'cli.js'),
      'test',
      '--project=faults',
      '--reporter=list',
      `--output=${join('test-results', 'faults')}`,
      'faults/cluster.e2e',
    ],
    { cwd: root, env: { ...environmentOf(root), ...env, YARDMASTER_NODE: nodeOf(root) } },
  );
  return code;
});
