import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { taskStateForCounter } from '../../../contract/vocabulary.ts';
import type { Store } from '../../store/port.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import { refusal, refusalSql } from './eligible.ts';
import { HAS_RERUN, rerunRefusal, rerunRefusalSql } from './rerun-rule.ts';
import { HAS_RETRYABLE } from './sql.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

let store: Store;
beforeAll(() => {
  store = openSqlite({ file: join(temporaryFolder('eligible'), 'master.db'), durability: 'normal' });
});
afterAll(() => store.close());

const few = fc.nat({ max: 2 });
const job = fc.record({
  ready: few,
  scheduled: few,
  running: few,
  completed: few,
  scheduleTimeout: few,
  runTimeout: few,
  retrying: few,
  mended: few,
  final: few,
  finishedAt: fc.constantFrom(null, 1),
  kind: fc.constantFrom('event' as const, 'batch' as const, 'child' as const),
  rerun: fc.boolean(),
});
const rule = fc.record({ kind: fc.constantFrom('kill' as const, 'retry' as const), nonRetryable: fc.boolean() });
const choice = fc.record({ completed: fc.boolean(), again: fc.boolean() });

it('says the same of a job in a dry run (by SQL) and at work (by the record)', async () => {
  let seq = 0;
  await fc.assert(
    fc.asyncProperty(job, rule, choice, async (given, asked, chosen) => {
      // `mended`: failed for good and retryable; `final`: failed for good and not.
      const failed = given.retrying + given.mended + given.final;
      const counters = {
        readyTasks: given.ready,
        scheduledTasks: given.scheduled,
        runningTasks: given.running,
        completedTasks: given.completed,
        failedTasks: failed,
        scheduleTimeout: given.scheduleTimeout,
        runTimeoutTasks: given.runTimeout,
      };
      seq++;
      await store.write((db) => {
        db.statement(
          `INSERT INTO job (seq, id, workflow_id, commit_hash, kind, response, input_count, created_at, updated_at, ready, scheduled, running, completed, failed, schedule_timeout, run_timeout, retrying, finished_at, status)
           VALUES (?, ?, 'w', 'c', ?, 'list', 1, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          seq,
          `job-${seq}`,
          given.kind,
          given.ready,
          given.scheduled,
          given.running,
          given.completed,
          failed,
          given.scheduleTimeout,
          given.runTimeout,
          given.retrying,
          given.finishedAt,
          taskStateForCounter(counters),
        );
        if (given.rerun)
          db.statement(
            `INSERT INTO job (seq, id, workflow_id, commit_hash, kind, response, input_count, created_at, updated_at, rerun_of, status) VALUES (?, ?, 'w', 'c', 'batch', 'list', 1, 1, 1, ?, 'EMPTY')`,
          ).run(1_000_000 + seq, `rerun-${seq}`, `job-${seq}`);
        const task = db.statement(
          `INSERT INTO task (id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, retry_at, error_retryable, history) VALUES (?, ?, 'a', 'code', 0, 'FAILED', 1, 0, 1, 1, ?, ?, '')`,
        );
        for (let i = 0; i < given.retrying; i++) task.run(`r-${seq}-${i}`, seq, 99, 1);
        for (let i = 0; i < given.mended; i++) task.run(`m-${seq}-${i}`, seq, null, 1);
        for (let i = 0; i < given.final; i++) task.run(`f-${seq}-${i}`, seq, null, 0);
      });
      const bySql = store.read
        .query<{ reason: string | null }>(`SELECT ${refusalSql(asked)} AS reason FROM job WHERE seq = ?`)
        .get(seq)?.reason;
      const byRecord = refusal(
        asked,
        { counters, retrying: given.retrying, finishedAt: given.finishedAt },
        () => store.read.query(HAS_RETRYABLE).get(seq) !== undefined,
      );
      expect(bySql).toBe(byRecord);
      const rerunBySql = store.read
        .query<{ reason: string | null }>(`SELECT ${rerunRefusalSql(chosen)} AS reason FROM job WHERE seq = ?`)
        .get(seq)?.reason;
      expect(rerunBySql).toBe(
        rerunRefusal(
          chosen,
          given.kind,
          { counters, finishedAt: given.finishedAt },
          () => store.read.query(HAS_RERUN).get(`job-${seq}`) !== undefined,
        ),
      );
    }),
    { numRuns: 300 },
  );
});

it('looks for a failure that may be retried by an index', () => {
  const plan = store.read
    .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${HAS_RETRYABLE}`)
    .all(1)
    .map(({ detail }) => detail)
    .join();
  expect(plan).toContain('task_open (state=? AND job=?)');
});

it('looks for a rerun by an index', () => {
  for (const [sql, values] of [
    [HAS_RERUN, ['x']],
    [`SELECT ${rerunRefusalSql({ completed: false, again: false })} AS reason FROM job`, []],
  ] as const)
    expect(
      store.read
        .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail)
        .join(),
    ).toContain('job_by_rerun (rerun_of=?)');
});
