import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Query } from '../src/contract/routes.ts';
import type { Operation } from '../src/contract/operations.ts';
import type { ReadyLine } from '../src/contract/process.ts';
import { loopProbe } from './lib/held.ts';
import { api, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, round, summary, type Target } from './lib/report.ts';

/**
 * Bulk operations and exports over a million failed jobs: how long each takes, what memory the master needs, and the
 * longest that the event loop was held.
 */
const quick = process.argv.includes('--quick');
const JOBS = quick ? 600 : 1_000_000;

opening('bulk', quick, ['better-sqlite3']);
const data = mkdtempSync(join(tmpdir(), 'bench-bulk-'));
const probe = loopProbe(data);
try {
  const first = await startMaster({ workers: 0, durability: 'normal', data });
  await publishChain(first.ready, 'failing', undefined, [
    { id: 'step', type: 'transform', config: { expression: '$' } },
  ]);
  await first.stop();
  seedFailed(Date.now());
  line({ seeded: JOBS, megabytes: Math.round(statSync(join(data, 'yardmaster.db')).size / 2 ** 20) });

  // No worker takes what is retried: it must not time out meanwhile, nor hold the operation up.
  process.env['YARDMASTER_BULK_READY_TASKS'] = '0';
  process.env['YARDMASTER_SCHEDULE_TIMEOUT_SECONDS'] = '86400';
  const master = await startMaster({ workers: 0, durability: 'normal', data, nodeArguments: probe.nodeArguments });
  const { ready } = master;
  const { call } = api(ready);
  try {
    const targets: Target[] = [];
    // What is made on first use (schemas of routes, the thread) is not what is measured, nor is the start of the master.
    await sleep(quick ? 500 : 3000);
    await download(ready, { format: 'csv', workflowId: 'none' });
    await call('operations.retry', { body: { filter: { workflowId: 'none' } } });
    await call('operations.get', { params: { id: 'x' } }).catch(() => undefined);
    await sleep(500);
    for (const format of ['csv', 'json', 'ndjson'] as const) {
      const { seconds, loopMs, growthMB, result } = await measured(ready, () => download(ready, { format }));
      line({
        export: format,
        jobs: JOBS,
        seconds: round(seconds),
        megabytes: Math.round(result / 2 ** 20),
        loopMs: round(loopMs),
        growthMB,
      });
      targets.push(
        { name: `export as ${format}: event loop held, ms`, value: loopMs, target: 10, wanted: 'at most' },
        { name: `export as ${format}: growth of memory, MB`, value: growthMB, target: 100, wanted: 'at most' },
      );
    }
    const filter = { filter: { workflowId: 'failing', status: ['FAILED' as const] } };
    const dry = await measured(ready, () => call('operations.retry', { body: { ...filter, dryRun: true } }));
    line({ dryRun: dry.result, seconds: round(dry.seconds), loopMs: round(dry.loopMs), growthMB: dry.growthMB });
    const submitted = await measured(ready, () => call('operations.retry', { body: filter }));
    if (!('operationId' in submitted.result)) throw new Error('the master took the operation for a dry run');
    const { operationId } = submitted.result;
    line({
      accepted: JOBS,
      seconds: round(submitted.seconds),
      loopMs: round(submitted.loopMs),
      growthMB: submitted.growthMB,
    });
    const ended = await measured(ready, () => finished(ready, operationId));
    line({
      retried: ended.result,
      seconds: round(ended.seconds),
      jobsPerSecond: Math.round(JOBS / ended.seconds),
      loopMs: round(ended.loopMs),
      growthMB: ended.growthMB,
    });
    const results = await measured(ready, () =>
      call('operations.results', {
        params: { id: operationId },
        query: { ok: true, page: Math.floor(JOBS / 500) - 1, size: 500 },
      }),
    );
    line({ lastPageOfResultsMs: round(results.seconds * 1000) });
    targets.push(
      { name: 'dry run: event loop held, ms', value: dry.loopMs, target: 10, wanted: 'at most' },
      { name: 'acceptance: event loop held, ms', value: submitted.loopMs, target: 15, wanted: 'at most' },
      { name: 'retry: event loop held, ms', value: ended.loopMs, target: 20, wanted: 'at most' },
      { name: 'retry: growth of memory, MB', value: ended.growthMB, target: 100, wanted: 'at most' },
    );
    process.exitCode = summary(targets);
  } finally {
    await master.stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

/** Jobs of one task that has failed for good and may be retried, written into the database of a master that does not run. */
function seedFailed(now: number): void {
  const db = new Database(join(data, 'yardmaster.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  const commit = db.prepare("SELECT hash FROM version WHERE workflow_id = 'failing'").pluck().get() as string;
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)';
  db.transaction(() => {
    db.prepare(
      `${numbers} INSERT INTO job (seq, id, external_id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, finished_at, duration_ms, failed, failure_task, failure_node, failure_code, failure_message, failure_at, status)
       SELECT i, printf('00000000-0000-7000-8000-%012x', i), iif(i % 3 = 0, 'order-' || i, NULL), 'failing', 'dev', ?, 'event', 'list', 1, ? + i, ? + i, ? + i, 10, 1, printf('t%035x', i), 'step', 'TASK_ERROR', 'no such order', ? + i, 'FAILED' FROM n`,
    ).run(JOBS, commit, now - JOBS, now - JOBS, now - JOBS, now - JOBS);
    db.prepare(
      `${numbers} INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, finished_at, error_code, error_message, error_retryable, input, history)
       SELECT i, printf('t%035x', i), i, 'step', 'transform', 0, 'FAILED', 1, 0, ? + i, 0, ? + i, 'TASK_ERROR', 'no such order', 1, '{"n":' || i || '}', '' FROM n`,
    ).run(JOBS, now - JOBS, now - JOBS);
    db.exec(
      "DELETE FROM job_block; INSERT INTO job_block SELECT seq / 4096, workflow_id, coalesce(environment, ''), status, count(*) FROM job GROUP BY 1, 2, 3, 4",
    );
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Bytes of the body; it is thrown away as it comes. */
async function download(ready: ReadyLine, query: Query<'jobs.export'>): Promise<number> {
  const answer = await api(ready).open('jobs.export', { query });
  let bytes = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
  return bytes;
}

async function finished(ready: ReadyLine, id: string): Promise<Operation> {
  for (;;) {
    const operation = await api(ready).call('operations.get', { params: { id } });
    if (operation.status !== 'RUNNING') return operation;
    await sleep(100);
  }
}

/** Runs it; tells the time, the longest tick by the processor time of the main thread, and how far memory grew meanwhile (its own: pages of the database that are mapped do not count). */
async function measured<T>({ pid }: ReadyLine, run: () => Promise<T>) {
  await probe.longest(pid);
  const before = residentMB(pid);
  let most = before;
  const look = setInterval(() => (most = Math.max(most, residentMB(pid))), 20);
  const from = performance.now();
  const result = await run();
  const seconds = (performance.now() - from) / 1000;
  clearInterval(look);
  return {
    result,
    seconds,
    loopMs: (await probe.longest(pid)).cpuMs,
    growthMB: Math.round(Math.max(most, residentMB(pid)) - before),
  };
}

function residentMB(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
