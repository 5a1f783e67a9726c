import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../lib/temporary-folder.fixture.ts';
import { beginSingle } from './begin.ts';
import { optionsOf } from './master.fixture.ts';
import { readSecrets } from './startup/local-files.ts';
import { recordingWorker } from './workers/recording-worker.fixture.ts';

it('takes the data folder and starts the workers, with the token that the folder keeps', async () => {
  const data = temporaryFolder('begin');
  const { cli, seen } = recordingWorker();
  const begun = beginSingle(optionsOf({ data, workers: 1 }), cli);
  await expect.poll(() => existsSync(seen)).toBe(true);
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toHaveProperty(
    'YARDMASTER_WORKER_TOKEN',
    readSecrets(data).workerToken,
  );

  const other = recordingWorker();
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
