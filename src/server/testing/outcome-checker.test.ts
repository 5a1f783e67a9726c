import { expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import type { Task, Transition } from '../../contract/tasks.ts';
import { brokenPromises, type Call, mostAtOnce } from './outcome-checker.fixture.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

const step = (from: Transition['from'], to: Transition['to'], ms: number, attempt = 1): Transition => ({
  from,
  to,
  at: at(ms),
  attempt,
  workerId: null,
  reason: null,
});
const run = (start: number, end: number): Transition[] => [
  step(null, 'READY', 0),
  step('READY', 'SCHEDULED', start),
  step('SCHEDULED', 'RUNNING', start + 1),
  step('RUNNING', 'COMPLETED', end),
];

function task(jobId: string, node: string, more: Partial<Task> = {}): Task {
  return {
    id: `${jobId}/${node}`,
    jobId,
    node,
    nodeType: 'transform',
    replica: 0,
    item: null,
    state: 'COMPLETED',
    attempt: 1,
    history: run(1, 9),
    ...more,
  } as Task;
}

/** Two calls that were kept, and what a reader sees of them; a test plants what is wrong. */
function world() {
  const call = (n: number): Call => ({
    key: `call-${n}`,
    workflowId: 'chain',
    inputs: [{ n }],
    output: [n * 2],
    jobIds: [`job-${n}`],
  });
  const job = (n: number): Job =>
    ({
      id: `job-${n}`,
      externalId: `call-${n}`,
      workflowId: 'chain',
      status: 'COMPLETED',
      inputCount: 1,
      finishedAt: at(20),
      parentTaskId: null,
      taskCounters: { completedTasks: 2 },
    }) as Job;
  const calls = [call(1), call(2)];
  const jobs = [job(1), job(2)];
  const tasks = new Map(jobs.map(({ id }) => [id, [task(id, 'a'), task(id, 'b')]]));
  const outputs = new Map([1, 2].map((n) => [`job-${n}`, [n * 2]]));
  return {
    calls,
    jobs,
    tasks,
    outputs,
    broken: (limit = 99) =>
      brokenPromises(
        {
          jobs: async () => jobs,
          tasks: async (id) => tasks.get(id) ?? [],
          output: async (id) => outputs.get(id) ?? [],
        },
        calls,
        [{ workflowId: 'chain', most: limit }],
      ),
  };
}
type World = ReturnType<typeof world>;

it('finds nothing where every promise was kept', async () => {
  expect(await world().broken()).toEqual([]);
});

const change = <T extends object>(list: T[], index: number, by: Partial<T>) =>
  list.splice(index, 1, { ...(list[index] as T), ...by });

it.each<[string, (world: World) => void, string]>([
  ['a job that was lost', ({ jobs }) => jobs.splice(0, 1), 'job job-1 of call call-1 was acknowledged and is lost'],
  [
    'a job that does not end',
    ({ jobs }) => change(jobs, 0, { status: 'RUNNING', finishedAt: null }),
    'job job-1 has not ended: RUNNING',
  ],
  [
    'a job that failed by what was done to its master',
    ({ jobs }) => change(jobs, 1, { status: 'FAILED' }),
    'job job-2 of call call-2 is FAILED',
  ],
  ['a wrong output', ({ outputs }) => outputs.set('job-2', [5]), 'came to [5] rather than [4]'],
  [
    'two jobs of one call',
    ({ jobs, tasks }) => {
      jobs.push({ ...jobs[0]!, id: 'job-3' });
      tasks.set('job-3', [task('job-3', 'a'), task('job-3', 'b')]);
    },
    'call call-1 made 2 jobs: job-1, job-3',
  ],
  [
    'one key acknowledged as two jobs',
    ({ calls }) => change(calls, 0, { jobIds: ['job-1', 'job-2'] }),
    'call call-1 was acknowledged as job-1 and as job-2',
  ],
  [
    'the job of another call',
    ({ jobs }) => change(jobs, 0, { workflowId: 'diamond' }),
    'job job-1 is another one than call call-1 asked for',
  ],
  ['a job that nobody asked for', ({ calls }) => calls.pop(), 'job job-2 is of call call-2, which nobody sent'],
  [
    'two children of one task',
    ({ jobs, tasks }) => {
      for (const id of ['child-1', 'child-2']) {
        jobs.push({ ...jobs[0]!, id, externalId: null, parentTaskId: 'job-1/a' });
        tasks.set(id, [task(id, 'a'), task(id, 'b')]);
      }
    },
    'task job-1/a made 2 child jobs: child-1, child-2',
  ],
  [
    'a task that exists twice',
    ({ tasks }) => tasks.get('job-1')?.push(task('job-1', 'a', { id: 'twin' })),
    'job job-1 has two tasks for a, input 0, item -',
  ],
  ['a task that was lost', ({ tasks }) => tasks.get('job-1')?.pop(), 'job job-1 counts 2 completed tasks and has 1'],
  [
    'a second result',
    ({ tasks }) =>
      change(tasks.get('job-1')!, 0, {
        history: [...run(1, 9), step('COMPLETED', 'COMPLETED', 10)],
      }),
    'task job-1/a has 2 results',
  ],
  [
    'a result that was taken back',
    ({ tasks }) =>
      change(tasks.get('job-1')!, 0, { attempt: 2, history: [...run(1, 9), step('COMPLETED', 'READY', 10, 2)] }),
    'task job-1/a went on after its result',
  ],
  [
    'a history with a hole',
    ({ tasks }) =>
      change(tasks.get('job-1')!, 0, { history: [step(null, 'READY', 0), step('RUNNING', 'COMPLETED', 9)] }),
    'task job-1/a left RUNNING while it was READY',
  ],
  [
    'an attempt that went back',
    ({ tasks }) =>
      change(tasks.get('job-1')!, 0, {
        history: [step(null, 'READY', 0, 2), step('READY', 'RUNNING', 5, 1), step('RUNNING', 'COMPLETED', 9, 1)],
      }),
    'task job-1/a went back to attempt 1',
  ],
])('finds %s', async (_what, plant, words) => {
  const planted = world();
  plant(planted);
  const broken = await planted.broken();
  expect(
    broken.some((line) => line.includes(words)),
    broken.join('\n'),
  ).toBe(true);
});

it('finds a limit that was passed, and only then', async () => {
  // Four tasks over the same time.
  expect(await world().broken(4)).toEqual([]);
  expect(await world().broken(3)).toEqual(['4 tasks of chain ran at once, though its limit is 3']);
});

it('counts those that are with workers at the same time, also after a worker was lost', () => {
  const of = (...histories: Transition[][]) =>
    mostAtOnce(histories.map((history, i) => task('job', `n${i}`, { history })));
  expect(of(run(0, 10), run(10, 20))).toBe(1);
  expect(of(run(0, 10), run(9, 20))).toBe(2);
  const lost = [step(null, 'READY', 0), step('READY', 'RUNNING', 1), step('RUNNING', 'READY', 5, 2)];
  expect(of([...lost, step('READY', 'RUNNING', 30, 2), step('RUNNING', 'COMPLETED', 40, 2)], run(6, 29))).toBe(1);
  expect(mostAtOnce([task('job', 'call', { nodeType: 'workflow', history: run(0, 10) })])).toBe(0);
});
