import { connect, type Socket } from 'node:net';

/**
 * The load generator, in a process of its own: keep-alive connections, one request under way on each. Raw sockets,
 * so that it costs as little as can be of the two cores that it shares with what it measures.
 */
export interface LoadOrder {
  port: number;
  /** The whole request, head and body. */
  request: string;
  /** What every answer has to be. */
  expected: string;
  connections: number;
  warmupSeconds: number;
  seconds: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  requests: number;
  /** Answers that were not 200 with the expected body, and the first of them. */
  wrong: number;
  firstWrong: string | null;
}

process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

async function run(order: LoadOrder): Promise<LoadResult> {
  const request = Buffer.from(order.request);
  const tally = { latencies: [] as number[], wrong: 0, firstWrong: null as string | null, counting: false };
  let running = true;
  const lanes = Array.from({ length: order.connections }, () => lane(order, request, tally, () => running));
  await sleep(order.warmupSeconds);
  tally.counting = true;
  const from = performance.now();
  await sleep(order.seconds);
  // A rate of nothing is no figure, however busy the machine is.
  for (let i = 0; i < 600 && tally.latencies.length === 0; i++) await sleep(0.1);
  const seconds = (performance.now() - from) / 1000;
  tally.counting = false;
  running = false;
  await Promise.all(lanes);
  const sorted = Float64Array.from(tally.latencies).sort();
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
  return {
    requestsPerSecond: sorted.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    requests: sorted.length,
    wrong: tally.wrong,
    firstWrong: tally.firstWrong,
  };
}

/** One connection, until `more` says no. */
function lane(
  order: LoadOrder,
  request: Buffer,
  tally: { latencies: number[]; wrong: number; firstWrong: string | null; counting: boolean },
  more: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let pending = '';
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => (more() ? reject(new Error('the server closed a connection')) : resolve()));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      pending = pending === '' ? chunk : pending + chunk;
      const head = pending.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = /content-length: *(\d+)/i.exec(pending.slice(0, head))?.[1];
      if (length === undefined)
        return void socket.destroy(new Error(`an answer without content-length: ${pending.slice(0, 300)}`));
      if (pending.length < head + 4 + Number(length)) return;
      if (tally.counting) tally.latencies.push(performance.now() - sentAt);
      if (!pending.startsWith('HTTP/1.1 200') || pending.slice(head + 4) !== order.expected) {
        tally.wrong++;
        tally.firstWrong ??= pending.slice(0, 1000);
      }
      pending = '';
      if (more()) send();
      else socket.end();
    });
  });
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
