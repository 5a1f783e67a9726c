import { pathTo } from '../src/lib/api-client.ts';
import { startLoader, requestText, type Loader } from './lib/load.ts';
import { createKey, gauge, publishChain } from './lib/master-api.ts';
import { startFloor, startMaster } from './lib/processes.ts';
import { line, mean, median, opening, round, summary } from './lib/report.ts';

/**
 * The whole walk of an event over HTTP: key, schema check, job, two tasks on a worker process, output. Against it the
 * floor (bench/floor) in the same run; both take short turns, so that what else the machine does hits both alike.
 */
const quick = process.argv.includes('--quick');
const plan = quick
  ? { connections: [1, 50], turns: 1, warmup: 0.1, seconds: 0.2, soak: 0.2 }
  : { connections: [1, 10, 50], turns: 8, warmup: 0.3, seconds: 2, soak: 15 };
const BODY = '[{"content":"hello"}]';
const EXPECTED = '["HELLO!"]';

opening('events', quick, ['better-sqlite3', 'fastify', 'ws']);
const loader = startLoader();
const floor = await startFloor('normal');
// Slots for all callers, as the floor has no limit: what is measured is the walk, not the wait for a slot.
const CAPACITY = 32;
const master = await startMaster({ workers: quick ? 1 : 2, capacity: CAPACITY, durability: 'normal' });
try {
  await publishChain(
    master.ready,
    'upper',
    { type: 'object', properties: { content: { type: 'string', maxLength: 1000 } }, required: ['content'] },
    [
      { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
      { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
    ],
  );
  const systems = {
    floor: { port: floor.ready.port, key: 'ym_floor' },
    yardmaster: { port: master.ready.ports.master, key: await createKey(master.ready) },
  };
  process.exitCode = await measure(loader, systems);
} finally {
  loader.stop();
  await Promise.all([floor.stop(), master.stop()]);
}

async function measure(
  loader: Loader,
  systems: Record<'floor' | 'yardmaster', { port: number; key: string }>,
): Promise<0 | 1> {
  const rates = new Map<string, number[]>();
  const p50s = new Map<string, number[]>();
  const run = async (system: 'floor' | 'yardmaster', connections: number, seconds: number) => {
    const { port, key } = systems[system];
    const request = requestText(
      'POST',
      pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } }),
      { 'api-key': key },
      BODY,
    );
    const result = await loader.run({
      port,
      request,
      expected: EXPECTED,
      connections,
      warmupSeconds: plan.warmup,
      seconds,
    });
    if (result.wrong > 0) throw new Error(`${system}: ${result.wrong} wrong answers, the first: ${result.firstWrong}`);
    return result;
  };
  const add = (to: Map<string, number[]>, name: string, value: number) =>
    to.set(name, [...(to.get(name) ?? []), value]);

  for (let turn = 1; turn <= plan.turns; turn++) {
    for (const connections of plan.connections) {
      for (const system of ['floor', 'yardmaster'] as const) {
        const { requestsPerSecond, p50Ms, p99Ms, requests } = await run(system, connections, plan.seconds);
        add(rates, `${system} ${connections}`, requestsPerSecond);
        add(p50s, `${system} ${connections}`, p50Ms);
        line({
          turn,
          system,
          connections,
          requestsPerSecond: Math.round(requestsPerSecond),
          p50Ms: round(p50Ms),
          p99Ms: round(p99Ms),
          requests,
        });
      }
    }
  }
  // The gauge looks back 10 to 20 s: it is read at the end of a load that lasts as long.
  await run('yardmaster', 50, plan.soak);
  const loopDelayMs = (await gauge(master.ready, 'yardmaster_event_loop_delay_p99_seconds')) * 1000;
  const memoryMiB = (await gauge(master.ready, 'yardmaster_memory_bytes')) / 2 ** 20;
  line({ loopDelayP99Ms: round(loopDelayMs), memoryMiB: Math.round(memoryMiB) });

  const rate = (name: string) => mean(rates.get(name) ?? []);
  for (const connections of plan.connections) {
    line({
      mean: true,
      connections,
      floor: Math.round(rate(`floor ${connections}`)),
      yardmaster: Math.round(rate(`yardmaster ${connections}`)),
      ratio: round(rate(`yardmaster ${connections}`) / rate(`floor ${connections}`)),
    });
  }
  return summary([
    {
      name: 'rate at 50 connections, share of the floor',
      value: rate('yardmaster 50') / rate('floor 50'),
      target: 0.5,
      wanted: 'at least',
    },
    { name: 'p50 at one connection, ms', value: median(p50s.get('yardmaster 1') ?? []), target: 2, wanted: 'at most' },
    { name: 'event loop delay p99 of the master, ms', value: loopDelayMs, target: 10, wanted: 'at most' },
  ]);
}
