import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathTo } from '../../src/lib/api-client.ts';
import { compare, leaveOut } from '../lib/comparison.ts';
import { bytesOf } from '../lib/disk.ts';
import { requestText, startLoader } from '../lib/load.ts';
import { createKey, publishChain } from '../lib/master-api.ts';
import { cpuMsWithChildren, memoryMbWithChildren } from '../lib/processor-time.ts';
import { startMaster } from '../lib/processes.ts';
import { line, mean, opening, round, summary, type Target } from '../lib/report.ts';
import { NODE_RED_PATH, startNodeRed } from './node-red.ts';

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
  readonly perSecond: number[];
  readonly p50Ms: number[];
  readonly p99Ms: number[];
  /** Of the processor, of each event. */
  readonly cpuMicroseconds: number[];
}

opening('peers/events', quick, ['better-sqlite3']);
const loader = startLoader();
const nodeRed = await startNodeRed();
if (nodeRed === null) leaveOut('Node-RED', 'npm install --prefix bench/peers');
const data = mkdtempSync(join(tmpdir(), 'bench-'));
const master = await startMaster({ workers: 2, capacity: 8, durability: 'full', data });
const targets: Target[] = [];
try {
  await publishChain(master.ready, 'upper', undefined, [
    { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
    { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
  ]);
  const body = '[{"content":"hello"}]';
  const path = pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } });
  const own = {
    pid: master.pid,
    port: master.ready.ports.master,
    request: requestText('POST', path, { 'api-key': await createKey(master.ready) }, body),
  };
  const peer = nodeRed && { ...nodeRed, request: requestText('POST', NODE_RED_PATH, {}, body) };
  const before = bytesOf(data);
  let events = 0;
  for (const connections of plan.connections) {
    const [ours, theirs] = await inTurns(connections, peer ? [own, peer] : [own]);
    line({ connections, system: 'Yardmaster', ...ours });
    if (!theirs) continue;
    line({ connections, system: 'Node-RED', ...theirs });
    const of = connections === 1 ? 'one connection' : `${connections} connections`;
    const rows = [
      ['events a second', 'perSecond', SHARE[connections], 'at least'],
      ['events, p50 ms', 'p50Ms', undefined, 'at most'],
      ['events, p99 ms', 'p99Ms', connections === 50 ? 1.5 : undefined, 'at most'],
      ['µs of the processor an event', 'cpuMicroseconds', undefined, 'at most'],
    ] as const;
    for (const [work, figure, target, wanted] of rows)
      targets.push(
        ...compare({
          work: `${work}, ${of}`,
          peer: 'Node-RED',
          ours: ours?.[figure] ?? 0,
          theirs: theirs[figure],
          ...(target === undefined ? {} : { target }),
          wanted,
        }),
      );
  }
  line({ system: 'Yardmaster', events, bytesAnEvent: round((bytesOf(data) - before) / events) });
  if (nodeRed)
    compare({
      work: 'memory after the events, MB',
      peer: 'Node-RED',
      ours: memoryMbWithChildren([master.pid]),
      theirs: memoryMbWithChildren([nodeRed.pid]),
      wanted: 'at most',
    });

  /** Each system several times, the order changing. */
  async function inTurns(connections: number, systems: readonly (typeof own)[]) {
    const found = systems.map((): Figures => ({ perSecond: [], p50Ms: [], p99Ms: [], cpuMicroseconds: [] }));
    for (let turn = 0; turn < plan.turns; turn++) {
      const order = systems.map((system, i) => ({ ...system, figures: found[i] as Figures }));
      for (const { pid, port, request, figures } of turn % 2 === 0 ? order : order.toReversed()) {
        const spent = cpuMsWithChildren([pid]);
        const result = await loader.run({
          port,
          request,
          expected: '["HELLO!"]',
          connections,
          warmupSeconds: plan.warmup,
          seconds: plan.seconds,
        });
        if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers, the first: ${result.firstWrong}`);
        // The warm-up calls at the same rate.
        const calls = result.requestsPerSecond * (plan.seconds + plan.warmup);
        if (pid === master.pid) events += calls;
        figures.perSecond.push(result.requestsPerSecond);
        figures.p50Ms.push(result.p50Ms);
        figures.p99Ms.push(result.p99Ms);
        figures.cpuMicroseconds.push(((cpuMsWithChildren([pid]) - spent) * 1000) / calls);
      }
    }
    return found.map(({ perSecond, p50Ms, p99Ms, cpuMicroseconds }) => ({
      perSecond: round(mean(perSecond)),
      p50Ms: round(mean(p50Ms)),
      p99Ms: round(mean(p99Ms)),
      cpuMicroseconds: round(mean(cpuMicroseconds)),
    }));
  }
} finally {
  loader.stop();
  await Promise.all([master.stop(), nodeRed?.stop()]);
  rmSync(data, { recursive: true, force: true });
}
process.exitCode = summary(targets);
