import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statusOf } from '../../../contract/vocabulary.ts';
import type { Store } from '../../store/port.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import { refusal, refusalSql } from './eligible.ts';
import { HAS_RETRYABLE } from './sql.ts';

let store: Store;
beforeAll(() => {
  store = openSqlite({ file: join(mkdtempSync(join(tmpdir(), 'eligible-')), 'master.db'), durability: 'normal' });
});
afterAll(() => store.close());

const few = fc.nat({ max: 2 });
const job = fc.record({ ready: few, scheduled: few, running: few, completed: few, scheduleTimeout: few, runTimeout: few, retrying: few, mended: few, final: few, finishedAt: fc.constantFrom(null, 1) });
const rule = fc.record({ kind: fc.constantFrom('kill' as const, 'retry' as const), nonRetryable: fc.boolean() });

it('says the same of a job in a dry run (by SQL) and at work (by the record)', async () => {
  let seq = 0;
  await fc.assert(
    fc.asyncProperty(job, rule, async (given, asked) => {
      // `mended`: failed for good and retryable; `final`: failed for good and not.
      const failed = given.retrying + given.mended + given.final;
      const counters = { readyTasks: given.ready, scheduledTasks: given.scheduled, runningTasks: given.running, completedTasks: given.completed, failedTasks: failed, scheduleTimeout: given.scheduleTimeout, runTimeoutTasks: given.runTimeout };
      seq++;
      await store.write((db) => {
        db.statement(
          `INSERT INTO job (seq, id, workflow_id, commit_hash, kind, response, input_count, created_at, updated_at, ready, scheduled, running, completed, failed, schedule_timeout, run_timeout, retrying, finished_at, status)
           VALUES (?, ?, 'w', 'c', 'batch', 'list', 1, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(seq, `job-${seq}`, given.ready, given.scheduled, given.running, given.completed, failed, given.scheduleTimeout, given.runTimeout, given.retrying, given.finishedAt, statusOf(counters));
        const task = db.statement(
          `INSERT INTO task (id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, retry_at, error_retryable, history) VALUES (?, ?, 'a', 'code', 0, 'FAILED', 1, 0, 1, 1, ?, ?, '')`,
        );
        for (let i = 0; i < given.retrying; i++) task.run(`r-${seq}-${i}`, seq, 99, 1);
        for (let i = 0; i < given.mended; i++) task.run(`m-${seq}-${i}`, seq, null, 1);
        for (let i = 0; i < given.final; i++) task.run(`f-${seq}-${i}`, seq, null, 0);
      });
      const bySql = store.read.query<{ reason: string | null }>(`SELECT ${refusalSql(asked)} AS reason FROM job WHERE seq = ?`).get(seq)?.reason;
      const byRecord = refusal(asked, { counters, retrying: given.retrying, finishedAt: given.finishedAt }, () => store.read.query(HAS_RETRYABLE).get(seq) !== undefined);
      expect(bySql).toBe(byRecord);
    }),
    { numRuns: 300 },
  );
});

it('looks for a failure that may be retried by an index', () => {
  const plan = store.read.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${HAS_RETRYABLE}`).all(1).map(({ detail }) => detail).join();
  expect(plan).toContain('task_open (state=? AND job=?)');
});
