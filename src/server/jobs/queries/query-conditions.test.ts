import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayStatus, JOB_SORTS, taskStateForCounter } from '../../../contract/vocabulary.ts';
import type { Job } from '../../../contract/jobs.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import type { Store } from '../../store/port.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { JobRow } from '../engine/rows.ts';
import { BLOCK_JOBS } from '../engine/sql.ts';
import { readCounts } from './job-filter.ts';
import { listJobs, openLists, type Lists } from './list-jobs.ts';
import { inTime } from './in-time.ts';
import { jobView } from './views.ts';

const JOBS = 600;
const DAY = 86_400_000;
const T0 = Date.parse('2026-01-01T00:00:00Z');
/** What a job's one task is like. */
interface Made {
  readonly job: Job;
  readonly attempt: number;
  readonly worker: string | null;
}
let store: Store;
let lists: Lists;
let all: Made[];

beforeAll(async () => {
  store = openSqlite({ file: join(temporaryFolder('ym-query'), 'yardmaster.db'), durability: 'normal' });
  const tasks: { attempt: number; worker: string | null }[] = [];
  await store.write((db) => {
    db.statement(
      `INSERT INTO worker (id, url, version, capacity, labels, handlers, drained, goodbye, created_at, registered_at) VALUES ('w1-a', 'http://one:1', '1', 1, '{"zone":"west"}', '[]', 0, 0, 0, 0)`,
    ).run();
    for (let seq = 1; seq <= JOBS; seq++) {
      const failed = seq % 5 === 0;
      const running = !failed && seq % 7 === 0;
      const status = taskStateForCounter({
        readyTasks: 0,
        scheduledTasks: 0,
        runningTasks: Number(running),
        completedTasks: Number(!failed && !running),
        failedTasks: Number(failed),
        scheduleTimeout: 0,
        runTimeoutTasks: 0,
      });
      const created = T0 + seq * 3_600_000;
      const duration = running ? null : (seq % 30) * 1000;
      const message = seq % 10 === 0 ? 'Upstream timed out after 100% of 5s' : 'no such customer';
      db.statement(
        `INSERT INTO job (seq, id, external_id, workflow_id, environment, commit_hash, kind, response, input_count, priority, created_at, updated_at, finished_at, duration_ms, running, completed, failed, failure_node, failure_code, failure_message, failure_task, status)
         VALUES (?, ?, ?, ?, ?, ?, 'event', 'list', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        seq,
        `id-${String(seq).padStart(6, '0')}`,
        seq % 3 === 0 ? `ext-${seq % 50}` : null,
        `flow-${seq % 4}`,
        seq % 4 === 0 ? null : 'prod',
        `abcd${seq % 2}`.padEnd(40, '0'),
        1 + (seq % 3),
        seq % 11,
        created,
        created,
        duration === null ? null : created + duration,
        duration,
        Number(running),
        Number(!failed && !running),
        Number(failed),
        ...(failed
          ? ['fetch', seq % 10 === 0 ? 'TASK_ERROR' : 'NON_RETRYABLE', message, 't']
          : [null, null, null, null]),
        status,
      );
      const attempt = seq % 6 === 0 ? 3 : seq % 4 === 0 ? 2 : 1;
      const worker = seq % 9 === 0 ? 'w1-a' : seq % 2 === 0 ? 'w2-b' : null;
      tasks.push({ attempt, worker });
      db.statement(
        `INSERT INTO task (seq, id, job, node, type, replica, state, attempt, retry_count, worker_id, ready_at, ready_deadline, error_code, error_message, history) VALUES (?, ?, ?, 'fetch', 'code', 0, ?, ?, 3, ?, 0, 0, ?, ?, '')`,
      ).run(
        seq,
        `t-${seq}`,
        seq,
        failed ? 'FAILED' : running ? 'RUNNING' : 'COMPLETED',
        attempt,
        worker,
        failed ? 'X' : null,
        failed ? message : null,
      );
    }
    db.statement(
      `INSERT INTO job_block (block, workflow_id, environment, status, jobs) SELECT seq / ${BLOCK_JOBS}, workflow_id, coalesce(environment, ''), status, count(*) FROM job GROUP BY 1, 2, 3, 4`,
    ).run();
  });
  lists = openLists(store.read, () => readCounts(store.read));
  all = store.read
    .query<JobRow>('SELECT * FROM job ORDER BY seq')
    .all()
    .map((row, i) => ({ job: jobView(row), attempt: tasks[i]?.attempt ?? 0, worker: tasks[i]?.worker ?? null }));
});
afterAll(() => store.close());

/** What a query finds on all pages, newest first; it is given as the rest that no other filter says. */
function found(query: string, sort = 'createdAt,desc'): string[] {
  const size = 500;
  const pages = Array.from({ length: Math.ceil(JOBS / size) }, (_, page) => page);
  return pages.flatMap((page) => listJobs(lists, { query, page, size, sort }).items.map(({ id }) => id));
}
const wanted = (test: (made: Made) => boolean) =>
  all
    .filter(test)
    .map(({ job }) => job.id)
    .toReversed();

const at = (made: Made) => Date.parse(made.job.createdAt);
const CASES: readonly (readonly [string, (made: Made) => boolean])[] = [
  ['status:failed,running', ({ job }) => ['FAILED', 'RUNNING'].includes(displayStatus(job))],
  ['-status:completed', ({ job }) => displayStatus(job) !== 'COMPLETED'],
  ['workflow:flow-1,flow-2', ({ job }) => ['flow-1', 'flow-2'].includes(job.workflowId)],
  ['-workflow:flow-1', ({ job }) => job.workflowId !== 'flow-1'],
  ['workflow:~OW-3', ({ job }) => job.workflowId === 'flow-3'],
  ['environment:*', ({ job }) => job.environment !== null],
  ['-environment:*', ({ job }) => job.environment === null],
  ['-environment:prod', ({ job }) => job.environment !== 'prod'],
  ['externalId:*', ({ job }) => job.externalId !== null],
  ['-externalId:ext-3', ({ job }) => job.externalId !== 'ext-3'],
  ['error:"timed out"', ({ job }) => job.error?.message.includes('timed out') ?? false],
  ['error:TIMED', ({ job }) => job.error?.message.includes('timed out') ?? false],
  ['error:100%', ({ job }) => job.error?.message.includes('100%') ?? false],
  ['error:1%0', () => false],
  ['error:="no such customer"', ({ job }) => job.error?.message === 'no such customer'],
  ['error:*', ({ job }) => job.error !== undefined],
  ['-error:customer', ({ job }) => !(job.error?.message.includes('customer') ?? false)],
  ['code:TASK_ERROR', ({ job }) => job.error?.code === 'TASK_ERROR'],
  ['node:fetch', ({ job }) => job.error?.node === 'fetch'],
  ['duration:>5s', ({ job }) => (job.durationMs ?? -1) > 5000],
  ['duration:>=5s', ({ job }) => (job.durationMs ?? -1) >= 5000],
  ['duration:<2s', ({ job }) => job.durationMs !== null && job.durationMs < 2000],
  ['duration:5s..7s', ({ job }) => job.durationMs !== null && job.durationMs >= 5000 && job.durationMs <= 7000],
  ['-duration:*', ({ job }) => job.durationMs === null],
  ['attempts:>=2', ({ attempt }) => attempt >= 2],
  ['attempts:>2', ({ attempt }) => attempt > 2],
  ['attempts:1', ({ attempt }) => attempt === 1],
  ['attempts:<3', ({ attempt }) => attempt < 3],
  ['attempts:2..3', ({ attempt }) => attempt >= 2],
  ['-attempts:2', ({ attempt }) => attempt !== 2],
  ['worker:w1', ({ worker }) => worker === 'w1-a'],
  ['worker:west', ({ worker }) => worker === 'w1-a'],
  ['worker:http://one:1', ({ worker }) => worker === 'w1-a'],
  ['worker:~2-', ({ worker }) => worker === 'w2-b'],
  ['-worker:*', ({ worker }) => worker === null],
  ['version:abcd1', ({ job }) => job.commit.startsWith('abcd1')],
  ['id:id-00001', ({ job }) => job.id.startsWith('id-00001')],
  ['id:ext-9', ({ job }) => job.externalId?.startsWith('ext-9') ?? false],
  ['inputs:>2', ({ job }) => job.inputCount > 2],
  ['priority:5..7', ({ job }) => job.priority >= 5 && job.priority <= 7],
  ['trigger:event', () => true],
  ['trigger:schedule', () => false],
  ['kind:batch', () => false],
  ['created:2026-01-05', (made) => at(made) >= T0 + 4 * DAY && at(made) < T0 + 5 * DAY],
  ['created:>2026-01-05', (made) => at(made) >= T0 + 5 * DAY],
  ['created:<=2026-01-05', (made) => at(made) < T0 + 5 * DAY],
  ['created:<2026-01-05', (made) => at(made) < T0 + 4 * DAY],
  ['finished:>=2026-01-05T00:00Z', ({ job }) => Date.parse(job.finishedAt ?? '') >= T0 + 4 * DAY],
];

describe('a query of the list finds the jobs that a plain look at all of them finds', () => {
  it.each(CASES)('%s', (query, test) => {
    expect(found(query)).toEqual(wanted(test));
  });

  it('all conditions of several, in every order of the list', () => {
    fc.assert(
      fc.property(
        fc.subarray([...CASES], { minLength: 2, maxLength: 3 }),
        fc.constantFrom(...JOB_SORTS),
        fc.boolean(),
        (cases, field, descending) => {
          const ids = wanted((made) => cases.every(([, test]) => test(made)));
          const query = cases.map(([text]) => text).join(' ');
          expect(found(query).toSorted()).toEqual(ids.toSorted());
          expect(found(query, `${field},${descending ? 'desc' : 'asc'}`).toSorted()).toEqual(ids.toSorted());
        },
      ),
      { numRuns: 150 },
    );
  });

  it('in the order of a field, absent values last, beside other filters', () => {
    const page = listJobs(lists, {
      query: 'duration:>20s error:*',
      workflowId: 'flow-1',
      page: 0,
      size: 5,
      sort: 'durationMs,desc',
    });
    const jobs = all
      .map(({ job }) => job)
      .filter((job) => job.workflowId === 'flow-1' && (job.durationMs ?? 0) > 20_000 && job.error !== undefined);
    expect(page.totalItems).toBe(jobs.length);
    expect(page.items.map((job) => job.durationMs)).toEqual(
      jobs
        .map((job) => job.durationMs ?? 0)
        .toSorted((a, b) => b - a)
        .slice(0, 5),
    );
  });
});

it('finds jobs by attempts through the index of the few tasks that were tried again', () => {
  const plan = store.read
    .query<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT seq FROM job WHERE seq IN (SELECT job FROM task INDEXED BY task_retried WHERE attempt > 1 AND attempt >= 2)',
    )
    .all()
    .map(({ detail }) => detail)
    .join(' | ');
  expect(plan).toContain('COVERING INDEX task_retried');
  expect(plan).toContain('SEARCH job USING INTEGER PRIMARY KEY');
});

describe('a query that takes too long', () => {
  const never = (signal: AbortSignal | undefined) =>
    new Promise<never>((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))));

  it('is ended, and says what to add', async () => {
    await expect(inTime({ query: 'error:x' }, 0.01, undefined, never)).rejects.toMatchObject({
      code: 'QUERY_TOO_SLOW',
    });
  });

  it('is ended without that when its reader goes', async () => {
    const gone = new AbortController();
    const reading = inTime({ query: 'error:x' }, 3600, gone.signal, never);
    gone.abort();
    await expect(reading).rejects.toThrow('ended');
  });
});
