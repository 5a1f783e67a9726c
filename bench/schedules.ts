import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Job } from '../src/contract/jobs.ts';
import { uuidv7 } from '../src/lib/uuid.ts';
import { loopProbe } from './lib/held.ts';
import { api, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, quantile, round, summary } from './lib/report.ts';

/** Many schedules, some of them due in the same second: how late their jobs are made, and how long the event loop is held. */
const quick = process.argv.includes('--quick');
const SCHEDULES = quick ? 2000 : 100_000;
const DUE = quick ? 100 : 1000;
const ROUNDS = quick ? 1 : 5;
const ROUND_MS = 20_000;
const PAGE = 500;

opening('schedules', quick, ['better-sqlite3']);
const data = mkdtempSync(join(tmpdir(), 'bench-schedules-'));
const probe = loopProbe(data);
try {
  const first = await startMaster({ workers: 0, durability: 'normal', data });
  await publishChain(first.ready, 'report', undefined, [
    { id: 'step', type: 'transform', config: { expression: '$' } },
  ]);
  await first.stop();
  // The first of them are due when the master has been there for a while.
  const from = Math.ceil((Date.now() + 30_000) / 1000) * 1000;
  seed(from);
  line({ schedules: SCHEDULES, dueAtOnce: DUE, rounds: ROUNDS });
  const master = await startMaster({ workers: 0, durability: 'full', data, nodeArguments: probe.nodeArguments });
  const { ready } = master;
  const { call } = api(ready);
  try {
    await sleep(Math.max(0, from - 2000 - Date.now()));
    await probe.longest(ready.pid);
    const late: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const due = from + round * ROUND_MS;
      await sleep(Math.max(0, due + ROUND_MS / 2 - Date.now()));
      const jobs: Job[] = [];
      for (let page = 0; page * PAGE < DUE; page++)
        jobs.push(
          ...(
            await call('jobs.list', {
              query: { trigger: ['schedule'], size: PAGE, page, createdFrom: new Date(due).toISOString() },
            })
          ).items,
        );
      const own = jobs.filter(({ trigger }) => trigger.dueAt === new Date(due).toISOString());
      if (own.length !== DUE) throw new Error(`${own.length} jobs for ${DUE} due times`);
      late.push(...own.map(({ createdAt }) => Date.parse(createdAt) - due));
    }
    late.sort((a, b) => a - b);
    const { cpuMs: loopMs } = await probe.longest(ready.pid);
    line({ p50Ms: quantile(late, 0.5), p99Ms: quantile(late, 0.99), mostMs: late.at(-1), loopMs: round(loopMs) });
    process.exitCode = summary([
      { name: 'start of due jobs, p99 ms', value: quantile(late, 0.99), target: 1000, wanted: 'at most' },
      { name: 'event loop held, ms', value: loopMs, target: 50, wanted: 'at most' },
    ]);
  } finally {
    await master.stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

function seed(from: number): void {
  const db = new Database(join(data, 'yardmaster.db'));
  const insert = db.prepare(
    'INSERT INTO schedule (id, workflow_id, environment, spec, paused, next_at, start_at, created_at, updated_at, created_by) VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?)',
  );
  const spec = (everySeconds: number) =>
    JSON.stringify({
      ...{
        cron: null,
        everySeconds,
        at: null,
        timeZone: 'UTC',
        startAt: from,
        endAt: null,
        inputs: '[{"content":"a"}]',
      },
      ...{ inputExpression: null, overlap: 'allow', catchUpSeconds: 3600, jitterSeconds: 0, priority: 0, labels: {} },
      description: null,
    });
  const often = spec(ROUND_MS / 1000);
  const daily = spec(86_400);
  db.transaction(() => {
    for (let i = 0; i < SCHEDULES; i++) {
      const next = i < DUE ? from : from + 3_600_000 + (i % 80_000) * 1000;
      insert.run(uuidv7(), 'report', 'dev', i < DUE ? often : daily, next, next, from, from, 'bench');
    }
  })();
  db.close();
  // These pages are not what the master wrote: without its sums it takes them as they are.
  rmSync(join(data, 'yardmaster.db-sums'), { force: true });
}
