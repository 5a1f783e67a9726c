import { expect, test } from '@playwright/test';
import { createSeededRandom } from '../../src/lib/seeded-random.ts';
import { forget, publish, startMaster } from '../support/master.ts';
import { checkDeliveries, createDeliveries, startSenders } from '../support/trigger-checks.ts';
import { line } from '../support/workflow-definitions.ts';

const KILLS = Number(process.env['YARDMASTER_HOOK_KILLS'] ?? 5);
const SEED = Number(process.env['YARDMASTER_FAULT_SEED'] ?? 7);
const SENDERS = 8;
const env = { YARDMASTER_WEBHOOKS_PER_SECOND: '0' };

/**
 * A sender that repeats each delivery until it is told 202 or 409, as services do, while the master is killed at any moment:
 * before, within and after the transaction, and before its answer has arrived. Read by the public API alone, there is one job
 * for each delivery, and none that was never sent.
 */
test('each delivery starts one job, however often the master is killed meanwhile', async () => {
  test.setTimeout(Math.max(test.info().timeout, 60_000 + KILLS * 30_000));
  const random = createSeededRandom(SEED);
  let master = await startMaster({ workers: 0, env });
  const { data } = master;
  await publish(master, 'received', line('Received'));
  const { id, path } = await createDeliveries(master, 'received', 'deliveries');
  const senders = startSenders(SENDERS, path, () => master.url);

  try {
    for (let kill = 0; kill < KILLS; kill++) {
      // Anywhere within the work on some of them.
      const until = senders.answered.size + 5 + random.below(40);
      await expect.poll(() => senders.answered.size, { timeout: 60_000, intervals: [5] }).toBeGreaterThanOrEqual(until);
      await master.kill();
      master = await startMaster({ data, workers: 0, env });
    }
    await senders.stop();
    await checkDeliveries(master, id, senders.answered);
  } finally {
    senders.abandon();
    await master.stop();
    forget(data);
  }
});
