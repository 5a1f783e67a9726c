import { compare, leaveOut } from '../lib/comparison.ts';
import { bytesOf } from '../lib/disk.ts';
import { measureOwnTasks, type TaskFigures } from '../lib/own-tasks.ts';
import { cpuMsWithChildren, memoryMbWithChildren } from '../lib/processor-time.ts';
import { line, opening, quantile, summary, type Target } from '../lib/report.ts';
import { bullmq } from './bullmq.ts';
import { graphileWorker } from './graphile.ts';
import { now, type Peer } from './peer.ts';
import { pgBoss } from './pg-boss.ts';

/**
 * The job queues that people would pick instead: no-op jobs, one worker process at a concurrency of 10, every write on
 * the disk before it is acknowledged.
 */
const quick = process.argv.includes('--quick');
const plan = quick ? { jobs: 2, inputs: 100, picks: 10 } : { jobs: 20, inputs: 1000, picks: 300 };
const total = plan.jobs * plan.inputs;

opening('peers/tasks', quick, ['better-sqlite3', 'ws']);
line({ system: 'Yardmaster, durability full' });
const own = await measureOwnTasks(plan);
const targets: Target[] = [];
for (const { name, open } of [graphileWorker, pgBoss, bullmq]) {
  line({ system: name });
  const peer = await open();
  if ('missing' in peer) {
    leaveOut(name, peer.missing);
    continue;
  }
  const theirs = await measure(peer);
  const rows = [
    ['tasks drained a second', 'drain', 1, 'at least'],
    ['tasks submitted and drained together, a second', 'together', 1, 'at least'],
    ['start of a task on an idle worker, p99 ms', 'pickUpP99', 1, 'at most'],
    ['µs of the processor a task, submitted and drained', 'cpuMicroseconds', undefined, 'at most'],
    ['memory after the tasks, MB', 'memoryMb', undefined, 'at most'],
    ['bytes on disk a task', 'bytesATask', undefined, 'at most'],
  ] as const;
  for (const [work, figure, target, wanted] of rows)
    targets.push(
      ...compare({
        work,
        peer: name,
        ours: own[figure],
        theirs: theirs[figure],
        ...(target === undefined ? {} : { target }),
        wanted,
      }),
    );
}
process.exitCode = summary(targets);

async function measure(peer: Peer): Promise<TaskFigures> {
  try {
    const empty = bytesOf(peer.server.folder);
    const submitFrom = now();
    await peer.submit(total);
    line({ submitted: total, perSecond: Math.round(total / ((now() - submitFrom) / 1000)) });
    const drainFrom = now();
    const worker = await peer.startWorker();
    const startMs = now() - drainFrom;
    const drain = total / (((await worker.finished(total)) - drainFrom - startMs) / 1000);
    line({ drained: total, perSecond: Math.round(drain) });
    const processes = [peer.server.pid, worker.pid];
    const spent = cpuMsWithChildren(processes);
    const togetherFrom = now();
    await peer.submit(total);
    const together = total / (((await worker.finished(total * 2)) - togetherFrom) / 1000);
    const cpuMicroseconds = ((cpuMsWithChildren(processes) - spent) * 1000) / total;
    const memoryMb = memoryMbWithChildren(processes);
    const bytesATask = (bytesOf(peer.server.folder) - empty) / (2 * total);
    line({ together: total, perSecond: Math.round(together), cpuMicroseconds, memoryMb, bytesATask });
    const picks: number[] = [];
    for (let i = 0; i < plan.picks; i++) picks.push(await peer.pickUp());
    const sorted = picks.toSorted((a, b) => a - b);
    const pickUpP99 = quantile(sorted, 0.99);
    line({ pickUps: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: pickUpP99 });
    await worker.stop();
    return { drain, together, pickUpP99, cpuMicroseconds, memoryMb, bytesATask };
  } finally {
    await peer.close();
  }
}
