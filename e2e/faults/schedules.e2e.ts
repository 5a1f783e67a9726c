import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { createSeededRandom } from '../../src/lib/seeded-random.ts';
import { forget, publish, startMaster } from '../support/master.ts';
import { checkSchedule } from '../support/trigger-checks.ts';
import { sleeper } from '../support/workflow-definitions.ts';

/** More for a long run. */
const KILLS = Number(process.env['YARDMASTER_SCHEDULE_KILLS'] ?? 4);
const SEED = Number(process.env['YARDMASTER_FAULT_SEED'] ?? 1);
const SCHEDULES = 8;

test('each due time of schedules has one job, however often the master is killed', async () => {
  test.setTimeout(Math.max(test.info().timeout, 120_000 + KILLS * 30_000));
  const random = createSeededRandom(SEED);
  let master = await startMaster({ workers: 0 });
  const { data } = master;
  try {
    await publish(master, 'sleeper', sleeper(0.05));
    const ids: string[] = [];
    for (let i = 0; i < SCHEDULES; i++) {
      const body = { workflowId: 'sleeper', environment: 'dev' as const, everySeconds: 1 };
      ids.push((await master.call('schedules.create', { body })).id);
    }
    // A backfill goes on beside them.
    const [first = ''] = ids;
    const to = Math.floor(Date.now() / 1000) * 1000 - 60_000;
    const range = { from: new Date(to - 60_000).toISOString(), to: new Date(to).toISOString(), perMinute: 120 };
    const filled = await master.call('schedules.backfill', { params: { id: first }, body: range });
    if (!('operationId' in filled)) throw new Error('it was a dry run');
    for (let kill = 0; kill < KILLS; kill++) {
      // At any step: of a start of the master, of a due time, of a commit.
      await sleep(200 + random() * 2500);
      await master.kill();
      master = await startMaster({ data, workers: 0 });
    }
    await expect
      .poll(async () => (await master.call('operations.get', { params: { id: filled.operationId } })).status, {
        timeout: 120_000,
      })
      .toBe('DONE');
    for (const id of ids) await master.call('schedules.pause', { params: { id } });
    for (const id of ids) await checkSchedule(master, id, { atLeast: KILLS, filled: id === first ? 60 : null });
  } finally {
    await master.stop();
    forget(data);
  }
});
