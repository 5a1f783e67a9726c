import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../scripts/lib/postgres.mjs';
import type { ReadyLine } from '../src/contract/process.ts';
import { pathTo } from '../src/lib/api-client.ts';
import { requestText, startLoader, type Loader } from './lib/load.ts';
import { api, createKey, gauge, publishChain } from './lib/master-api.ts';
import { startMaster, type Started } from './lib/processes.ts';
import { cpuMs } from './lib/processor-time.ts';
import { line, mean, median, opening, round, summary } from './lib/report.ts';

/**
 * What the journal in PostgreSQL costs, and how long nobody answers when the owner is killed: a single master with
 * durability `full`, the owner of a cluster of two, and its standby, which forwards, take short turns on the same machine. PostgreSQL
 * shares its processors with them.
 */
const quick = process.argv.includes('--quick');
const plan = quick
  ? { connections: [1, 50], turns: 1, warmup: 0.1, seconds: 0.2, kills: 1 }
  : { connections: [1, 50], turns: 6, warmup: 0.3, seconds: 2, kills: 5 };
const BODY = '[{"content":"hello"}]';
const EXPECTED = '["HELLO!"]';
const CAPACITY = 32;
const FIRST_ANSWER_MS = 30_000;

opening('cluster', quick, ['better-sqlite3', 'pg']);
const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
chmodSync(folder, 0o711);
const postgres = await startPostgres({ folder, durable: true, remove: true });
const store = { url: postgres.url, secretsKey: randomBytes(32).toString('base64') };
const loader = startLoader();
const single = await startMaster({ workers: 2, capacity: CAPACITY, durability: 'full' });
const join2 = () => startMaster({ workers: 1, capacity: CAPACITY, durability: 'full', store });
let masters = [await join2()];
masters.push(await join2());
try {
  await publish(single.ready);
  if (masters[0]) await publish(masters[0].ready);
  process.exitCode = await measure();
} finally {
  loader.stop();
  await Promise.all([single, ...masters].map((one) => one.stop()));
  await postgres.stop();
}

function publish(ready: ReadyLine): Promise<void> {
  const input = { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] };
  return publishChain(ready, 'upper', input, [
    { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
    { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
  ]);
}

async function measure(): Promise<0 | 1> {
  const [owner, standby] = masters as [Started<ReadyLine>, Started<ReadyLine>];
  const key = await createKey(owner.ready);
  const systems = {
    single: { ready: single.ready, key: await createKey(single.ready) },
    owner: { ready: owner.ready, key },
    standby: { ready: standby.ready, key },
  };
  const rates = new Map<string, number[]>();
  const p50s = new Map<string, number[]>();
  for (let turn = 1; turn <= plan.turns; turn++)
    for (const connections of plan.connections)
      for (const [system, { ready, key: apiKey }] of Object.entries(systems)) {
        const { requestsPerSecond, p50Ms, p99Ms } = await load(loader, ready, apiKey, connections);
        const name = `${system} ${connections}`;
        rates.set(name, [...(rates.get(name) ?? []), requestsPerSecond]);
        p50s.set(name, [...(p50s.get(name) ?? []), p50Ms]);
        line({
          turn,
          system,
          connections,
          requestsPerSecond: Math.round(requestsPerSecond),
          p50Ms: round(p50Ms),
          p99Ms: round(p99Ms),
        });
      }
  const loopDelayOf = async (ready: ReadyLine) =>
    (await gauge(ready, 'yardmaster_event_loop_delay_p99_seconds')) * 1000;
  const loopDelayMs = await loopDelayOf(owner.ready);
  // What of it is the journal, and what the machine, which all of them share.
  const singleLoopDelayMs = await loopDelayOf(single.ready);
  const lagMs = Math.max(...(await api(owner.ready).call('cluster.get')).masters.map((master) => master.lagMs));
  line({ loopDelayP99Ms: round(loopDelayMs), singleLoopDelayP99Ms: round(singleLoopDelayMs), lagMs });

  const lists = new Map<string, number[]>();
  for (let turn = 1; turn <= plan.turns; turn++)
    for (const [system, { ready }] of Object.entries({ owner, standby })) {
      const { perSecond, ownerMs } = await readLists(ready, owner.ready.pid);
      lists.set(system, [...(lists.get(system) ?? []), ownerMs]);
      line({ turn, listsAt: system, perSecond: Math.round(perSecond), ownerCpuMsEach: round(ownerMs) });
    }

  const gaps: number[] = [];
  for (let kill = 1; kill <= plan.kills; kill++) {
    gaps.push(await killOwner(key));
    line({ kill, firstAnswerMs: Math.round(gaps.at(-1) ?? 0) });
  }
  const rate = (name: string) => mean(rates.get(name) ?? []);
  const p50 = (name: string) => median(p50s.get(name) ?? []);
  return summary([
    {
      name: 'rate of the owner at 50 connections, share of a single master',
      value: rate('owner 50') / rate('single 50'),
      target: 0.6,
      wanted: 'at least',
    },
    {
      name: 'rate through a standby at 50 connections, share of the owner',
      value: rate('standby 50') / rate('owner 50'),
      target: 0.4,
      wanted: 'at least',
    },
    {
      name: 'p50 at one connection above that of a single master, ms',
      value: p50('owner 1') - p50('single 1'),
      target: 2,
      wanted: 'at most',
    },
    {
      name: 'processor time of the owner for a list through a standby, share of that of its own',
      value: median(lists.get('standby') ?? []) / median(lists.get('owner') ?? []),
      target: 0.5,
      wanted: 'at most',
    },
    { name: 'event loop delay p99 of the owner, ms', value: loopDelayMs, target: 10, wanted: 'at most' },
    {
      name: 'first answer after the owner was killed, median, ms',
      value: median(gaps),
      target: 2000,
      wanted: 'at most',
    },
  ]);
}

async function load(by: Loader, { ports }: ReadyLine, apiKey: string, connections: number) {
  const path = pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } });
  const result = await by.run({
    port: ports.master,
    request: requestText('POST', path, { 'api-key': apiKey }, BODY),
    expected: EXPECTED,
    connections,
    warmupSeconds: plan.warmup,
    seconds: plan.seconds,
  });
  if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, the first: ${result.firstWrong}`);
  return result;
}

/** Asks for a hundred jobs again and again; `ownerMs`: processor time that each took of the owner. */
async function readLists({ url }: ReadyLine, owner: number) {
  const headers = { authorization: `Bearer ${masters[0]?.ready.token}` };
  const before = cpuMs(owner);
  const since = performance.now();
  let count = 0;
  const askAgain = async (): Promise<void> => {
    while (performance.now() - since < plan.seconds * 1000) {
      const answer = await fetch(`${url}${pathTo('jobs.list', { query: { size: 100 } })}`, { headers });
      if (!answer.ok) throw new Error(`a list of jobs was answered ${answer.status}`);
      await answer.arrayBuffer();
      count++;
    }
  };
  await Promise.all(Array.from({ length: 8 }, askAgain));
  return { perSecond: (count * 1000) / (performance.now() - since), ownerMs: (cpuMs(owner) - before) / count };
}

/** Kills the owner, calls the other until it answers, and starts a new standby. */
async function killOwner(key: string): Promise<number> {
  const [owner, next] = masters as [Started<ReadyLine>, Started<ReadyLine>];
  const killedAt = performance.now();
  await owner.kill();
  const url = `${next.ready.url}${pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } })}`;
  for (;;) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      body: BODY,
    }).catch(() => null);
    const text = await answer?.text();
    if (text === EXPECTED) break;
    if (performance.now() - killedAt > FIRST_ANSWER_MS)
      throw new Error(`no answer after the owner was killed: ${text}`);
    await delay(10);
  }
  const gap = performance.now() - killedAt;
  await owner.stop();
  masters = [next, await join2()];
  // It has all of the journal before the next kill: that one is to find a standby.
  const { call } = api(next.ready);
  const joined = masters[1]?.ready.url;
  while (!(await call('cluster.get')).masters.some((one) => one.url === joined && one.role === 'standby'))
    await delay(50);
  return gap;
}
