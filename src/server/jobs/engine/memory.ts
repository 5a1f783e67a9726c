import type { JobStatus } from '../../../contract/vocabulary.ts';
import type { ReadHandle } from '../../store/port.ts';
import { createConcurrencyLimits } from '../queue/concurrency-limits.ts';
import { createTurnBudget } from './turn-budget.ts';
import { createQueue } from '../queue/queue.ts';
import { createRunTimes } from '../queue/assigner.ts';
import { OPEN_JOBS, WAITING_PRIORITIES, WITHHELD } from './sql.ts';
import type { TurnBudget, Memory } from './port.ts';
import { countKey } from './write-rows.ts';

/** Reads the sums; leases are recovered apart. */
export function openMemory(db: ReadHandle, turnBudget: TurnBudget = createTurnBudget()): Memory {
  const number = (sql: string) => db.query<{ n: number | null }>(sql).get()?.n ?? 0;
  const inState = (state: string) =>
    number(`SELECT count(*) AS n FROM task WHERE state = '${state}' AND state <> 'COMPLETED'`);
  const withheld = number(`SELECT count(*) AS n FROM task WHERE state = 'READY' AND ready_deadline = ${WITHHELD}`);
  const rows = db
    .query<{ workflow_id: string; environment: string; status: JobStatus; jobs: number }>(
      'SELECT workflow_id, environment, status, sum(jobs) AS jobs FROM job_block GROUP BY 1, 2, 3',
    )
    .all();
  const concurrencyLimits = createConcurrencyLimits();
  const queue = createQueue(concurrencyLimits);
  for (const { priority } of db.query<{ priority: number }>(WAITING_PRIORITIES).all())
    queue.level(priority).hasUnread = true;
  return {
    totals: {
      ready: inState('READY') - withheld,
      withheld,
      scheduled: inState('SCHEDULED'),
      running: inState('RUNNING'),
      retrying: number('SELECT count(*) AS n FROM task WHERE retry_at IS NOT NULL'),
      open: number(`SELECT count(*) AS n FROM job WHERE ${OPEN_JOBS}`),
      nextJob: number('SELECT max(seq) AS n FROM job') + 1,
      nextTask: number('SELECT max(seq) AS n FROM task') + 1,
      childrenDue: number('SELECT count(*) AS n FROM child_due'),
      nextPayload: number('SELECT max(id) AS n FROM payload') + 1,
    },
    leased: new Map(),
    recoveredLeases: new WeakMap(),
    foreachWork: new Map(),
    progress: new Set(),
    queue,
    concurrencyLimits,
    runTimes: createRunTimes(),
    turnBudget,
    failureSearches: new Set(),
    childChecks: new Set(),
    jobs: new Map(),
    jobsById: new Map(),
    deferredTasks: new Set(),
    deferredJobs: new Set(),
    retryCursor: { at: 0, seq: 0 },
    retryAheadCursor: { at: 0, seq: 0 },
    pendingInputs: new Map(
      db
        .query<{ job: number; n: number }>('SELECT job, sum(count - begun) AS n FROM unborn GROUP BY job')
        .all()
        .map(({ job, n }) => [job, n]),
    ),
    counts: new Map(
      rows.map((row) => [
        countKey(row.workflow_id, row.environment, row.status),
        { workflowId: row.workflow_id, environment: row.environment, status: row.status, jobs: row.jobs },
      ]),
    ),
  };
}
