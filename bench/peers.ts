import { measureOwnTasks, type TaskFigures } from './lib/own-tasks.ts';
import { line, opening, quantile, summary, type Target } from './lib/report.ts';
import { bullmq } from './peers/bullmq.ts';
import { graphileWorker } from './peers/graphile.ts';
import { now, type Peer } from './peers/peer.ts';
import { pgBoss } from './peers/pg-boss.ts';

/**
 * The job queues that people would pick instead, in the same run on the same machine: no-op jobs, one worker process at
 * a concurrency of 10, every write on the disk before it is acknowledged. What is not installed is named and left out;
 * `--only=graphile-worker` measures beside that one alone.
 */
const quick = process.argv.includes('--quick');
const plan = quick ? { jobs: 2, inputs: 100, picks: 10 } : { jobs: 20, inputs: 1000, picks: 300 };
const only = process.argv.find((one) => one.startsWith('--only='))?.slice('--only='.length);
const total = plan.jobs * plan.inputs;

opening('peers', quick, ['better-sqlite3', 'ws']);
line({ system: 'Yardmaster, durability full' });
const own = await measureOwnTasks(plan);
const targets: Target[] = [];
for (const { name, open } of [bullmq, pgBoss, graphileWorker]) {
  if (only !== undefined && !name.startsWith(only)) continue;
  line({ system: name });
  const peer = await open();
  if ('missing' in peer) {
    line({ system: name, missing: peer.missing });
    continue;
  }
  const theirs = await measure(peer);
  targets.push(
    { name: `drained a second, against ${name}`, value: own.drain, target: theirs.drain, wanted: 'at least' },
    {
      name: `taken in and drained together a second, against ${name}`,
      value: own.together,
      target: theirs.together,
      wanted: 'at least',
    },
    {
      name: `pick-up when idle p99 in ms, against ${name}`,
      value: own.pickUpP99,
      target: theirs.pickUpP99,
      wanted: 'at most',
    },
  );
}
process.exitCode = summary(targets);

async function measure(peer: Peer): Promise<TaskFigures> {
  try {
    const submitFrom = now();
    await peer.submit(total);
    line({ submitted: total, perSecond: Math.round(total / ((now() - submitFrom) / 1000)) });
    const drainFrom = now();
    const worker = await peer.startWorker();
    const startMs = now() - drainFrom;
    const drain = total / (((await worker.finished(total)) - drainFrom - startMs) / 1000);
    line({ drained: total, perSecond: Math.round(drain) });
    const togetherFrom = now();
    await peer.submit(total);
    const together = total / (((await worker.finished(total * 2)) - togetherFrom) / 1000);
    line({ together: total, perSecond: Math.round(together) });
    const picks: number[] = [];
    for (let i = 0; i < plan.picks; i++) picks.push(await peer.pickUp());
    const sorted = picks.toSorted((a, b) => a - b);
    line({ pickUps: sorted.length, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) });
    await worker.stop();
    return { drain, together, pickUpP99: quantile(sorted, 0.99) };
  } finally {
    await peer.close();
  }
}
