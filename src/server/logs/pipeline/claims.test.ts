import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { draftIdForWorkflow } from '../../../contract/draft-ids.ts';
import { createClaims, type Claims } from './claims.ts';
import { eventsOf, type Sender } from './normalise.ts';
import type { Answer, Question } from './port.ts';

/** This token has the worker `w`, which runs task `t` of job `j`. */
let asked: Question[];
let counts: { forged: number };
let now: number;
let claims: Claims;
let runs: Record<string, string>;
const answer = ({ tasks, jobs, workers }: Question): Answer => ({
  tasks: tasks.map(({ task }) => {
    const job = runs[task];
    return job === undefined ? null : { job, worker: 'w', workflow: 'flow' };
  }),
  jobs: jobs.map((job) => (Object.values(runs).includes(job) ? { workflow: 'flow' } : null)),
  workers: workers.map((worker) => worker === 'w'),
});
beforeEach(() => {
  [asked, counts, now, runs] = [[], { forged: 0 }, 0, { t: 'j' }];
  claims = createClaims(
    async (question) => {
      asked.push(question);
      return answer(question);
    },
    counts,
    () => now,
  );
});
const sender = (assigned: Sender['assigned'] = new Map()): Sender => ({ address: 'tcp:10.0.0.7', assigned, claims });
/** What becomes of lines that come together. */
async function stored(lines: readonly unknown[], from = sender()): Promise<Record<string, unknown>[]> {
  const events = lines.flatMap((line) =>
    eventsOf(typeof line === 'string' ? line : JSON.stringify(line), from, 0, { unparsed: 0 }),
  );
  if (events.some((event) => typeof event !== 'string')) await claims.ask();
  return events.map((event) => {
    const { _time, ...record } = JSON.parse(typeof event === 'string' ? event : event()) as Record<string, unknown>;
    return record;
  });
}

const own = { _msg: 'm', job_id: 'j', task_id: 't', worker_id: 'w', source: 'task', workflow_id: 'flow' };

it('keeps what is true, and asks once', async () => {
  expect(await stored([own, own])).toEqual([own, own]);
  expect(await stored([own])).toEqual([own]);
  expect(asked).toEqual([{ tasks: [{ task: 't', job: 'j' }], jobs: [], workers: ['w'] }]);
  expect(counts.forged).toBe(0);
});

it('asks for nothing, and keeps nothing, that is too long for an ID', async () => {
  const long = 'x'.repeat(300);
  const [task, job] = await stored([
    { ...own, task_id: long, job_id: long, worker_id: long },
    { ...own, job_id: long },
  ]);
  expect(task).toMatchObject({ claimed_task_id: long, claimed_job_id: long, claimed_worker_id: long });
  expect(job).toEqual({ ...own, claimed_job_id: long });
  expect(asked).toEqual([{ tasks: [{ task: 't', job: null }], jobs: [], workers: ['w'] }]);
});

it('puts what is not under another name, so that it stands in nobody else’s log', async () => {
  const [task, job, worker, source, both] = await stored([
    { ...own, task_id: 'other', job_id: 'theirs' },
    { ...own, job_id: 'theirs' },
    { ...own, worker_id: 'v' },
    { ...own, source: 'master' },
    { _msg: 'm', job_id: 'theirs', claimed_job_id: 'mine' },
  ]);
  const { task_id: _t, job_id: _j, workflow_id: _w, ...rest } = own;
  expect(task).toEqual({
    ...rest,
    claimed_task_id: 'other',
    claimed_job_id: 'theirs',
    claimed_workflow_id: 'flow',
  });
  expect(job).toEqual({ ...own, claimed_job_id: 'theirs' });
  expect(worker).toEqual({ ...own, claimed_worker_id: 'v' });
  expect(source).toEqual({ ...own, source: 'tcp:10.0.0.7', claimed_source: 'master' });
  expect(both).toEqual({ _msg: 'm', source: 'tcp:10.0.0.7', claimed_job_id: 'theirs' });
  expect(counts.forged).toBe(5);
});

it('says whose workflow a line is, whatever it says itself', async () => {
  const say = { workflow_id: 'theirs' };
  const [task, job, neither] = await stored([
    { ...own, ...say },
    { _msg: 'm', job_id: 'j', ...say },
    { _msg: 'm', ...say },
  ]);
  expect(task).toEqual({ ...own, claimed_workflow_id: 'theirs' });
  expect(job).toMatchObject({ workflow_id: 'flow', claimed_workflow_id: 'theirs' });
  expect(neither).toEqual({ _msg: 'm', source: 'tcp:10.0.0.7', claimed_workflow_id: 'theirs' });
  expect((await stored([{ _msg: 'm' }], sender(new Map([['workflow_id', 'theirs']]))))[0]).not.toHaveProperty(
    'workflow_id',
  );
  // A draft run of the workflow is called so by its worker.
  expect(await stored([{ ...own, workflow_id: draftIdForWorkflow('flow') }])).toEqual([own]);
  // What a workflow logs may have a field of that name.
  expect(counts.forged).toBe(0);
});

it('fills in what is known', async () => {
  expect(await stored([{ _msg: 'm', task_id: 't' }])).toEqual([{ ...own, source: 'tcp:10.0.0.7' }]);
  expect(await stored([{ _msg: 'm', job_id: 'j' }])).toEqual([
    { _msg: 'm', job_id: 'j', workflow_id: 'flow', source: 'tcp:10.0.0.7' },
  ]);
});

it('holds assignments and lines that are no JSON to the same', async () => {
  const lines = ['{"_assign":{"job_id":"theirs","worker_id":"v","source":"master"}}', 'plain text', { _msg: 'm' }];
  for (const record of await stored(lines)) {
    expect(record).toMatchObject({ source: 'tcp:10.0.0.7', claimed_job_id: 'theirs', claimed_worker_id: 'v' });
    expect(record).not.toHaveProperty('job_id');
  }
});

it('asks again, after a moment, for what did not hold', async () => {
  const late = { ...own, task_id: 'late', job_id: 'j2' };
  expect((await stored([late]))[0]).not.toHaveProperty('task_id');
  runs['late'] = 'j2';
  expect((await stored([late]))[0]).not.toHaveProperty('task_id');
  now = 2000;
  expect(await stored([late])).toEqual([late]);
});

it('takes nothing for true that could not be asked', async () => {
  claims = createClaims(
    () => Promise.reject(new Error('gone')),
    counts,
    () => now,
  );
  expect((await stored([own]))[0]).toEqual({
    _msg: 'm',
    source: 'task',
    claimed_job_id: 'j',
    claimed_task_id: 't',
    claimed_worker_id: 'w',
    claimed_workflow_id: 'flow',
  });
});

it('lets nothing but the truth stand, whatever a line says', async () => {
  const value = fc.constantFrom<unknown>('t', 'j', 'w', 'other', '', null, 7, ['t'], { t: 1 }, 't\u0000', '"t"');
  const line = fc.record(
    { _msg: fc.string(), job_id: value, task_id: value, worker_id: value, source: value },
    { requiredKeys: ['_msg'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      for (const { job_id, task_id, worker_id, source } of await stored(lines)) {
        expect([undefined, 'j']).toContain(job_id);
        expect([undefined, 't']).toContain(task_id);
        expect([undefined, 'w']).toContain(worker_id);
        expect(['tcp:10.0.0.7', 'task', 'worker']).toContain(source);
      }
    }),
  );
});
