import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobFilter } from '../../../contract/jobs.ts';
import { JOB_SORTS, JOB_STATUSES, taskStateForCounter } from '../../../contract/vocabulary.ts';
import { done, failed, type FakeWorker } from '../../testing/worker.fake.ts';
import { openRig, workflow, type Rig } from '../../testing/engine.fixture.ts';
import { straightQuery } from './walk-jobs.ts';

let rig: Rig;
beforeEach(async () => {
  // Time passes here without heartbeats.
  rig = await openRig({ limits: { workerUnstableSeconds: 1e6, workerDownSeconds: 1e6 } });
});
afterEach(() => rig.close());

const flowNamed = (workflowId: string) => workflow({ a: {} }, ['input>a', 'a>output'], { workflowId });

/** Jobs in several statuses, workflows, environments, with and without external ids, some unfinished. */
async function populate(worker: FakeWorker): Promise<Job[]> {
  const flows = [flowNamed('alpha'), flowNamed('beta')];
  for (let i = 0; i < 30; i++) {
    rig.clock.advance(1000);
    const environment = (['dev', 'staging', 'prod'] as const)[i % 3] ?? 'dev';
    const jobId = await rig.submit(flows[i % 2] as never, i % 7 === 0 ? [] : [{ i }], {
      environment,
      externalId: i % 4 === 0 ? `ext-${i}` : null,
    });
    if (i % 7 === 0) continue;
    const lease = await worker.lease();
    if (i % 5 === 1) continue;
    rig.clock.advance(((i * 7) % 11) * 100);
    worker.report(
      i % 5 === 2
        ? failed(lease, { code: 'NON_RETRYABLE', retryable: false }, rig.clock.now())
        : done(lease, i, undefined, rig.clock.now()),
    );
    await rig.jobs.wait(jobId, 60);
  }
  const { items } = await rig.jobs.list({ page: 0, size: 500, sort: 'createdAt,asc' });
  expect(items).toHaveLength(30);
  return items;
}

const VALUE: Record<string, (job: Job) => string | number | null> = {
  createdAt: (job) => job.createdAt,
  updatedAt: (job) => job.updatedAt,
  finishedAt: (job) => job.finishedAt,
  durationMs: (job) => job.durationMs,
  status: (job) => job.status,
  workflowId: (job) => job.workflowId,
  environment: (job) => job.environment,
  externalId: (job) => job.externalId,
  id: (job) => job.id,
};

/** What the list has to be: sorted in memory, absent values last, ties in the order of creation (reversed with the sort). */
function expected(jobs: Job[], field: string, descending: boolean): string[] {
  const value = VALUE[field] as (job: Job) => string | number | null;
  const way = descending ? -1 : 1;
  return jobs
    .map((job, i) => ({ job, i }))
    .sort((a, b) => {
      const [x, y] = [value(a.job), value(b.job)];
      if (x === null || y === null) if (x !== y) return x === null ? 1 : -1;
      return way * ((x ?? 0) < (y ?? 0) ? -1 : (x ?? 0) > (y ?? 0) ? 1 : a.i - b.i);
    })
    .map(({ job }) => job.id);
}

const FILTERS: [string, JobFilter, (job: Job) => boolean][] = [
  ['none', {}, () => true],
  ['one status', { status: ['FAILED'] }, (job) => job.status === 'FAILED'],
  ['statuses', { status: ['COMPLETED', 'EMPTY'] }, (job) => job.status === 'COMPLETED' || job.status === 'EMPTY'],
  [
    'a workflow and an environment',
    { workflowId: 'alpha', environment: 'staging' },
    (job) => job.workflowId === 'alpha' && job.environment === 'staging',
  ],
  ['an external id', { externalId: 'ext-8' }, (job) => job.externalId === 'ext-8'],
  ['a prefix of external ids', { q: 'ext-2' }, (job) => job.externalId?.startsWith('ext-2') ?? false],
  ['nothing that there is', { workflowId: 'gamma' }, () => false],
];

it('sorts by every field, in both directions, with every filter, page by page', async () => {
  const all = await populate(await rig.worker({ capacity: 40 }));
  for (const [name, filter, matches] of FILTERS) {
    const wanted = all.filter(matches);
    for (const field of JOB_SORTS) {
      for (const direction of ['asc', 'desc']) {
        const found: string[] = [];
        for (let page = 0; page < Math.ceil(wanted.length / 7) + 1; page++) {
          const got = await rig.jobs.list({ page, size: 7, sort: `${field},${direction}`, ...filter });
          expect(got, `${name} by ${field}`).toMatchObject({
            page,
            size: 7,
            totalItems: wanted.length,
            totalPages: Math.ceil(wanted.length / 7),
          });
          found.push(...got.items.map(({ id }) => id));
        }
        expect(found, `${name} by ${field},${direction}`).toEqual(expected(wanted, field, direction === 'desc'));
      }
    }
  }
});

it('filters by the time of creation and by a prefix of the id', async () => {
  const all = await populate(await rig.worker({ capacity: 40 }));
  const [from, to] = [all[5], all[20]] as [Job, Job];
  const range = { createdFrom: from.createdAt, createdTo: to.createdAt };
  for (const sort of ['createdAt,desc', 'status,asc', 'durationMs,desc']) {
    const got = await rig.jobs.list({ page: 0, size: 500, sort, ...range, environment: 'dev' });
    expect(new Set(got.items.map(({ id }) => id))).toEqual(
      new Set(
        all
          .slice(5, 21)
          .filter(({ environment }) => environment === 'dev')
          .map(({ id }) => id),
      ),
    );
  }
  expect(
    (await rig.jobs.list({ page: 0, size: 5, sort: 'createdAt,desc', q: from.id })).items.map(({ id }) => id),
  ).toEqual([from.id]);
});

it('lists tasks of a job by state, node and in any order', async () => {
  const worker = await rig.worker({ capacity: 2 });
  const jobId = await rig.submit(
    flowNamed('alpha'),
    Array.from({ length: 5 }, (_, i) => ({ i })),
  );
  worker.report(
    done(await worker.lease(), 1),
    failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }),
  );
  await expect
    .poll(async () => (await rig.jobs.get(jobId)).taskCounters)
    .toMatchObject({ completedTasks: 1, failedTasks: 1 });
  const replicas = async (query: object) =>
    (await rig.jobs.tasks(jobId, { page: 0, size: 500, ...query })).items.map(({ replica }) => replica);
  expect(await replicas({})).toEqual([0, 1, 2, 3, 4]);
  expect(await replicas({ sort: 'replica,desc' })).toEqual([4, 3, 2, 1, 0]);
  expect(await replicas({ state: ['COMPLETED', 'FAILED'] })).toEqual([0, 1]);
  expect(await replicas({ state: ['READY'], node: 'a' })).toEqual([4]);
  expect(await replicas({ node: 'b' })).toEqual([]);
  expect(await replicas({ replica: 3 })).toEqual([3]);
  expect(await rig.jobs.tasks(jobId, { page: 0, size: 2, replica: 3 })).toMatchObject({ totalItems: 1 });
  expect(await rig.jobs.tasks(jobId, { page: 1, size: 2 })).toMatchObject({
    totalItems: 5,
    totalPages: 3,
    items: [{ replica: 2 }, { replica: 3 }],
  });
  await expect(rig.jobs.tasks('x', { page: 0, size: 1 })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
});

describe('query plans', () => {
  const plan = (sql: string) =>
    rig.store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 0))
      .map(({ detail }) => detail)
      .join(' | ');

  it('claims, leases and sweeps by their index, without a sort', async () => {
    const {
      READY_OF_JOB,
      DUE_RETRIES,
      INPUT_OF_REPLICA,
      LEASED_TASKS: LEASED,
      OPEN_BY_JOB,
      OVERDUE_JOBS,
      OVERDUE_READY,
      REPLICA_PROGRESS,
      TASKS_IN_STATE,
      TASKS_WAITING,
    } = await import('../engine/sql.ts');
    expect(plan(READY_OF_JOB)).toContain('USING INDEX task_claimable');
    for (const sql of [LEASED, TASKS_IN_STATE]) expect(plan(sql)).toContain('task_open');
    expect(plan(TASKS_WAITING)).toContain('task_waiting (job=?)');
    expect(plan(OPEN_BY_JOB)).toContain('USING COVERING INDEX task_open');
    expect(plan(OVERDUE_READY)).toContain('task_by_ready_deadline');
    expect(plan(DUE_RETRIES)).toContain('task_by_retry');
    expect(plan(OVERDUE_JOBS)).toContain('job_by_replica_deadline');
    expect(plan(REPLICA_PROGRESS)).toContain('task_by_job (job=? AND replica=? AND item=?)');
    expect(plan(INPUT_OF_REPLICA)).toContain('task_by_job (job=? AND replica=? AND item=?)');
    for (const sql of [READY_OF_JOB, OVERDUE_READY, DUE_RETRIES, OVERDUE_JOBS])
      expect(plan(sql)).not.toContain('TEMP B-TREE');
  });

  it('walks the index of the filter or of the sort, whichever the counts favour', () => {
    const status = { column: 'status' as const, sql: 'status = ?', values: ['FAILED'], matches: 5 };
    const walk = {
      column: 'seq',
      descending: true,
      conditions: [status],
      lead: status,
      offset: 0,
      limit: 20,
      totalItems: 5,
    };
    expect(plan(straightQuery(walk).sql)).toBe('SEARCH job USING COVERING INDEX job_by_status (status=?)');
    expect(plan(straightQuery({ ...walk, lead: null }).sql)).toBe('SCAN job');
    expect(plan(straightQuery({ ...walk, lead: null, column: 'workflow_id' }).sql)).toBe(
      'SCAN job USING INDEX job_by_workflow',
    );
  });
});

it('the database holds the status to statusOf', async () => {
  const count = fc.integer({ min: 0, max: 2 });
  const insert = `INSERT INTO job (seq, id, workflow_id, commit_hash, kind, response, input_count, created_at, updated_at, status, ready, scheduled, running, completed, failed, schedule_timeout, run_timeout)
    VALUES (1, 'x', 'w', 'c', 'event', 'list', 1, 0, 0, ?, ?, ?, ?, ?, ?, ?, ?)`;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...JOB_STATUSES),
      fc.record({
        readyTasks: count,
        scheduledTasks: count,
        runningTasks: count,
        completedTasks: count,
        failedTasks: count,
        scheduleTimeout: count,
        runTimeoutTasks: count,
      }),
      async (status, c) => {
        const values = [
          c.readyTasks,
          c.scheduledTasks,
          c.runningTasks,
          c.completedTasks,
          c.failedTasks,
          c.scheduleTimeout,
          c.runTimeoutTasks,
        ];
        const written = rig.store.write((db) => {
          db.statement('DELETE FROM job').run();
          db.statement(insert).run(status, ...values);
        });
        if (status === taskStateForCounter(c)) await written;
        else await expect(written).rejects.toThrow('CHECK constraint failed');
      },
    ),
    { numRuns: 300 },
  );
});
