import type { BossPackage } from './pg-boss.ts';
import { packageOf } from './peer.ts';
import { teller } from './worker-process.ts';

const found = await packageOf<BossPackage>('pg-boss');
if (!found) throw new Error('pg-boss is not installed');
const { began, done } = teller();
const boss = new found.PgBoss(process.argv[2] as string);
await boss.start();
// It polls: with one job at a time, ten workers would take twenty a second.
await boss.work('noop', { localConcurrency: 10, batchSize: 100, pollingIntervalSeconds: 0.5 }, async (jobs) => {
  began();
  for (const _ of jobs) done();
});
process.once('SIGTERM', () => {
  void boss.stop({ graceful: false }).finally(() => process.exit(0));
});
process.send?.('ready');
