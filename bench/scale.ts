import { pathTo } from '../src/lib/api-client.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLoader, requestText } from './lib/load.ts';
import { createKey, gauge, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, round, summary } from './lib/report.ts';
import { seedJobs } from './lib/seed-jobs.ts';

/**
 * What a full database costs the walk of an event: a master with a million jobs beside an empty one, in turns. Then a
 * million events into the empty one, and the memory that it has afterwards.
 */
const quick = process.argv.includes('--quick');
const plan = quick
  ? { jobs: 1000, rounds: 1, warmup: 0.1, seconds: 0.2, events: 100 }
  : { jobs: 1_000_000, rounds: 4, warmup: 1, seconds: 5, events: 1_000_000 };
const CONNECTIONS = quick ? 5 : 50;

opening('scale', quick, ['better-sqlite3', 'fastify']);
const data = mkdtempSync(join(tmpdir(), 'bench-scale-'));
const loader = startLoader();
try {
  await (await startMaster({ workers: 0, durability: 'normal', data })).stop();
  line({ seeded: seedJobs(data, plan.jobs, Date.now()).jobs });
  const full = await open(data);
  const empty = await open(undefined);
  try {
    const rates = { full: [] as number[], empty: [] as number[] };
    for (let number = 1; number <= plan.rounds; number++) {
      for (const [name, master] of [
        ['full', full],
        ['empty', empty],
      ] as const) {
        const { requestsPerSecond, p99Ms } = await run(master, plan.seconds);
        rates[name].push(requestsPerSecond);
        line({ round: number, master: name, requestsPerSecond: Math.round(requestsPerSecond), p99Ms: round(p99Ms) });
      }
    }
    await full.stop();
    let sent = 0;
    while (sent < plan.events) sent += (await run(empty, quick ? 0.2 : 20)).requests;
    const memoryMiB = (await gauge(empty.ready, 'yardmaster_memory_bytes')) / 2 ** 20;
    line({ events: sent, memoryMiB: Math.round(memoryMiB) });
    process.exitCode = summary([
      {
        name: 'rate with the full database, share of that with an empty one',
        value: median(rates.full) / median(rates.empty),
        target: 0.9,
        wanted: 'at least',
      },
      { name: 'memory of the master after the events, MiB', value: memoryMiB, target: 286, wanted: 'at most' },
    ]);
  } finally {
    await Promise.all([full.stop(), empty.stop()]);
  }
} finally {
  loader.stop();
  rmSync(data, { recursive: true, force: true });
}

async function open(folder: string | undefined) {
  const master = await startMaster({
    workers: quick ? 1 : 2,
    capacity: 32,
    durability: 'normal',
    ...(folder === undefined ? {} : { data: folder }),
  });
  await publishChain(
    master.ready,
    'upper',
    { type: 'object', properties: { content: { type: 'string', maxLength: 1000 } }, required: ['content'] },
    [
      { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
      { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
    ],
  );
  return { ...master, key: await createKey(master.ready) };
}

async function run({ ready, key }: Awaited<ReturnType<typeof open>>, seconds: number) {
  const request = requestText(
    'POST',
    pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } }),
    { 'api-key': key },
    '[{"content":"hello"}]',
  );
  const result = await loader.run({
    port: ready.ports.master,
    request,
    expected: '["HELLO!"]',
    connections: CONNECTIONS,
    warmupSeconds: plan.warmup,
    seconds,
  });
  if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, the first: ${result.firstWrong}`);
  return result;
}
