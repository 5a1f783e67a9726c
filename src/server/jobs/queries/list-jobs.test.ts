import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, JobFilter } from '../../../contract/jobs.ts';
import {
  DISPLAY_STATUSES,
  displayStatus,
  JOB_SORTS,
  ENVIRONMENTS,
  taskStateForCounter,
} from '../../../contract/vocabulary.ts';
import type { Store } from '../../store/port.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import { countBlocks, openBlockTimes } from './job-blocks.ts';
import { filterConditions, readCounts } from './job-filter.ts';
import { isFastJobPage, listJobs, openLists, type Lists } from './list-jobs.ts';
import type { JobRow } from '../engine/rows.ts';
import { BLOCK_JOBS, OPEN_JOBS } from '../engine/sql.ts';
import { jobView } from './views.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

/** Several blocks, so that pages begin in each of them. */
const JOBS = BLOCK_JOBS * 2 + 1500;
const T0 = Date.parse('2026-01-01T00:00:00Z');
let store: Store;
let lists: Lists;
let all: Job[];

beforeAll(async () => {
  store = openSqlite({ file: join(temporaryFolder('ym-lists'), 'yardmaster.db'), durability: 'normal' });
  const random = mulberry(7);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  await store.write((db) => {
    for (let seq = 1; seq <= JOBS; seq++) {
      // Retention leaves gaps.
      if (seq > 3000 && seq < 3400) continue;
      const dice = random();
      const c = { ready: 0, running: 0, completed: 0, failed: 0, run_timeout: 0 };
      if (dice < 0.8) c.completed = 1;
      else if (dice < 0.9) c.failed = 1;
      else if (dice < 0.95) c.run_timeout = 1;
      else if (dice < 0.97) c.running = 1;
      else if (dice < 0.98) [c.failed, c.running] = [1, 1];
      else if (dice < 0.985) c.ready = 1;
      const status = taskStateForCounter({
        readyTasks: c.ready,
        scheduledTasks: 0,
        runningTasks: c.running,
        completedTasks: c.completed,
        failedTasks: c.failed,
        scheduleTimeout: 0,
        runTimeoutTasks: c.run_timeout,
      });
      // The clock went back once.
      const created = T0 + (seq < 5000 ? seq : seq - 700) * 10;
      const open = c.running > 0 || c.ready > 0 || (c.failed > 0 && random() < 0.1);
      const duration = Math.floor(random() * 30) * 100;
      const environment = pick([...ENVIRONMENTS, null]);
      const workflow = seq % 2 === 0 ? 'main' : pick(['a', 'b', 'c']);
      db.statement(
        `INSERT INTO job (seq, id, external_id, workflow_id, environment, commit_hash, kind, response, input_count, created_at, updated_at, finished_at, duration_ms, ready, running, completed, failed, run_timeout, killed_at, status)
         VALUES (?, ?, ?, ?, ?, 'c', 'event', 'list', 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        seq,
        `id-${String(seq).padStart(8, '0')}`,
        random() < 0.3 ? `ext-${Math.floor(random() * 50)}` : null,
        workflow,
        environment,
        created,
        created + duration,
        open ? null : created + duration,
        open ? null : duration,
        c.ready,
        c.running,
        c.completed,
        c.failed,
        c.run_timeout,
        !open && c.failed > 0 && seq % 4 === 0 ? created + duration : null,
        status,
      );
    }
    db.statement(
      `INSERT INTO job_block (block, workflow_id, environment, status, jobs) SELECT seq / ${BLOCK_JOBS}, workflow_id, coalesce(environment, ''), status, count(*) FROM job GROUP BY 1, 2, 3, 4`,
    ).run();
  });
  lists = openLists(store.read, () => readCounts(store.read));
  all = store.read.query<JobRow>('SELECT * FROM job ORDER BY seq').all().map(jobView);
});
afterAll(() => store.close());

/** A small generator of numbers, so that the jobs are the same in each run. */
function mulberry(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const matches = (
  job: Job,
  { status, displayStatus: shown, workflowId, environment, externalId, q, createdFrom, createdTo, within }: JobFilter,
): boolean =>
  (within === undefined || within.includes(job.workflowId)) &&
  (status === undefined || status.length === 0 || status.includes(job.status)) &&
  (shown === undefined || shown.length === 0 || shown.includes(displayStatus(job))) &&
  (workflowId === undefined || job.workflowId === workflowId) &&
  (environment === undefined || job.environment === environment) &&
  (externalId === undefined || job.externalId === externalId) &&
  (q === undefined || job.id.startsWith(q) || (job.externalId?.startsWith(q) ?? false)) &&
  (createdFrom === undefined || job.createdAt >= createdFrom) &&
  (createdTo === undefined || job.createdAt <= createdTo);

function sorted(jobs: readonly Job[], field: keyof Job, descending: boolean): string[] {
  const way = descending ? -1 : 1;
  return jobs
    .map((job, i) => ({ job, i, value: field === 'createdAt' ? i : (job[field] as string | number | null) }))
    .sort((x, y) => {
      if (x.value === null || y.value === null) if (x.value !== y.value) return x.value === null ? 1 : -1;
      return way * ((x.value ?? 0) < (y.value ?? 0) ? -1 : (x.value ?? 0) > (y.value ?? 0) ? 1 : x.i - y.i);
    })
    .map(({ job }) => job.id);
}

const time = fc.integer({ min: 0, max: JOBS }).map((n) => new Date(T0 + n * 10).toISOString());
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const filter = fc
  .record({
    status: some(
      fc.subarray(['COMPLETED', 'FAILED', 'TIMEOUT', 'RUNNING', 'PARTIAL_FAILURE', 'EMPTY', 'MIXED'] as const),
    ),
    displayStatus: fc.option(fc.subarray([...DISPLAY_STATUSES]), { nil: undefined, freq: 1 }),
    workflowId: some(fc.constantFrom('main', 'a', 'b', 'none')),
    environment: some(fc.constantFrom(...ENVIRONMENTS)),
    externalId: fc.option(fc.constantFrom('ext-1', 'ext-999'), { nil: undefined, freq: 8 }),
    q: fc.option(fc.constantFrom('id-0000', 'ext-1', 'ext-', 'id-00004001', 'zz'), { nil: undefined, freq: 5 }),
    createdFrom: some(time),
    createdTo: some(time),
    within: some(fc.subarray(['main', 'a', 'c', 'none'])),
  })
  .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as JobFilter);

it('gives each page of each filter and sort as a sort of all jobs would', () => {
  fc.assert(
    fc.property(
      filter,
      fc.constantFrom(...JOB_SORTS),
      fc.boolean(),
      fc.constantFrom(1, 20, 500),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (filter_, field, descending, size, share) => {
        const wanted = sorted(
          all.filter((job) => matches(job, filter_)),
          field,
          descending,
        );
        const pages = Math.ceil(wanted.length / size);
        const page = Math.floor(share * pages);
        const got = listJobs(lists, { ...filter_, page, size, sort: `${field},${descending ? 'desc' : 'asc'}` });
        expect(got.totalItems).toBe(wanted.length);
        expect(got.totalPages).toBe(pages);
        expect(got.items.map(({ id }) => id)).toEqual(wanted.slice(page * size, (page + 1) * size));
      },
    ),
    { numRuns: 600 },
  );
});

describe('counts of blocks', () => {
  it('are those of the rows, also within a range of time while the clock went back', () => {
    const times = openBlockTimes(store.read);
    const filter_: JobFilter = {
      status: ['FAILED'],
      createdFrom: new Date(T0 + 43_000).toISOString(),
      createdTo: new Date(T0 + 61_000).toISOString(),
    };
    const blocks = countBlocks(store.read, times, filter_, filterConditions(filter_, readCounts(store.read)));
    expect(blocks.reduce((sum, { n }) => sum + n, 0)).toBe(all.filter((job) => matches(job, filter_)).length);
  });

  it('follow every change of a job', async () => {
    const { openRig, workflow } = await import('../../testing/engine.fixture.ts');
    const { done, failed } = await import('../../testing/worker.fake.ts');
    const rig = await openRig();
    const worker = await rig.worker({ capacity: 10 });
    const flow = workflow({ a: {} }, ['input>a', 'a>output']);
    const ids = [await rig.submit(flow), await rig.submit(flow), await rig.submit(flow, [])];
    worker.report(done(await worker.lease(), 1));
    worker.report(failed(await worker.lease(), { code: 'NON_RETRYABLE', retryable: false }));
    for (const id of ids) await rig.jobs.wait(id, 60);
    await rig.jobs.get(ids[0] as string);
    const counted = rig.store.read
      .query('SELECT status, sum(jobs) AS n FROM job_block GROUP BY 1 HAVING n <> 0 ORDER BY 1')
      .all();
    expect(counted).toEqual(rig.store.read.query('SELECT status, count(*) AS n FROM job GROUP BY 1 ORDER BY 1').all());
    await rig.close();
  });
});

it('reads on the event loop what is short, and nothing else', () => {
  const many = [
    { workflowId: 'main', environment: 'dev', status: 'COMPLETED', jobs: 900_000 },
    { workflowId: 'main', environment: 'dev', status: 'FAILED', jobs: 300 },
    { workflowId: 'rare', environment: 'dev', status: 'COMPLETED', jobs: 50 },
  ] as const;
  const cheap = (query: JobFilter & { page?: number; sort?: string }) =>
    isFastJobPage(many, { page: 0, size: 20, sort: 'createdAt,desc', ...query });
  expect([
    cheap({}),
    cheap({ status: ['FAILED'] }),
    cheap({ workflowId: 'rare' }),
    cheap({ status: ['COMPLETED'], workflowId: 'main' }),
    cheap({ page: 44_999 }),
  ]).toEqual([true, true, true, true, true]);
  expect([
    cheap({ page: 20_000 }),
    cheap({ sort: 'durationMs,desc' }),
    cheap({ q: '0' }),
    cheap({ createdFrom: '2026-01-01T00:00:00Z' }),
    cheap({ text: 'a' }),
    cheap({ externalId: 'x' }),
    cheap({ failureGroup: 'x' }),
  ]).toEqual([false, false, false, false, false, false, false]);
});

describe('query plans', () => {
  const plan = (sql: string) =>
    store.read
      .query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join(' | ');

  it('walks times without reading rows, and in order', () => {
    for (const [index, column] of [
      ['job_by_finished', 'finished_at'],
      ['job_by_duration', 'duration_ms'],
    ])
      expect(
        plan(
          `SELECT seq FROM job INDEXED BY ${index} WHERE +(status = 'FAILED') AND +(workflow_id = 'a') AND +(environment = 'dev') AND +(created_at > 0) AND ${column} IS NOT NULL ORDER BY ${column} DESC, seq DESC LIMIT 20`,
        ),
      ).toBe(`SEARCH job USING COVERING INDEX ${index} (${column}>?)`);
  });

  it('finds open jobs by their own indexes', () => {
    const open = plan(`SELECT count(*) FROM job WHERE ${OPEN_JOBS}`);
    expect(open).toContain('COVERING INDEX job_by_status (status=?)');
    expect(open).toContain('job_troubled');
  });

  it('sums blocks in the order of their key', () => {
    expect(
      plan(
        "SELECT block, sum(jobs) AS n FROM job_block WHERE jobs <> 0 AND status = 'FAILED' GROUP BY block ORDER BY block",
      ),
    ).toBe('SCAN job_block');
  });
});
