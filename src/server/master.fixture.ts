import type { MasterOptions, RunningMaster } from '../contract/process.ts';
import { buildMaster } from './index.ts';

/** A master as tests run it: on ports that are free, without workers and console, silent. */
export const openMaster = (options: Partial<MasterOptions> & Pick<MasterOptions, 'data'>): Promise<RunningMaster> =>
  buildMaster(
    {
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
      behindProxy: false,
      adopt: false,
      allowedHosts: [],
      tls: null,
      adminToken: null,
      secretsKey: null,
      httpAllow: [],
      examples: null,
      limits: {},
      log: () => {},
      ...options,
    },
    { cli: '/nowhere', consoleFolder: null },
  );
