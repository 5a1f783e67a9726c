import { Agent, createServer, get } from 'node:http';

/**
 * Asks for `/healthz` every 10 ms, whether or not the last answer has come, and a bare server of its own the same way: what that
 * one takes is the machine's doing. In a process of its own, so that nothing that is measured holds it up.
 */
const EVERY_MS = 10;

export interface ProbeOrder {
  readonly url: string;
}
/** Milliseconds of each answer, in the order in which they were asked for. */
export interface ProbeResult {
  readonly health: number[];
  readonly bare: number[];
  readonly failed: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const bare = createServer((_request, response) => response.end('ok'));
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const address = bare.address();
const bareUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;

let seen = { health: [] as number[], bare: [] as number[], failed: 0 };
const underWay = new Set<Promise<void>>();
let timer: NodeJS.Timeout | undefined;

process.on('message', (order: ProbeOrder | 'stop') => {
  if (order === 'stop') return void stop();
  seen = { health: [], bare: [], failed: 0 };
  timer = setInterval(() => {
    ask(`${order.url}/healthz`, seen.health);
    ask(bareUrl, seen.bare);
  }, EVERY_MS);
});

async function stop(): Promise<void> {
  clearInterval(timer);
  await Promise.all(underWay);
  process.send?.(seen satisfies ProbeResult);
}

function ask(url: string, into: number[]): void {
  const from = performance.now();
  const asked = new Promise<void>((resolve) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => {
        into.push(performance.now() - from);
        if (response.statusCode !== 200) seen.failed++;
        resolve();
      });
    }).once('error', () => {
      seen.failed++;
      resolve();
    });
  });
  underWay.add(asked);
  void asked.then(() => underWay.delete(asked));
}
