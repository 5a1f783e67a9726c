import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import { errorMessage } from '../lib/errors.ts';
import { beginSingle } from './begin.ts';
import { keepFilesPrivate } from './startup/private-folder.ts';
import { superviseWorkers } from './workers/supervisor.ts';

/**
 * Starts a master in this process. Throws a `Fault` with the remedy.
 *
 * @param stopped ends the start of a master that waits for PostgreSQL or for an owner: it rejects with the signal's reason
 */
export async function startMaster(options: MasterOptions, stopped?: AbortSignal): Promise<RunningMaster> {
  keepFilesPrivate();
  const folder = dirname(fileURLToPath(import.meta.url));
  const page = join(folder, '..', 'renderer');
  const parts = {
    cli: join(folder, 'cli.js'),
    consoleFolder: existsSync(join(page, 'index.html')) ? page : null,
  };
  if (options.store === 'sqlite') {
    const begun = beginSingle(options, parts.cli);
    const { buildMaster } = await import('./index.ts');
    return buildMaster(options, parts, null, null, begun);
  }
  // A single master loads nothing of PostgreSQL.
  const [{ startClusterMaster }, { buildMaster }, { openCopyReads }, { warmStores }] = await Promise.all([
    import('./cluster/cluster-master.ts'),
    import('./index.ts'),
    import('./copy-reads.ts'),
    import('./local-stores.ts'),
  ]);
  const warm = warmStores(options);
  return startClusterMaster(options, {
    stopped,
    warm,
    build: async (given, side) => buildMaster(given, parts, side, await warm.take()),
    openReads: (file, secretsKey) =>
      openCopyReads(file, secretsKey, (error) => options.log(`reads of the working copy: ${errorMessage(error)}`)),
    startWorkers: (token) =>
      superviseWorkers({ ...options, count: options.workers, cli: parts.cli, token, caFile: null }),
  });
}
