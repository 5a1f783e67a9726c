import type { Answer } from '../src/contract/routes.ts';
import { pathTo } from '../src/lib/api-client.ts';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOB_SORTS } from '../src/contract/vocabulary.ts';
import { loopProbe } from './lib/held.ts';
import { api, exposition } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, opening, quantile, round, summary } from './lib/report.ts';
import { seedJobs } from './lib/seed-jobs.ts';

/**
 * Lists over a million jobs: every filter of the console with every sort, at the first, a middle and the last page; the
 * tasks of a job of 100,000; searches. How long each takes a client, and the longest that any held the event loop.
 */
const quick = process.argv.includes('--quick');
const JOBS = quick ? 1500 : 1_000_000;

opening('lists', quick, ['better-sqlite3']);
const data = mkdtempSync(join(tmpdir(), 'bench-lists-'));
const probe = loopProbe(data);
try {
  // The first start makes the schema.
  await (await startMaster({ workers: 0, durability: 'normal', data })).stop();
  const seedFrom = performance.now();
  const seeded = seedJobs(data, JOBS, Date.now());
  line({
    seeded: seeded.jobs,
    tasks: seeded.tasks,
    seconds: round((performance.now() - seedFrom) / 1000),
    megabytes: Math.round(statSync(join(data, 'yardmaster.db')).size / 2 ** 20),
  });

  const startFrom = performance.now();
  const master = await startMaster({ workers: 0, durability: 'normal', data, nodeArguments: probe.nodeArguments });
  line({ startMs: round(performance.now() - startFrom) });
  try {
    const { ready } = master;
    const searchFrom = performance.now();
    await indexed();
    line({
      indexed: JOBS,
      seconds: round((performance.now() - searchFrom) / 1000),
      indexMegabytes: Math.round(statSync(join(data, 'search.db')).size / 2 ** 20),
    });

    const first: number[] = [];
    const deep: number[] = [];
    let loop = 0;
    await api(ready).call('jobs.list', { query: { createdFrom: '2020-01-01T00:00:00Z', status: 'FAILED' } });
    for (const [i, [name, filter]] of filters(seeded.from).entries()) {
      // A short run has each filter and each sort, not each with each.
      for (const field of quick ? JOB_SORTS.filter((_, j) => j === i % JOB_SORTS.length) : JOB_SORTS) {
        for (const direction of quick ? ['desc'] : ['asc', 'desc']) {
          const base = `${pathTo('jobs.list')}?${filter}&sort=${field},${direction}&size=50`;
          await probe.longest(ready.pid);
          const top = await timed(`${base}&page=0`);
          const { totalPages } = top.answer;
          const times = {
            first: top.ms,
            middle: (await timed(`${base}&page=${Math.floor(totalPages / 2)}`)).ms,
            last: (await timed(`${base}&page=${Math.max(0, totalPages - 1)}`)).ms,
          };
          const held = (await probe.longest(ready.pid)).cpuMs;
          loop = Math.max(loop, held);
          first.push(times.first);
          deep.push(times.middle, times.last);
          line({
            filter: name,
            sort: `${field},${direction}`,
            totalItems: top.answer.totalItems,
            firstMs: round(times.first),
            middleMs: round(times.middle),
            lastMs: round(times.last),
            loopMs: round(held),
          });
        }
      }
    }
    const tasks = await others(
      'tasks of a large job',
      ['', '&sort=readyAt,desc', '&sort=node,asc&page=1000', '&state=COMPLETED&page=1500', '&node=first'].map(
        (rest) => `${pathTo('tasks.list', { params: { jobId: seeded.largeJobId } })}?size=50${rest}`,
      ),
    );
    const searches = await others(
      'search',
      [
        'input=customer.id=77',
        'input=customer.id=77&input=customer.country=FR',
        'label=team=t0',
        'input=customer.country=DE',
        'text=fr',
        'input=customer.id=77&sort=durationMs,desc',
      ].map((rest) => `${pathTo('jobs.list')}?size=50&${rest}`),
    );

    const sorted = (times: number[]) => times.toSorted((a, b) => a - b);
    process.exitCode = summary([
      {
        name: 'longest that a list held the event loop, ms',
        value: Math.max(loop, tasks.loop, searches.loop),
        target: 50,
        wanted: 'at most',
      },
      { name: 'first pages p95, ms', value: quantile(sorted(first), 0.95), target: 50, wanted: 'at most' },
      { name: 'first pages max, ms', value: Math.max(...first), target: 250, wanted: 'at most' },
      { name: 'middle and last pages p95, ms', value: quantile(sorted(deep), 0.95), target: 250, wanted: 'at most' },
      { name: 'tasks of a job of 100,000, max, ms', value: tasks.max, target: 200, wanted: 'at most' },
      { name: 'search of one field, ms', value: searches.times[0] as number, target: 50, wanted: 'at most' },
    ]);

    async function timed(path: string): Promise<{ ms: number; answer: Answer<'jobs.list'> }> {
      const from = performance.now();
      const response = await fetch(ready.url + path, { headers: { authorization: `Bearer ${ready.token}` } });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      // The paths are those of lists alone.
      const answer = (await response.json()) as Answer<'jobs.list'>;
      return { ms: performance.now() - from, answer };
    }

    async function others(what: string, paths: readonly string[]) {
      const times: number[] = [];
      let loop = 0;
      await probe.longest(ready.pid);
      for (const path of paths) {
        const { ms, answer } = await timed(path);
        const held = (await probe.longest(ready.pid)).cpuMs;
        times.push(ms);
        loop = Math.max(loop, held);
        line({ [what]: path.split('?')[1], totalItems: answer.totalItems, ms: round(ms), loopMs: round(held) });
      }
      return { times, max: Math.max(...times), loop };
    }

    /** Waits until the index of the search knows all. */
    async function indexed(): Promise<void> {
      for (;;) {
        const text = await exposition(ready);
        if (/^yardmaster_search_behind_jobs 0$/m.test(text)) return;
        await sleep(250);
      }
    }
  } finally {
    await master.stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

function filters(from: number): [string, string][] {
  const time = (share: number) => new Date(from + share * JOBS * 1000).toISOString();
  return [
    ['none', ''],
    ['status FAILED', 'status=FAILED'],
    ['status COMPLETED', 'status=COMPLETED'],
    ['all that failed', 'status=FAILED&status=TIMEOUT&status=MIXED&status=PARTIAL_FAILURE'],
    ['half of the jobs', 'workflowId=main'],
    ['a rare workflow', 'workflowId=rare'],
    ['environment', 'environment=prod'],
    ['workflow, environment and status', 'workflowId=main&environment=prod&status=FAILED'],
    ['the last tenth', `createdFrom=${time(0.9)}`],
    ['a range and a status', `createdFrom=${time(0.2)}&createdTo=${time(0.7)}&status=FAILED`],
    ['external ids that begin so', 'q=order-77'],
    ['an external id', 'externalId=order-77770'],
  ];
}
