import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import type { Job } from '../../src/contract/jobs.ts';
import { createSeededRandom } from '../../src/lib/seeded-random.ts';
import { startRandomWorkers } from '../support/random-workers.ts';
import { SHAPES, type ShapeName } from '../support/workflow-shapes.ts';
import { forget, lastingPort, publish, startMaster, temporaryFolder, type TestMaster } from '../support/master.ts';

/** Repeats or varies a run: YARDMASTER_FAULT_SEED, YARDMASTER_FAULT_DEATHS. */
const SEED = Number(process.env['YARDMASTER_FAULT_SEED'] ?? 20261121);
const DEATHS = Number(process.env['YARDMASTER_FAULT_DEATHS'] ?? 20);
const WORKERS = 3;
const SENDERS = 3;
const CALLS_PER_LIFE = 10;
/** Between two calls of a sender, at most: so many that work is always under way, and no more, as what else is tested has the same processors. */
const PAUSE_MS = 400;
/** Jobs that are under way when a master dies, at least. */
const OPEN_AT_DEATH = 4;
/**
 * So that a frozen worker is thought dead within the test, and a task outlives more losses than ever come together. What would find a
 * task again that its worker knows nothing of is out of reach: there must be none; and so are the time limits of tasks, on a slow machine.
 */
const env = {
  YARDMASTER_HEARTBEAT_SECONDS: '0.5',
  YARDMASTER_WORKER_UNSTABLE_SECONDS: '1.5',
  YARDMASTER_WORKER_DOWN_SECONDS: '3',
  YARDMASTER_RETRIES: '30',
  YARDMASTER_RETRY_BACKOFF_MAX_SECONDS: '2',
  YARDMASTER_RETRY_CHECK_SECONDS: '0.5',
  YARDMASTER_START_SECONDS: '3600',
  YARDMASTER_LEASE_CHECK_SECONDS: '3600',
  YARDMASTER_SCHEDULE_TIMEOUT_SECONDS: '3600',
  YARDMASTER_RUN_TIMEOUT_SECONDS: '3600',
};

interface Sent {
  readonly number: number;
  readonly shape: ShapeName;
  readonly inputs: unknown[];
  /** Of the answer that accepted it; null where none came. */
  jobId: string | null;
}

test(`${DEATHS} deaths of the master under load, with workers that freeze and die: every accepted job ends, once, with the right output`, async () => {
  test.setTimeout(900_000);
  const chance = createSeededRandom(SEED);
  const port = await lastingPort();
  const data = temporaryFolder('deaths');
  const start = () => startMaster({ data, port, workers: 0, env });
  let master = await start();
  for (const [id, { definition }] of Object.entries(SHAPES)) await publish(master, id, definition);
  const { token } = await master.call('tokens.create', { body: { name: 'workers', role: 'worker' } });
  const workers = startRandomWorkers(master.url, token, WORKERS, 6);
  const load = sendAlways(() => master, SEED);
  const open: number[] = [];
  try {
    for (let death = 0; death < DEATHS; death++) {
      // However slow the machine is, each master dies with work of its own.
      await load.accepts(CALLS_PER_LIFE);
      // What is harmed first may be back, or not, when the master dies.
      if (chance.percent(60)) workers.harm(chance);
      await pause(200 + chance.below(900));
      if (chance.percent(40)) workers.harm(chance);
      await pause(chance.below(300));
      open.push(await inTheMiddle(master));
      await master.kill();
      master = await start();
    }
    workers.thaw();
    const sent = await load.stop();
    const accepted = sent.filter(({ jobId }) => jobId !== null);
    test.info().annotations.push({
      type: 'run',
      description: JSON.stringify({ sent: sent.length, accepted: accepted.length, open, ...workers.tally }),
    });
    expect(accepted.length, 'there was load').toBeGreaterThanOrEqual(DEATHS * CALLS_PER_LIFE);
    expect(workers.tally.killed).toBeGreaterThan(0);
    expect(workers.tally.frozen).toBeGreaterThan(0);
    await everyJobEnds(master);
    await assertOutcomes(master, accepted);
    expect(await master.stop()).toBe(0);
    assertDatabase(join(data, 'yardmaster.db'), sent);
  } finally {
    await load.stop();
    await workers.stop();
    await master.kill();
    forget(data);
  }
});

/** Sends calls of all shapes without end, through whatever master there is. A call without an answer is repeated under its key. */
function sendAlways(master: () => TestMaster, seed: number) {
  const sent: Sent[] = [];
  let on = true;
  async function one(call: Sent): Promise<void> {
    while (on || call.jobId === null) {
      try {
        const answer = await master().event(`${call.shape}/dev`, call.inputs, {
          prefer: 'respond-async',
          'x-external-id': `call-${call.number}`,
          'idempotency-key': `call-${call.number}`,
        });
        const body = (await answer.json()) as { jobId?: string; code?: string };
        if (answer.status === 202 && body.jobId) return void (call.jobId = body.jobId);
        // It is starting, stopping, or still deals with the first try.
        if (answer.status !== 503 && answer.status !== 409)
          throw new Error(`call ${call.number}: ${answer.status} ${JSON.stringify(body)}`);
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('call ')) throw error;
      }
      await pause(30);
    }
  }
  const senders = Array.from({ length: SENDERS }, async (_, lane) => {
    const chance = createSeededRandom(seed + 1 + lane);
    while (on) {
      const shape = chance.pick(Object.keys(SHAPES) as ShapeName[]);
      const number = sent.length;
      const call: Sent = {
        number,
        shape,
        inputs: Array.from({ length: 1 + chance.below(3) }, (_, i) => ({ n: number * 10 + i })),
        jobId: null,
      };
      sent.push(call);
      await one(call);
      await pause(chance.below(PAUSE_MS));
    }
  });
  let broken: Error | null = null;
  for (const sender of senders) sender.catch((error: Error) => (broken ??= error));
  let stopped: Promise<Sent[]> | null = null;
  return {
    /** Waits until so many more were accepted. */
    async accepts(more: number) {
      const accepted = () => sent.filter(({ jobId }) => jobId !== null).length;
      for (const least = accepted() + more; accepted() < least; await pause(20)) if (broken) throw broken;
    },
    stop() {
      on = false;
      return (stopped ??= Promise.all(senders).then(() => sent));
    },
  };
}

/** Waits until enough is under way, and says how many jobs that are: what was sent may all be done already. */
async function inTheMiddle(master: TestMaster): Promise<number> {
  for (;;) {
    const { jobs } = await master.call('master.overview');
    if (jobs.running >= OPEN_AT_DEATH) return jobs.running;
    await pause(20);
  }
}

/** Where one does not end, it says what its tasks wait for. */
async function everyJobEnds(master: TestMaster): Promise<void> {
  try {
    await expect
      .poll(async () => (await master.call('master.overview')).jobs.running, {
        timeout: 180_000,
        intervals: [500],
        message: 'every accepted job ends',
      })
      .toBe(0);
  } catch (error) {
    const [overview, workers, open] = await Promise.all([
      master.call('master.overview'),
      master.call('workers.list'),
      master.call('jobs.list', { query: { status: ['RUNNING', 'PARTIAL_FAILURE'], size: 3 } }),
    ]);
    const tasks = await Promise.all(open.items.map(({ id }) => master.call('tasks.list', { params: { jobId: id } })));
    throw new Error(JSON.stringify({ overview, workers, open, tasks }, null, 1), { cause: error });
  }
}

async function assertOutcomes(master: TestMaster, accepted: readonly Sent[]): Promise<void> {
  const jobs = new Map<string, Job>();
  for (let number = 0; ; number++) {
    const { items, totalPages } = await master.call('jobs.list', { query: { page: number, size: 500 } });
    for (const job of items) if (job.kind === 'event') jobs.set(job.id, job);
    if (number + 1 >= totalPages) break;
  }
  for (const { number, shape, inputs, jobId } of accepted) {
    const job = jobs.get(jobId ?? '');
    expect(job, `call ${number} (${shape}) is there`).toMatchObject({
      externalId: `call-${number}`,
      status: 'COMPLETED',
      workflowId: shape,
      inputCount: inputs.length,
    });
    const output = await master.output(jobId ?? '');
    expect(output, `call ${number} (${shape})`).toEqual(
      (inputs as { n: number }[]).map(({ n }) => SHAPES[shape].output(n)),
    );
  }
}

/** The file itself, once the master has stopped: sound, every counter true, nothing twice. */
function assertDatabase(file: string, sent: readonly Sent[]): void {
  const db = new Database(file, { readonly: true });
  try {
    expect(db.pragma('quick_check', { simple: true })).toBe('ok');
    const count = (sql: string) => db.prepare<unknown[], { n: number }>(sql).get()?.n;
    expect(
      count(
        'SELECT count(*) AS n FROM (SELECT 1 FROM job WHERE external_id IS NOT NULL GROUP BY external_id HAVING count(*) > 1)',
      ),
      'no call made two jobs',
    ).toBe(0);
    expect(count('SELECT count(*) AS n FROM job WHERE external_id IS NOT NULL')).toBe(sent.length);
    const wrong = `SELECT count(*) AS n FROM job j WHERE completed <> (SELECT count(*) FROM task t WHERE t.job = j.seq AND t.state = 'COMPLETED') OR ready + scheduled + running + failed + schedule_timeout + run_timeout + retrying <> 0`;
    expect(count(wrong), 'counters are true').toBe(0);
    expect(count(`SELECT count(*) AS n FROM task WHERE state <> 'COMPLETED'`)).toBe(0);
    // A task ends well once: "RC" (RUNNING to COMPLETED) stands in its history a single time, at its last attempt.
    const histories = db
      .prepare<unknown[], { id: string; attempt: number; worker_id: string | null; history: string }>(
        'SELECT id, attempt, worker_id, history FROM task',
      )
      .iterate();
    for (const { id, attempt, history } of histories) {
      const ends = history.split('\n').filter((line) => line.startsWith('RC '));
      expect(ends.length, `${id}\n${history}`).toBe(1);
      expect(ends[0]?.split(' ')[2], `${id}\n${history}`).toBe(String(attempt));
    }
  } finally {
    db.close();
  }
}
