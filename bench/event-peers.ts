import { pathTo } from '../src/lib/api-client.ts';
import { requestText, startLoader } from './lib/load.ts';
import { createKey, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, mean, opening, round, summary, type Target } from './lib/report.ts';
import { NODE_RED_PATH, startNodeRed } from './peers/node-red.ts';

/**
 * Calls of an event as `npm start` runs it (two workers of eight slots, each job on the disk before it is answered) in turns with the
 * same two steps in Node-RED, which keeps nothing. Without Node-RED (`npm install --prefix bench/peers`) ours alone.
 */
const quick = process.argv.includes('--quick');
const plan = quick
  ? { connections: [10], turns: 1, warmup: 0.1, seconds: 0.2 }
  : { connections: [1, 10, 50], turns: 6, warmup: 0.3, seconds: 2 };
/** Shares of Node-RED's rate that are aimed at. */
const SHARE: Readonly<Record<number, number>> = { 1: 0.45, 10: 0.7, 50: 0.85 };

interface Figures {
  readonly rates: number[];
  readonly p50s: number[];
  readonly p99s: number[];
}

opening('event-peers', quick, ['better-sqlite3']);
const loader = startLoader();
const nodeRed = await startNodeRed();
if (nodeRed === null) line({ system: 'Node-RED', missing: 'npm install --prefix bench/peers' });
const master = await startMaster({ workers: 2, capacity: 8, durability: 'full' });
try {
  await publishChain(master.ready, 'upper', undefined, [
    { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
    { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
  ]);
  const body = '[{"content":"hello"}]';
  const path = pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } });
  const systems = [
    {
      name: 'Yardmaster',
      port: master.ready.ports.master,
      request: requestText('POST', path, { 'api-key': await createKey(master.ready) }, body),
    },
    ...(nodeRed === null
      ? []
      : [{ name: 'Node-RED', port: nodeRed.port, request: requestText('POST', NODE_RED_PATH, {}, body) }]),
  ];
  const targets: Target[] = [];
  for (const connections of plan.connections) {
    const found = new Map<string, Figures>(systems.map(({ name }) => [name, { rates: [], p50s: [], p99s: [] }]));
    for (let turn = 0; turn < plan.turns; turn++)
      for (const { name, port, request } of turn % 2 === 0 ? systems : systems.toReversed()) {
        const { requestsPerSecond, p50Ms, p99Ms, wrong, firstWrong } = await loader.run({
          port,
          request,
          expected: '["HELLO!"]',
          connections,
          warmupSeconds: plan.warmup,
          seconds: plan.seconds,
        });
        if (wrong > 0) throw new Error(`${name}: ${wrong} wrong answers, the first: ${firstWrong}`);
        const figures = found.get(name) as Figures;
        figures.rates.push(requestsPerSecond);
        figures.p50s.push(p50Ms);
        figures.p99s.push(p99Ms);
      }
    const means = systems.map(({ name }) => {
      const { rates, p50s, p99s } = found.get(name) as Figures;
      return {
        system: name,
        connections,
        perSecond: round(mean(rates)),
        p50Ms: round(mean(p50s)),
        p99Ms: round(mean(p99s)),
      };
    });
    for (const one of means) line(one);
    const [own, peer] = means;
    if (own)
      targets.push({
        name: `rate at ${connections} connections, share of Node-RED's`,
        value: peer ? own.perSecond / peer.perSecond : 1,
        target: SHARE[connections] ?? 0,
        wanted: 'at least',
      });
  }
  process.exitCode = summary(targets);
} finally {
  loader.stop();
  await Promise.all([master.stop(), nodeRed?.stop()]);
}
