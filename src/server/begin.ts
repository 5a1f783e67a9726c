import type { MasterOptions } from '../contract/process.ts';
import { refuseClusterFolder } from './cluster/identity.ts';
import { checkDataParts } from './startup/data-parts.ts';
import { readSecrets } from './startup/local-files.ts';
import { lockDataFolder } from './startup/lock.ts';
import { tightenFolder } from './startup/private-folder.ts';
import { superviseWorkers, type Supervisor } from './workers/supervisor.ts';

/** What a single master has before anything of it is open. */
export interface Begun {
  readonly localWorkers: Supervisor;
  /** Lets others use the data folder. */
  release(): void;
}

/**
 * Takes the data folder and starts the local workers, which get ready while the rest of the master is loaded and opened. So this
 * imports next to nothing. Throws a `Fault` where the folder is used by another, or is not one that a master may use.
 */
export function beginSingle(options: MasterOptions, cli: string): Begun {
  const { data, log } = options;
  const lock = lockDataFolder(data);
  try {
    refuseClusterFolder(data);
    checkFolder(options);
    const localWorkers = superviseWorkers({
      ...{ count: options.workers, capacity: options.capacity, cli, log },
      token: readSecrets(data).workerToken,
      caFile: null,
    });
    return { localWorkers, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** What holds for the data folder of every master. */
export function checkFolder({ data, adopt, log }: Pick<MasterOptions, 'data' | 'adopt' | 'log'>): void {
  tightenFolder(data, log);
  checkDataParts(data, adopt, log);
}
