import type { GraphileWorkerPackage } from './graphile.ts';
import { packageOf } from './peer.ts';
import { teller } from './worker-process.ts';

const found = await packageOf<GraphileWorkerPackage>('graphile-worker');
if (!found) throw new Error('graphile-worker is not installed');
const { began, done } = teller();
const runner = await found.run(
  {
    connectionString: process.argv[2],
    noHandleSignals: true,
    logger: new found.Logger(() => () => {}),
    preset: {
      worker: { concurrentJobs: 10, pollInterval: 500, localQueue: { size: 500 }, completeJobBatchDelay: 0 },
    },
  },
  {
    noop: async () => {
      began();
      done();
    },
  },
);
process.once('SIGTERM', () => {
  void runner.stop().finally(() => process.exit(0));
});
process.send?.('ready');
