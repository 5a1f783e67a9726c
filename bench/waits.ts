import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadyLine } from '../src/contract/process.ts';
import { pathTo } from '../src/lib/api-client.ts';
import { requestText, startLoader } from './lib/load.ts';
import { heapProbe } from './lib/heap.ts';
import { api, createKey, publishChain } from './lib/master-api.ts';
import { startMaster, type Started } from './lib/processes.ts';
import { cpuMs } from './lib/processor-time.ts';
import { line, opening, round, summary } from './lib/report.ts';

/**
 * What jobs cost that wait for a signal, an approval or a time far away: calls of a master that has none and of one that has
 * many, in turns so short that what else the machine does hits both alike; the processor time of each call, which others
 * hardly lengthen; and the heap of both after a restart.
 */
const quick = process.argv.includes('--quick');
const WAITS = quick ? 60 : 100_000;
const plan = quick
  ? { turns: 1, warmup: 0.1, seconds: 0.25, settleMs: 0 }
  : { turns: 150, warmup: 0.1, seconds: 0.5, settleMs: 20_000 };
const CONNECTIONS = 50;
/** Jobs that are made at once. */
const SENDERS = 32;
const BODY = '[{"content":"hello"}]';
const EXPECTED = '["HELLO!"]';
const YEAR_SECONDS = 364 * 86_400;
const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'for-signal': { for: 'signal', name: 'go' },
  'for-approval': { for: 'approval', title: 'Go on?' },
  'for-time': { for: 'time', seconds: YEAR_SECONDS },
};

interface Sum {
  requests: number;
  cpuMs: number;
  seconds: number;
}
const NOTHING: Sum = { requests: 0, cpuMs: 0, seconds: 0 };

interface Prepared extends Started<ReadyLine> {
  heapBytes(): Promise<number>;
}

opening('waits', quick, ['better-sqlite3', 'fastify', 'ws']);
const root = mkdtempSync(join(tmpdir(), 'bench-waits-'));
const loader = startLoader();
let none: Prepared | null = null;
let many: Prepared | null = null;
try {
  none = await prepare('none', 0);
  many = await prepare('many', WAITS);
  process.exitCode = await measure({ none, many });
} finally {
  loader.stop();
  await Promise.all([none?.stop(), many?.stop()]);
  rmSync(root, { recursive: true, force: true });
}

/** A master with so many waiting jobs, started anew: nothing of their making is left in its memory. */
async function prepare(name: string, waits: number): Promise<Prepared> {
  const probe = heapProbe(join(root, `${name}-heap`));
  const start = () =>
    startMaster({ ...probe, workers: quick ? 1 : 2, capacity: 32, durability: 'normal', data: join(root, name) });
  const first = await start();
  await publishChain(first.ready, 'upper', { type: 'object', required: ['content'] }, [
    { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
    { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
  ]);
  for (const [id, config] of Object.entries(KINDS))
    await publishChain(first.ready, id, undefined, [{ id: 'hold', type: 'wait', config }]);
  const from = performance.now();
  await makeWaits(first.ready, waits);
  if (waits > 0) line({ waits, seconds: round((performance.now() - from) / 1000) });
  await first.stop();
  const startFrom = performance.now();
  const master = await start();
  const startMs = performance.now() - startFrom;
  await sleep(plan.settleMs);
  const heapBytes = () => probe.used(master.ready.pid);
  line({ system: name, startMs: round(startMs), heapBytes: await heapBytes() });
  return { ...master, heapBytes };
}

async function makeWaits(ready: ReadyLine, waits: number): Promise<void> {
  const { call } = api(ready);
  const kinds = Object.keys(KINDS);
  let next = 0;
  const send = async () => {
    while (next < waits) {
      const n = next++;
      const workflowId = kinds[n % kinds.length] ?? '';
      await call('jobs.create', { body: { workflowId, environment: 'dev', inputs: [{ n }] } });
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  while ((await call('waits.list', { query: { size: 1 } })).totalItems < waits) await sleep(100);
}

async function measure(systems: Readonly<Record<'none' | 'many', Prepared>>): Promise<0 | 1> {
  const names = ['none', 'many'] as const;
  const keys = { none: await createKey(systems.none.ready), many: await createKey(systems.many.ready) };
  const sums: Record<'none' | 'many', Sum> = { none: { ...NOTHING }, many: { ...NOTHING } };
  const heaps = { none: 0, many: 0 };
  for (const name of names) heaps[name] = await systems[name].heapBytes();
  for (let turn = 1; turn <= plan.turns; turn++) {
    // Each of them is the first in every other turn.
    for (const name of turn % 2 === 1 ? names : names.toReversed()) {
      const { ports, pid } = systems[name].ready;
      const path = pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } });
      const order = {
        port: ports.master,
        request: requestText('POST', path, { 'api-key': keys[name] }, BODY),
        expected: EXPECTED,
        connections: CONNECTIONS,
      };
      await loader.run({ ...order, warmupSeconds: plan.warmup, seconds: plan.warmup });
      const before = cpuMs(pid);
      const { requestsPerSecond, requests, wrong, firstWrong } = await loader.run({
        ...order,
        warmupSeconds: 0,
        seconds: plan.seconds,
      });
      if (wrong > 0) throw new Error(`${name}: ${wrong} wrong answers, the first: ${firstWrong}`);
      const sum = sums[name];
      sum.cpuMs += cpuMs(pid) - before;
      sum.requests += requests;
      sum.seconds += requests / requestsPerSecond;
    }
  }
  const rateOf = ({ requests, seconds }: Sum) => requests / seconds;
  const costOf = ({ requests, cpuMs: spent }: Sum) => spent / requests;
  for (const name of names)
    line({
      ...{ system: name, requests: sums[name].requests, requestsPerSecond: Math.round(rateOf(sums[name])) },
      cpuMsEach: round(costOf(sums[name])),
      heapBytes: await systems[name].heapBytes(),
    });
  return summary([
    {
      name: 'rate with waiting jobs, share of that without',
      value: rateOf(sums.many) / rateOf(sums.none),
      target: 0.97,
      wanted: 'at least',
    },
    {
      name: 'processor time of a call with waiting jobs, share of that without',
      value: costOf(sums.many) / costOf(sums.none),
      target: 1.03,
      wanted: 'at most',
    },
    {
      name: 'heap for each waiting job, bytes',
      value: (heaps.many - heaps.none) / WAITS,
      target: 100,
      wanted: 'at most',
    },
  ]);
}
