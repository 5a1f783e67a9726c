import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import { startClusterMaster } from './cluster/cluster-master.ts';
import { openCopyReads } from './copy-reads.ts';
import { buildMaster } from './index.ts';
import { warmStores } from './local-stores.ts';

/** A master as tests run it: on ports that are free, without workers and console, silent. */
export const openMaster = (options: Partial<MasterOptions> & Pick<MasterOptions, 'data'>): Promise<RunningMaster> =>
  buildMaster(optionsOf(options), PARTS);

/** One of several masters that share PostgreSQL, in this process. */
export const openClusterMaster = (
  options: Partial<MasterOptions> & Pick<MasterOptions, 'data' | 'store' | 'secretsKey'>,
): Promise<RunningMaster> => {
  const warm = warmStores(optionsOf(options));
  return startClusterMaster(optionsOf(options), {
    build: async (given, side) => buildMaster(given, PARTS, side, await warm.take()),
    warm,
    openReads: (file, key) =>
      openCopyReads(file, key, (error) => {
        throw error;
      }),
    startWorkers: () => ({ announce() {}, close: async () => {} }),
  });
};

const PARTS = { cli: '/nowhere', consoleFolder: null };
export const optionsOf = (options: Partial<MasterOptions> & Pick<MasterOptions, 'data'>): MasterOptions => ({
  host: '127.0.0.1',
  port: 0,
  logStorePort: 0,
  metricsPort: 0,
  logstashPort: 0,
  workers: 0,
  capacity: 1,
  store: 'sqlite',
  durability: 'normal',
  drainSeconds: 0,
  proxies: null,
  protectLoopback: false,
  adopt: false,
  allowedHosts: [],
  tls: null,
  adminToken: null,
  auditExport: { file: null, syslog: null, webhook: null, webhookSecret: null },
  secretsKey: null,
  httpAllow: [],
  examples: null,
  limits: {},
  log: () => {},
  ...options,
});
