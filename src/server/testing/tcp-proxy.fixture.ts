import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../../scripts/lib/postgres.mjs';

/** Of the bytes of a connection: those the client sends, those it gets, or all. */
export type Direction = 'toTarget' | 'toClient' | 'both';

/** A network that a test can harm: everything sent to its port reaches the target as long as it is whole. */
export interface TcpProxy {
  readonly port: number;
  /** Connections that are open, stalled ones too. */
  readonly open: number;
  /** Nothing arrives any more, nobody is told: what is sent is held back, new connections are taken and stay silent. */
  stall(direction?: Direction): void;
  /** What is sent from now on arrives so many milliseconds later, in its order. */
  delay(ms: number, direction?: Direction): void;
  /** Ends all connections with a reset, at once; new ones are fine. */
  reset(): void;
  /** Ends all connections with a reset, and refuses new ones. */
  cut(): Promise<void>;
  /** As at first. What was held back arrives now. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** `target`: a port of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const port = await freePort();
  const weather: Record<'toTarget' | 'toClient', Weather> = {
    toTarget: { stalled: false, delayMs: 0 },
    toClient: { stalled: false, delayMs: 0 },
  };
  const flows = new Set<Flow>();
  const sockets = new Set<Socket>();
  let server: Server | null = null;

  function carry(client: Socket) {
    const upstream = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const both = [flow(client, upstream, weather.toTarget), flow(upstream, client, weather.toClient)];
    for (const one of both) flows.add(one);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const other = socket === client ? upstream : client;
      socket.on('error', () => other.resetAndDestroy());
      socket.on('close', () => {
        sockets.delete(socket);
        // A socket closes by itself when both sides have ended; else it broke off.
        if (!socket.readableEnded || !socket.writableFinished) other.resetAndDestroy();
        if (other.closed || other.destroyed) for (const one of both) flows.delete(one);
      });
    }
  }
  async function listen() {
    server = createServer({ allowHalfOpen: true, noDelay: true }, carry);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }
  async function unlisten() {
    const closing = server;
    server = null;
    if (!closing) return;
    const closed = once(closing, 'close');
    closing.close();
    reset();
    await closed;
  }
  function reset() {
    for (const socket of sockets) socket.resetAndDestroy();
  }
  const each = (direction: Direction, change: (weather: Weather) => void) => {
    for (const name of ['toTarget', 'toClient'] as const)
      if (direction === 'both' || direction === name) change(weather[name]);
  };

  await listen();
  return {
    port,
    get open() {
      return sockets.size / 2;
    },
    stall: (direction = 'both') => each(direction, (to) => (to.stalled = true)),
    delay: (ms, direction = 'both') => each(direction, (to) => (to.delayMs = ms)),
    reset,
    cut: unlisten,
    async heal() {
      each('both', (to) => Object.assign(to, { stalled: false, delayMs: 0 }));
      for (const one of flows) one();
      if (!server) await listen();
    },
    close: unlisten,
  };
}

interface Weather {
  stalled: boolean;
  delayMs: number;
}

/** Goes on with what it holds back. */
type Flow = () => void;

/** Hands on what one socket sends to another, as the weather allows. */
function flow(from: Socket, to: Socket, weather: Weather): Flow {
  /** In order; null is the end of what is sent. */
  const held: { chunk: Buffer | null; due: number }[] = [];
  let timer: NodeJS.Timeout | null = null;
  function go() {
    if (timer) clearTimeout(timer);
    timer = null;
    while (!weather.stalled && held[0] && !to.destroyed) {
      // Healed: nothing waits for its time any more.
      const wait = weather.delayMs === 0 ? 0 : held[0].due - performance.now();
      if (wait > 0) return void (timer = setTimeout(go, wait));
      const { chunk } = held.shift()!;
      if (chunk === null) to.end();
      else if (!to.write(chunk)) from.pause();
    }
    if (!weather.stalled && !to.writableNeedDrain) from.resume();
  }
  const hold = (chunk: Buffer | null) => {
    held.push({ chunk, due: performance.now() + weather.delayMs });
    // Who sends without end into a stalled network comes to a halt.
    if (weather.stalled) from.pause();
    go();
  };
  from.on('data', hold);
  from.on('end', () => hold(null));
  from.on('close', () => timer && clearTimeout(timer));
  to.on('drain', go);
  return go;
}
