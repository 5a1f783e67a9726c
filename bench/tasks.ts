import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Page, Task, Worker } from '../src/contract/api.ts';
import { call, publishChain } from './lib/master-api.ts';
import { ended, startMaster, startWorker } from './lib/processes.ts';
import { line, opening, quantile, round, summary } from './lib/report.ts';

/**
 * Tasks by the thousand, with durability `full` and one worker process: how fast they are taken in (jobs of 1,000
 * inputs), drained, taken in and drained together, and how soon an idle worker starts one.
 */
const quick = process.argv.includes('--quick');
const plan = quick ? { jobs: 4, inputs: 500, picks: 50 } : { jobs: 20, inputs: 1000, picks: 300 };
const total = plan.jobs * plan.inputs;
const CAPACITY = 10;

opening('tasks', quick, ['better-sqlite3', 'ws']);
const master = await startMaster({ workers: 0, durability: 'full' });
const { ready } = master;
let worker: ReturnType<typeof startWorker> | null = null;
try {
  await publishChain(ready, 'noop', undefined, [{ id: 'noop', type: 'transform', config: { expression: '$' } }]);
  const { token } = await call<{ token: string }>(ready, 'POST', '/api/v1/tokens', { name: 'bench', role: 'worker' });

  const submitFrom = performance.now();
  await submitAll();
  const submitRate = total / seconds(submitFrom);
  line({ submitted: total, perSecond: Math.round(submitRate) });

  worker = startWorker(ready.url, token, CAPACITY);
  const drainFrom = await registered();
  const drainRate = total / ((await allFinished(drainFrom, plan.jobs)) / 1000);
  line({ drained: total, perSecond: Math.round(drainRate) });

  const togetherFrom = Date.now();
  await submitAll();
  const togetherRate = total / ((await allFinished(togetherFrom, plan.jobs * 2)) / 1000);
  line({ together: total, perSecond: Math.round(togetherRate) });

  const picks = await pickUps();
  line({ pickUps: picks.length, p50Ms: quantile(picks, 0.5), p99Ms: quantile(picks, 0.99), meanMs: round(picks.reduce((sum, ms) => sum + ms, 0) / picks.length) });
  process.exitCode = summary([
    { name: 'tasks drained a second', value: drainRate, target: 8100, wanted: 'at least' },
    { name: 'tasks submitted and drained together a second', value: togetherRate, target: 5600, wanted: 'at least' },
    { name: 'pick-up when idle p99, ms', value: quantile(picks, 0.99), target: 4, wanted: 'at most' },
  ]);
} finally {
  worker?.kill('SIGTERM');
  if (worker) await ended(worker);
  await master.stop();
}

async function submitAll(): Promise<void> {
  const inputs = Array.from({ length: plan.inputs }, (_, n) => ({ n }));
  for (let i = 0; i < plan.jobs; i++) await call(ready, 'POST', '/api/v1/jobs', { workflowId: 'noop', environment: 'dev', inputs });
}

/** Waits for the worker; the time by the master's clock at which it came. */
async function registered(): Promise<number> {
  for (;;) {
    const { items } = await call<Page<Worker>>(ready, 'GET', '/api/v1/workers?state=Operational&state=Maxed');
    if (items[0]) return Date.parse(items[0].registeredAt);
    await sleep(5);
  }
}

/** Milliseconds from `from` to the end of the last of all jobs, by the master's clock. */
async function allFinished(from: number, jobs: number): Promise<number> {
  for (;;) {
    const { totalItems } = await call<Page<Job>>(ready, 'GET', '/api/v1/jobs?status=COMPLETED&size=1');
    if (totalItems >= jobs) break;
    await sleep(20);
  }
  const { items } = await call<Page<Job>>(ready, 'GET', `/api/v1/jobs?size=${plan.jobs}`);
  return Math.max(...items.map((job) => Date.parse(job.finishedAt as string))) - from;
}

/** Times in ms from READY to RUNNING of tasks that come one at a time, sorted. */
async function pickUps(): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < plan.picks; i++) {
    const { jobId } = await call<{ jobId: string }>(ready, 'POST', '/api/v1/jobs', { workflowId: 'noop', environment: 'dev', inputs: [{ i }] });
    let task: Task | undefined;
    while (task?.state !== 'COMPLETED') {
      await sleep(2);
      task = (await call<Page<Task>>(ready, 'GET', `/api/v1/jobs/${jobId}/tasks`)).items[0];
    }
    times.push(Date.parse(task.startedAt as string) - Date.parse(task.readyAt));
  }
  return times.toSorted((a, b) => a - b);
}

function seconds(from: number): number {
  return (performance.now() - from) / 1000;
}
