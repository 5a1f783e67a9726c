import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { pathTo } from '../../src/lib/api-client.ts';
import { createSeededRandom, type SeededRandom } from '../../src/lib/seeded-random.ts';
import { type Member, startCluster, type TestCluster } from '../support/cluster.ts';
import { publish } from '../support/master.ts';
import { startRandomWorkers } from '../support/random-workers.ts';
import {
  checkDeliveries,
  checkSchedule,
  checkWait,
  createDeliveries,
  startSenders,
} from '../support/trigger-checks.ts';
import { held, line } from '../support/workflow-definitions.ts';

/** More for a long run. */
const ROUNDS = Number(process.env['YARDMASTER_TRIGGER_ROUNDS'] ?? 2);
const SEED = Number(process.env['YARDMASTER_FAULT_SEED'] ?? 3);
const SCHEDULES = 3;
const SENDERS = 4;
/** The lease of the owner, and more than a frozen one may sleep before another one goes on. */
const FROZEN_MS = 7000;
/** Longer than another master takes to go on: it is over while nobody owns the state, or right after. */
const WAIT_SECONDS = 3;
const env = {
  YARDMASTER_WEBHOOKS_PER_SECOND: '0',
  YARDMASTER_RETRY_CHECK_SECONDS: '0.5',
  YARDMASTER_SCHEDULE_TIMEOUT_SECONDS: '3600',
};

interface Waiting {
  readonly signal: string;
  readonly approval: string;
  readonly time: string;
  /** The one-time link that decides the approval. */
  readonly link: string;
}

test(`due times, deliveries and waits go on once where another master takes over, ${ROUNDS} times`, async () => {
  test.setTimeout(240_000 + ROUNDS * 120_000);
  const chance = createSeededRandom(SEED);
  const cluster = await startCluster(2, env);
  const { call, members, adminToken } = cluster;
  const { token } = await call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  const workers = startRandomWorkers(cluster.workersUrl, token, 1, 8);
  await publish(cluster, 'due', line('Due'));
  await publish(cluster, 'received', line('Received'));
  await publish(cluster, 'by-signal', held({ for: 'signal', name: 'go' }));
  await publish(cluster, 'by-approval', held({ for: 'approval', title: 'Go on?' }));
  await publish(cluster, 'by-time', held({ for: 'time', seconds: WAIT_SECONDS }));
  const schedules: string[] = [];
  for (let i = 0; i < SCHEDULES; i++) {
    const body = { workflowId: 'due', environment: 'dev' as const, everySeconds: 1 };
    schedules.push((await call('schedules.create', { body })).id);
  }
  const { id: webhook, path } = await createDeliveries(cluster, 'received', 'deliveries');
  // Each attempt at any of them.
  const senders = startSenders(SENDERS, path, () => chance.pick(members).url);
  const rounds: Waiting[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const waiting = await beginWaits(cluster, round);
      rounds.push(waiting);
      const owner = await cluster.owner();
      const [standby] = await cluster.standbys();
      if (!standby) throw new Error('there is no standby');
      await forwards(standby, owner, path);
      // What is sent to the standby arrives, whether it is handed on to the owner or decided by the standby itself.
      const answered = Promise.all([
        untilTaken(() => signal(standby, adminToken, waiting.signal, round)),
        untilTaken(() => decide(standby, waiting.link)),
      ]);
      await pause(chance.below(30));
      await harm(owner, chance, round);
      await answered;
      // Due times and deliveries of the time without an owner, and of the next one.
      const goal = senders.answered.size + 20;
      await expect.poll(() => senders.answered.size, { timeout: 120_000 }).toBeGreaterThan(goal);
      await cluster.untilWhole();
      for (const id of [waiting.signal, waiting.approval, waiting.time])
        await expect.poll(() => isOver(cluster, id), { timeout: 120_000 }).toBe(true);
    }
    await senders.stop();
    for (const id of schedules) await call('schedules.pause', { params: { id } });
    for (const id of schedules) await checkSchedule(cluster, id, { atLeast: ROUNDS * 3, filled: null });
    await checkDeliveries(cluster, webhook, senders.answered);
    for (const waiting of rounds) await checkRound(cluster, waiting);
    expect((await call('waits.list', { query: {} })).totalItems).toBe(0);
  } finally {
    senders.abandon();
    await workers.stop();
    await cluster.close();
  }
});

/** A job for each kind of wait, all of them waiting, and a link for the approval. */
async function beginWaits({ call }: TestCluster, round: number): Promise<Waiting> {
  const begin = async (workflowId: string) =>
    (await call('jobs.create', { body: { workflowId, environment: 'dev', inputs: [{ round }] } })).jobId;
  const [signal, approval] = [await begin('by-signal'), await begin('by-approval')];
  const waitOf = async (jobId: string) => (await call('waits.list', { query: { jobId } })).items[0] ?? null;
  await expect.poll(() => waitOf(signal), { timeout: 60_000 }).not.toBeNull();
  await expect.poll(() => waitOf(approval), { timeout: 60_000 }).not.toBeNull();
  const id = (await waitOf(approval))?.approvalId ?? '';
  const { url } = await call('approvals.link', { params: { id }, body: { for: 'ann@example.com' } });
  const time = await begin('by-time');
  await expect.poll(() => waitOf(time), { timeout: 60_000, intervals: [20] }).not.toBeNull();
  return { signal, approval, time, link: new URL(url).pathname };
}

/** A standby answers what comes to a public path as the owner does, which made the answer. */
async function forwards(standby: Member, owner: Member, path: string): Promise<void> {
  const [own, other] = await Promise.all(
    [owner, standby].map(({ url }) => fetch(`${url}/hooks/${path}`, { method: 'POST', body: '{}' })),
  );
  expect([own?.status, other?.status]).toEqual([401, 401]);
  expect(other?.headers.get('x-served-by')).toBe(own?.headers.get('x-served-by'));
}

async function harm(owner: Member, chance: SeededRandom, round: number): Promise<void> {
  if (round % 2 === 0) return owner.kill();
  owner.freeze();
  await pause(FROZEN_MS + chance.below(1000));
  // It wakes up in the middle of what it did, and must not go on with it.
  owner.thaw();
}

/** Repeats what is safe to repeat until it is answered with anything but `NO_OWNER`. */
async function untilTaken(send: () => Promise<Response>): Promise<void> {
  for (;;) {
    const answer = await send().catch(() => null);
    if (answer && answer.status < 500) {
      // Taken now, or by the attempt before.
      expect([200, 202, 409]).toContain(answer.status);
      return;
    }
    await pause(50);
  }
}

const PATIENCE_MS = 10_000;
const json = (headers: Record<string, string>, body: unknown) => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
  signal: AbortSignal.timeout(PATIENCE_MS),
});

const signal = ({ url }: Member, token: string, jobId: string, round: number) =>
  fetch(
    url + pathTo('jobs.signal', { params: { jobId, name: 'go' } }),
    json({ authorization: `Bearer ${token}`, 'idempotency-key': `round-${round}` }, { round }),
  );

const decide = ({ url }: Member, link: string) => fetch(url + link, json({}, { decision: 'approve', comment: 'fine' }));

const isOver = async ({ call }: TestCluster, jobId: string): Promise<boolean> =>
  (await call('jobs.get', { params: { jobId } })).finishedAt !== null;

async function checkRound(cluster: TestCluster, { signal: signalled, approval, time }: Waiting): Promise<void> {
  for (const id of [signalled, approval, time]) expect([id, await checkWait(cluster, id)]).toEqual([id, 'COMPLETED']);
  const { items } = await cluster.call('tasks.list', { params: { jobId: time }, query: { size: 500 } });
  const hold = items.find(({ node }) => node === 'hold');
  // No takeover lets it go on too early.
  const tookMs = Date.parse(hold?.finishedAt ?? '') - Date.parse(hold?.startedAt ?? '');
  expect(tookMs).toBeGreaterThanOrEqual(WAIT_SECONDS * 1000);
}
