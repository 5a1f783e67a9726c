import { BACKOFF, createBackoff } from '../lib/backoff.ts';
import { connect, isIP, type Socket } from 'node:net';
import type { ShippedLine } from '../contract/worker-protocol.ts';

export type ShipLine = (line: ShippedLine) => void;

/** Where a log pipeline listens. */
export interface LogAddress {
  host: string;
  port: number;
  /** TLS, with a certificate for this name; null: plain. */
  tls: string | null;
  /** Sent as the first line; null: none. */
  token: string | null;
}

export interface LogShipper {
  ship: ShipLine;
  /** Names the pipeline; null: there is none, lines are dropped and counted. */
  setAddress(address: LogAddress | null): void;
  /** Lines that found no room or no pipeline. */
  readonly dropped: number;
  /** Sends what is left, waiting at most `ms`. */
  close(ms: number): Promise<void>;
}

/** Ships log lines as JSON over one TCP connection. While the pipeline is away they wait in `bufferBytes()` of memory; the oldest go first. */
export function createLogShipper(bufferBytes: () => number): LogShipper {
  let address: LogAddress | null = null;
  let socket: Socket | null = null;
  let ready = false;
  let lines: string[] = [];
  let chars = 0;
  let dropped = 0;
  let scheduled = false;
  let closing = false;
  const backoff = createBackoff(BACKOFF.workerLogs);
  let timer: NodeJS.Timeout | null = null;
  let emptied: (() => void) | null = null;

  function open(): void {
    timer = null;
    if (address === null || socket !== null) return;
    const { token } = address;
    const current = dial(address);
    socket = current;
    current.setNoDelay(true);
    current.once(address.tls === null ? 'connect' : 'secureConnect', () => {
      if (token !== null) current.write(`AUTH ${token}\n`);
      ready = true;
      backoff.reset();
      flush();
    });
    current.on('drain', () => {
      ready = true;
      flush();
    });
    current.on('error', () => {});
    current.resume();
    current.once('close', () => {
      if (socket === current) socket = null;
      ready = false;
      if (closing && lines.length === 0) return;
      timer ??= setTimeout(open, backoff.next() * (0.5 + Math.random())).unref();
    });
    current.unref();
  }

  function flush(): void {
    scheduled = false;
    if (!ready || socket === null) return;
    if (lines.length > 0) {
      const text = lines.join('');
      lines = [];
      chars = 0;
      ready = socket.write(text);
    }
    if (ready) emptied?.();
  }

  return {
    ship(line) {
      const text = `${JSON.stringify(line)}\n`;
      lines.push(text);
      chars += text.length;
      while (chars > bufferBytes() && lines.length > 0) {
        chars -= lines.shift()?.length ?? 0;
        dropped++;
      }
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    setAddress(next) {
      if (isSame(next, address)) return;
      address = next;
      socket?.destroy();
      socket = null;
      ready = false;
      if (next !== null) open();
    },
    get dropped() {
      return dropped;
    },
    async close(ms) {
      closing = true;
      flush();
      if (lines.length > 0 && address !== null) {
        await new Promise<void>((resolve) => {
          emptied = resolve;
          setTimeout(resolve, ms).unref();
        });
      }
      dropped += lines.length;
      if (timer) clearTimeout(timer);
      const last = socket;
      if (last === null || !last.writable) return void last?.destroy();
      await new Promise<void>((resolve) => {
        last.once('close', resolve);
        last.end();
        setTimeout(() => last.destroy(), ms).unref();
      });
    },
  };
}

function isSame(a: LogAddress | null, b: LogAddress | null): boolean {
  if (a === null || b === null) return a === b;
  return a.host === b.host && a.port === b.port && a.tls === b.tls && a.token === b.token;
}

/** The certificate is held against the name of the master, whatever address its pipeline has. */
function dial({ host, port, tls }: LogAddress): Socket {
  if (tls === null) return connect(port, host);
  const { checkServerIdentity, connect: connectTls } = process.getBuiltinModule('node:tls');
  return connectTls({
    host,
    port,
    ...(isIP(tls) === 0 ? { servername: tls } : {}),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(tls, certificate),
  });
}
