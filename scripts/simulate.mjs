import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, environmentOf, nodeOf } from './lib/install.mjs';
import { main, Problem } from './lib/problem.mjs';

/**
 * `npm run simulate -- [--seeds N] [--from S]`: masters over a model of PostgreSQL, with crashes, pauses, cuts and late answers chosen by
 * the seed (src/server/cluster/simulation). Each seed is a run of its own that comes out the same every time; what a failed one did
 * is printed, and with `--seeds 1` what any one did.
 */
const USAGE = 'Usage: npm run simulate -- [--seeds N] [--from S]';
const SHOWN_FAILURES = 3;
const PROGRESS = 500;

await main(async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const log = (line) => process.stdout.write(`${line}\n`);
  const given = { '--seeds': 1000, '--from': 1 };
  for (let args = process.argv.slice(2); args.length > 0; args = args.slice(2)) {
    const [name, value] = args;
    if (!(name in given) || !/^[1-9]\d*$/.test(value ?? ''))
      throw new Problem(`Unexpected ${args.slice(0, 2).join(' ')}.`, USAGE);
    given[name] = Number(value);
  }
  const { '--seeds': seeds, '--from': from } = given;
  await ensureInstalled(root, log);

  const startedAt = Date.now();
  const sum = { done: 0, acknowledged: 0, reads: 0, epochs: 0, turns: 0 };
  const failed = [];
  const hear = (line) => {
    const { seed, violation, notes, ...counts } = JSON.parse(line);
    sum.done++;
    for (const name of Object.keys(counts)) sum[name] += counts[name];
    if (violation !== null) {
      failed.push(seed);
      if (failed.length <= SHOWN_FAILURES) log(`\nseed ${seed}: ${violation}\n${notes.join('\n')}\n`);
    } else if (notes) log(notes.join('\n'));
    if (sum.done % PROGRESS === 0) log(`${sum.done} of ${seeds} seeds, ${failed.length} failed`);
  };
  const lanes = Math.min(seeds, availableParallelism());
  const codes = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const count = Math.ceil((seeds - lane) / lanes);
      const args = [from + lane, lanes, count].map(String);
      const file = join(root, 'src', 'server', 'cluster', 'simulation', 'seeds-process.fixture.ts');
      const child = spawn(nodeOf(root), [file, ...args], {
        cwd: root,
        env: environmentOf(root),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      createInterface({ input: child.stdout }).on('line', hear);
      const [code] = await once(child, 'close');
      return code;
    }),
  );
  log(
    `${sum.done} seeds in ${Math.round((Date.now() - startedAt) / 1000)} s: ${sum.acknowledged} writes acknowledged, ` +
      `${sum.reads} reads, ${sum.turns} turns, ${sum.epochs} epochs; ${failed.length} failed${failed.length > 0 ? `: ${failed.join(' ')}` : ''}`,
  );
  return failed.length === 0 && sum.done === seeds && codes.every((code) => code === 0) ? 0 : 1;
});
