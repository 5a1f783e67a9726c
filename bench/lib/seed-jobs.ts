import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** What the seeded jobs are like, so that the benchmark can ask for them. */
export interface Seeded {
  readonly jobs: number;
  readonly tasks: number;
  /** First creation; one job every second after it. */
  readonly from: number;
  readonly largeJobId: string;
}

const STEP_MS = 1000;
/** Of the large job, where there are as many jobs. */
const LARGE_TASKS = 100_000;

/** An id like those that the master makes, in the order of creation. */
const ID = `printf('%08x-%04x-7%03x-8%03x-%012x', (created >> 16), created & 65535, (i >> 12) & 4095, i & 4095, i * 7919 % 281474976710656)`;

/**
 * Writes finished jobs and their tasks straight into the database of a master that does not run: ten workflows (one with
 * half of the jobs, one with hardly any), three environments, every status, external ids, labels and inputs.
 */
export function seedJobs(folder: string, jobs: number, now: number): Seeded {
  const db = new Database(join(folder, 'yardmaster.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  const from = now - jobs * STEP_MS;
  const large = Math.min(LARGE_TASKS, jobs);
  db.transaction(() => {
    db.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?),
       r AS (SELECT i, ? + i * ${STEP_MS} AS created, (i * 2654435761) % 1000 AS dice, (i * 40503) % 997 AS other FROM n),
       s AS (SELECT *, CASE WHEN dice < 930 THEN 'COMPLETED' WHEN dice < 975 THEN 'FAILED' WHEN dice < 990 THEN 'TIMEOUT' WHEN dice < 997 THEN 'MIXED' ELSE 'EMPTY' END AS status FROM r)
       INSERT INTO job (seq, id, external_id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, finished_at, duration_ms, completed, failed, run_timeout, output, status, labels)
       SELECT i, ${ID}, iif(i % 5 = 0, 'order-' || i, NULL), CASE WHEN other < 500 THEN 'main' WHEN other = 996 AND i % 2 = 0 THEN 'rare' ELSE 'flow-' || (other % 8) END,
         CASE i % 3 WHEN 0 THEN 'dev' WHEN 1 THEN 'staging' ELSE 'prod' END, '${'0'.repeat(40)}', 'event', 'list', iif(status = 'EMPTY', 0, 1), created, created + other * 3, created + other * 3, other * 3,
         CASE status WHEN 'COMPLETED' THEN 2 WHEN 'EMPTY' THEN 0 ELSE 1 END, status IN ('FAILED', 'MIXED'), status IN ('TIMEOUT', 'MIXED'),
         '{"content":"' || hex(randomblob(40)) || '"}', status, iif(i % 10 = 0, '{"team":"t' || (i % 70) || '"}', NULL)
       FROM s`,
    ).run(jobs, from);
    db.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, finished_at, input, output, history)
       SELECT i, printf('t%035x', i), (i + 1) / 2, iif(i % 2, 'first', 'second'), 'transform', 0, 'COMPLETED', 1, 3, ? + i, 0, ? + i,
         iif(i % 2, '{"customer":{"id":' || (i / 2 % 50000) || ',"country":"' || substr('DEFRITES', 1 + (i / 2 % 4) * 2, 2) || '"},"amount":' || (i % 1000) || '}', NULL), '{"ok":true}', ''
       FROM n`,
    ).run(jobs * 2, from, from);
    largeJob(db, jobs, large, now);
    db.exec('DELETE FROM job_block');
    db.exec(
      "INSERT INTO job_block SELECT seq / 4096, workflow_id, coalesce(environment, ''), status, count(*) FROM job GROUP BY 1, 2, 3, 4",
    );
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  const largeJobId = db
    .prepare('SELECT id FROM job WHERE seq = ?')
    .pluck()
    .get(jobs + 1) as string;
  db.close();
  // These pages are not what the master wrote: without its sums it takes them as they are.
  rmSync(join(folder, 'yardmaster.db-sums'), { force: true });
  return { jobs: jobs + 1, tasks: jobs * 2 + large, from, largeJobId };
}

/** One job of many tasks. */
function largeJob(db: Database.Database, jobs: number, tasks: number, now: number): void {
  db.prepare(
    `INSERT INTO job (seq, id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, finished_at, duration_ms, completed, status)
     VALUES (?, 'ffffffff-0000-7000-8000-000000000000', 'main', 'dev', '${'0'.repeat(40)}', 'batch', 'list', ${tasks}, ?, ?, ?, 1, ${tasks}, 'COMPLETED')`,
  ).run(jobs + 1, now, now, now);
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${tasks - 1})
     INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, ready_at, ready_deadline, finished_at, input, output, history)
     SELECT ? + i, printf('u%035x', i), ?, 'first', 'transform', i, 'COMPLETED', 1, 3, ? + i * 31 % 1000, 0, ?, '{"n":' || i || '}', 'null', '' FROM n`,
  ).run(jobs * 2 + 1, jobs + 1, now, now);
}
