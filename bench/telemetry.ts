import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathTo } from '../src/lib/api-client.ts';
import { requestText, startLoader } from './lib/load.ts';
import { createKey, gauge, publishChain } from './lib/master-api.ts';
import { startMaster } from './lib/processes.ts';
import { line, median, opening, round, summary } from './lib/report.ts';

/**
 * What the export of traces costs: processor time of the master (all of its threads) for each event, without export, with
 * one job in a hundred sampled, and with all. The masters take short turns, so that what else the machine does hits all
 * alike; processor time, unlike a rate, says the same on a busy machine.
 */
const quick = process.argv.includes('--quick');
const plan = quick ? { turns: 1, seconds: 0.25 } : { turns: 15, seconds: 3 };
const BODY = '[{"content":"hello"}]';

opening('telemetry', quick, ['better-sqlite3', 'fastify', 'ws']);
let received = 0;
const collector = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => (received += chunk.length)).on('end', () => response.end());
});
await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
const otlp = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const loader = startLoader();
const masters: Record<string, { port: number; key: string; cpu(): Promise<number>; stop(): Promise<void> }> = {};
for (const [name, environment] of Object.entries<Record<string, string>>({
  off: {},
  'sampled 1 %': { YARDMASTER_OTLP: otlp, YARDMASTER_OTLP_SAMPLING: '0.01', YARDMASTER_OTLP_SIGNALS: 'traces' },
  'sampled 100 %': { YARDMASTER_OTLP: otlp, YARDMASTER_OTLP_SAMPLING: '1', YARDMASTER_OTLP_SIGNALS: 'traces' },
})) {
  const { ready, stop } = await startMaster({ workers: 1, capacity: 32, durability: 'normal', environment });
  await publishChain(ready, 'upper', { type: 'object' }, [
    { id: 'upper', type: 'transform', config: { expression: '{ "content": $uppercase(content) }' } },
    { id: 'shout', type: 'template', config: { template: '{{content}}!' } },
  ]);
  masters[name] = {
    port: ready.ports.master,
    key: await createKey(ready),
    cpu: () => gauge(ready, 'yardmaster_cpu_seconds_total'),
    stop,
  };
}

const spent = new Map<string, number[]>();
try {
  for (let turn = 0; turn <= plan.turns; turn++)
    for (const [name, { port, key, cpu }] of Object.entries(masters)) {
      const before = await cpu();
      const { requests, wrong, firstWrong } = await loader.run({
        port,
        request: requestText(
          'POST',
          pathTo('events.send', { params: { workflowId: 'upper', environment: 'dev' } }),
          { 'api-key': key },
          BODY,
        ),
        expected: '["HELLO!"]',
        connections: 10,
        warmupSeconds: 0,
        seconds: plan.seconds,
      });
      if (wrong > 0) throw new Error(`${wrong} wrong answers, the first: ${firstWrong}`);
      const microseconds = ((await cpu()) - before) * (1e6 / requests);
      // The first turn compiles.
      if (turn > 0) spent.set(name, [...(spent.get(name) ?? []), microseconds]);
      line({ turn, name, requests, cpuMicrosecondsPerEvent: round(microseconds) });
    }
} finally {
  loader.stop();
  await Promise.all(Object.values(masters).map(({ stop }) => stop()));
  collector.close();
}
const of = (name: string) => median(spent.get(name) ?? []);
line({
  cpuMicrosecondsPerEvent: Object.fromEntries([...spent.keys()].map((name) => [name, round(of(name))])),
  received,
});
process.exitCode = summary([
  {
    name: 'processor time per event, 1 % sampled against off',
    value: of('sampled 1 %') / of('off'),
    target: 1.02,
    wanted: 'at most',
  },
]);
