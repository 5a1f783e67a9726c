import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadyLine } from '../../src/contract/process.ts';
import type { Task } from '../../src/contract/tasks.ts';
import { bytesOf } from './disk.ts';
import { api, publishChain } from './master-api.ts';
import { cpuMsWithChildren, memoryMbWithChildren } from './processor-time.ts';
import { ended, startMaster, startWorker } from './processes.ts';
import { line, quantile, round } from './report.ts';

const CAPACITY = 10;

export interface TaskFigures {
  /** Tasks a second. */
  readonly drain: number;
  readonly together: number;
  /** Milliseconds. */
  readonly pickUpP99: number;
  /** Of the processor, of each task that was taken in and drained together: the server and the worker. */
  readonly cpuMicroseconds: number;
  /** Of the server and the worker when all of it is done. */
  readonly memoryMb: number;
  /** What the server's folder grew by with each task. */
  readonly bytesATask: number;
}

/** Runs no-op tasks on a master of our own with durability `full` and one worker process, and says each figure as a line. */
export async function measureOwnTasks(plan: { jobs: number; inputs: number; picks: number }): Promise<TaskFigures> {
  const total = plan.jobs * plan.inputs;
  const data = mkdtempSync(join(tmpdir(), 'bench-'));
  const master = await startMaster({ workers: 0, durability: 'full', data });
  const { ready } = master;
  let worker: ReturnType<typeof startWorker> | null = null;
  try {
    await publishChain(ready, 'noop', undefined, [{ id: 'noop', type: 'transform', config: { expression: '$' } }]);
    const { token } = await api(ready).call('tokens.create', { body: { name: 'bench', role: 'worker' } });

    const empty = bytesOf(data);
    const submitFrom = performance.now();
    await submitAll(ready, plan);
    line({ submitted: total, perSecond: Math.round(total / ((performance.now() - submitFrom) / 1000)) });

    worker = startWorker(ready.url, token, CAPACITY);
    const drainFrom = await registered(ready);
    const drain = total / ((await allFinished(ready, drainFrom, plan.jobs)) / 1000);
    line({ drained: total, perSecond: Math.round(drain) });

    const processes = [master.pid, worker.pid as number];
    const spent = cpuMsWithChildren(processes);
    const togetherFrom = Date.now();
    await submitAll(ready, plan);
    const together = total / ((await allFinished(ready, togetherFrom, plan.jobs * 2)) / 1000);
    const cpuMicroseconds = ((cpuMsWithChildren(processes) - spent) * 1000) / total;
    const memoryMb = memoryMbWithChildren(processes);
    const bytesATask = (bytesOf(data) - empty) / (2 * total);
    line({ together: total, perSecond: Math.round(together), cpuMicroseconds, memoryMb, bytesATask });

    const picks = await pickUps(ready, plan.picks);
    const pickUpP99 = quantile(picks, 0.99);
    line({
      pickUps: picks.length,
      p50Ms: quantile(picks, 0.5),
      p99Ms: pickUpP99,
      meanMs: round(picks.reduce((sum, ms) => sum + ms, 0) / picks.length),
    });
    return { drain, together, pickUpP99, cpuMicroseconds, memoryMb, bytesATask };
  } finally {
    worker?.kill('SIGTERM');
    if (worker) await ended(worker);
    await master.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function submitAll(ready: ReadyLine, plan: { jobs: number; inputs: number }): Promise<void> {
  const inputs = Array.from({ length: plan.inputs }, (_, n) => ({ n }));
  for (let i = 0; i < plan.jobs; i++)
    await api(ready).call('jobs.create', { body: { workflowId: 'noop', environment: 'dev', inputs } });
}

/** Waits for the worker; the time by the master's clock at which it came. */
async function registered(ready: ReadyLine): Promise<number> {
  for (;;) {
    const { items } = await api(ready).call('workers.list', { query: { state: ['Operational', 'Maxed'] } });
    if (items[0]) return Date.parse(items[0].registeredAt);
    await sleep(5);
  }
}

/** Milliseconds from `from` to the end of the last of the `jobs` jobs so far, by the master's clock. */
async function allFinished(ready: ReadyLine, from: number, jobs: number): Promise<number> {
  for (;;) {
    const { totalItems } = await api(ready).call('jobs.list', { query: { status: 'COMPLETED', size: 1 } });
    if (totalItems >= jobs) break;
    await sleep(20);
  }
  const { items } = await api(ready).call('jobs.list', { query: { size: Math.min(jobs, 500) } });
  return Math.max(...items.map((job) => Date.parse(job.finishedAt as string))) - from;
}

/** Times in ms from READY to RUNNING of tasks that come one at a time, sorted. */
async function pickUps(ready: ReadyLine, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const { jobId } = await api(ready).call('jobs.create', {
      body: { workflowId: 'noop', environment: 'dev', inputs: [{ i }] },
    });
    let task: Task | undefined;
    while (task?.state !== 'COMPLETED') {
      await sleep(2);
      task = (await api(ready).call('tasks.list', { params: { jobId } })).items[0];
    }
    times.push(Date.parse(task.startedAt as string) - Date.parse(task.readyAt));
  }
  return times.toSorted((a, b) => a - b);
}
