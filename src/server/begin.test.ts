import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { beginSingle } from './begin.ts';
import { optionsOf } from './master.fixture.ts';
import { readSecrets } from './startup/local-files.ts';

/** A command that writes its token to a file, and ends with its standard input. */
function workerCommand(): { cli: string; seen: string } {
  const folder = temporaryFolder('begin-cli');
  const cli = join(folder, 'cli.mjs');
  const seen = join(folder, 'seen');
  writeFileSync(
    cli,
    `import { renameSync, writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(`${seen}.part`)}, process.env.YARDMASTER_WORKER_TOKEN);
renameSync(${JSON.stringify(`${seen}.part`)}, ${JSON.stringify(seen)});
process.stdin.on('end', () => process.exit()).resume();`,
  );
  return { cli, seen };
}

it('takes the data folder and starts the workers, with the token that the folder keeps', async () => {
  const data = temporaryFolder('begin');
  const { cli, seen } = workerCommand();
  const begun = beginSingle(optionsOf({ data, workers: 1 }), cli);
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect(readFileSync(seen, 'utf8')).toBe(readSecrets(data).workerToken);

  const other = workerCommand();
  expect(() => beginSingle(optionsOf({ data, workers: 1 }), other.cli)).toThrow('another master');
  await begun.localWorkers.close(0);
  begun.release();
  expect(existsSync(other.seen)).toBe(false);
});

it('lets go of a folder that it must not use', async () => {
  const data = temporaryFolder('begin');
  const identity = join(data, 'cluster.json');
  writeFileSync(identity, JSON.stringify({ masterId: 'm', clusterId: 'c' }));
  expect(() => beginSingle(optionsOf({ data }), '/nowhere')).toThrow('belongs to the cluster c');
  rmSync(identity);
  writeFileSync(join(data, 'parts.json'), JSON.stringify({ version: 1, parts: ['database', 'metrics'] }));
  expect(() => beginSingle(optionsOf({ data }), '/nowhere')).toThrow('lacks its database');

  const begun = beginSingle(optionsOf({ data, adopt: true }), '/nowhere');
  await begun.localWorkers.close(0);
  begun.release();
});
