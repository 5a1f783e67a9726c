import { ownPostgres } from './own-postgres.ts';
import { packageOf, type PeerModule } from './peer.ts';
import { startPeerWorker } from './worker-process.ts';

interface Utils {
  migrate(): Promise<void>;
  addJob(task: string, payload: unknown): Promise<unknown>;
  addJobs(jobs: { identifier: string; payload: unknown }[]): Promise<unknown>;
  release(): Promise<void>;
}
export interface GraphileWorkerPackage {
  makeWorkerUtils(options: unknown): Promise<Utils>;
  run(options: unknown, overrideTaskList?: unknown): Promise<{ stop(): Promise<void> }>;
  Logger: new (factory: () => () => void) => unknown;
}

/** graphile-worker, with a local queue and completions in batches, on a PostgreSQL of its own. */
export const graphileWorker: PeerModule = {
  name: 'graphile-worker in batches, PostgreSQL',
  async open() {
    const found = await packageOf<GraphileWorkerPackage>('graphile-worker');
    if (!found) return { missing: 'npm install --prefix bench/peers' };
    const { url, server, stop } = await ownPostgres();
    const utils = await found.makeWorkerUtils({ connectionString: url, logger: new found.Logger(() => () => {}) });
    await utils.migrate();
    let worker: Awaited<ReturnType<typeof startPeerWorker>> | null = null;
    return {
      server,
      async submit(count) {
        for (let i = 0; i < count; i += 1000)
          await utils.addJobs(
            Array.from({ length: Math.min(1000, count - i) }, (_, n) => ({
              identifier: 'noop',
              payload: { n: i + n },
            })),
          );
      },
      async startWorker() {
        worker = await startPeerWorker(new URL('graphile-worker.ts', import.meta.url), [url]);
        return worker;
      },
      pickUp: async () => (worker ? worker.pickUp(() => utils.addJob('noop', { n: 0 })) : Number.NaN),
      async close() {
        await utils.release();
        await stop();
      },
    };
  },
};
