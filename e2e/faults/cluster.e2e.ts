import { expect, test } from '@playwright/test';
import { createSeededRandom } from '../../src/lib/seeded-random.ts';
import { brokenPromises, type Call, type Limit } from '../../src/server/testing/outcome-checker.fixture.ts';
import { FAULT_NAMES, FAULTS, type FaultName } from '../support/cluster-faults.ts';
import { startLoad } from '../support/cluster-load.ts';
import { startCluster } from '../support/cluster.ts';
import { publish } from '../support/master.ts';
import { everyJobEnds, readerOf } from '../support/outcomes.ts';
import { startRandomWorkers } from '../support/random-workers.ts';
import { SHAPES } from '../support/workflow-shapes.ts';

/** For `npm test -- all`, each once: those without which the others mean little, and that a slow machine cannot fail. */
const SHORT: readonly FaultName[] = [
  'owner killed',
  'owner frozen past its lease',
  'owner cut off from PostgreSQL',
  'PostgreSQL killed',
  'masters cut off from each other',
];
/** `npm run faults -- --rounds N --seed S` sets these: then it is all faults, in turns. YARDMASTER_FAULT_ONLY: these alone, with commas between. */
const SEED = Number(process.env['YARDMASTER_FAULT_SEED'] ?? 20261123);
const LONG = process.env['YARDMASTER_FAULT_ROUNDS'];
const ONLY = process.env['YARDMASTER_FAULT_ONLY']?.split(',');
const NAMES = FAULT_NAMES.filter((name) => (ONLY ?? (LONG ? FAULT_NAMES : SHORT)).includes(name));
const ROUNDS = Number(LONG ?? NAMES.length);
const MASTERS = 3;
const WORKERS = 3;
const CAPACITY = 6;
const ROUND_MS = 180_000;
/** Below what the workers could run at once. */
const LIMIT: Limit = { workflowId: 'diamond', most: 3 };
/** As in twenty-deaths: so that a frozen worker is thought dead within the test, and a task outlives more losses than ever come together. */
const env = {
  YARDMASTER_HEARTBEAT_SECONDS: '0.5',
  YARDMASTER_WORKER_UNSTABLE_SECONDS: '1.5',
  YARDMASTER_WORKER_DOWN_SECONDS: '3',
  YARDMASTER_RETRIES: '30',
  YARDMASTER_RETRY_BACKOFF_MAX_SECONDS: '2',
  YARDMASTER_RETRY_CHECK_SECONDS: '0.5',
  YARDMASTER_START_SECONDS: '3600',
  YARDMASTER_SCHEDULE_TIMEOUT_SECONDS: '3600',
  YARDMASTER_RUN_TIMEOUT_SECONDS: '3600',
};

test(`${MASTERS} masters under load, ${ROUNDS} faults: nothing that was acknowledged is lost or done twice`, async () => {
  test.setTimeout(Math.max(test.info().timeout, 120_000 + ROUNDS * ROUND_MS));
  const chance = createSeededRandom(SEED);
  const cluster = await startCluster(MASTERS, env);
  const { call, members, adminToken } = cluster;
  const { token } = await call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  const { key: apiKey } = await call('keys.create', {
    body: { name: 'load', workflows: ['*'], environments: ['dev'] },
  });
  for (const [id, { definition }] of Object.entries(SHAPES)) await publish(cluster, id, definition);
  await call('workflows.update', { params: { id: LIMIT.workflowId }, body: { limits: { concurrency: LIMIT.most } } });
  const workers = startRandomWorkers(cluster.workersUrl, token, WORKERS, CAPACITY);
  const calls: Call[] = [];
  const gaps: { name: FaultName; gapMs: number }[] = [];
  let seen = new Set<string>();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // Each once, in an order by chance, before any comes again.
      const left = NAMES.filter((name) => !seen.has(name));
      if (left.length === 0) seen = new Set();
      const name = chance.pick(left.length === 0 ? NAMES : left);
      seen.add(name);
      const began = new Date();
      const load = startLoad({
        urls: members.map(({ url }) => url),
        apiKey,
        token: adminToken,
        seed: SEED + round * 1000,
      });
      try {
        await load.accepts(10);
        // No request may fail while the state is handed over: then nothing else is wrong.
        if (name !== 'handed over' && chance.percent(40)) workers.harm(chance);
        const { what, gapMs } = await FAULTS[name]({ cluster, load, chance });
        if (gapMs !== null) gaps.push({ name, gapMs });
        workers.thaw();
        await cluster.untilWhole();
        const sent = await load.stop();
        calls.push(...sent);
        expect(load.broken, what).toEqual([]);
        await everyJobEnds(call);
        expect(await brokenPromises(readerOf(call, sent, began), sent, [LIMIT]), `round ${round + 1}: ${what}`).toEqual(
          [],
        );
        console.log(`round ${round + 1}: ${what}; ${sent.length} calls, first answer after ${gapMs?.toFixed(0)} ms`);
      } finally {
        await load.abandon();
      }
    }
    expect(calls.length).toBeGreaterThanOrEqual(ROUNDS * 10);
    // Once more over all, as a late repetition may have made a second job of a call of another round.
    expect(await brokenPromises(readerOf(call, calls), calls, [LIMIT])).toEqual([]);
  } finally {
    test.info().annotations.push({
      type: 'run',
      description: JSON.stringify({ seed: SEED, calls: calls.length, ...workers.tally, gaps: worst(gaps) }),
    });
    await workers.stop();
    await cluster.close();
  }
});

const worst = (gaps: readonly { name: FaultName; gapMs: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(gaps, ({ name }) => name)].map(([name, of]) => [
      name,
      Math.round(Math.max(...of.map((one) => one.gapMs))),
    ]),
  );
