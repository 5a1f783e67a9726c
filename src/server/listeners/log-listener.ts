import { DEFAULT_PORTS, type Limits } from '../../contract/limits.ts';
import type { MasterOptions } from '../../contract/process.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/port.ts';
import { sendText } from '../logs/http/answer.ts';
import { createLogHttp, pathOf } from '../logs/http/serve.ts';
import type { Logs } from '../logs/port.ts';
import { openProtocolListener, type ProtocolListener } from './protocol-listener.ts';

interface LogListenerOptions {
  options: Pick<MasterOptions, 'host' | 'logStorePort' | 'allowedHosts' | 'proxies' | 'protectLoopback' | 'log'>;
  tls: { cert: Buffer; key: Buffer } | null;
  access: Access;
  logs: Pick<Logs, 'insert' | 'run' | 'arrived' | 'tailLosses' | 'warningsIn'>;
  limits: Readonly<Limits>;
  clock: Clock;
  onError(error: unknown): void;
}

/** Paths that tell that the store is there, and nothing else. */
const OPEN = new Set(['/health', '/insert/ready', '/insert/loki/ready']);

/** Opens the port at which the log store speaks the protocol of VictoriaLogs. On loopback nobody needs a token there, unless that is asked for. */
export async function openLogListener({
  options,
  tls,
  access,
  logs,
  limits,
  clock,
  onError,
}: LogListenerOptions): Promise<ProtocolListener> {
  const http = createLogHttp({
    store: logs,
    limits,
    clock,
    onError,
    onTailEnded: logs.tailLosses.ended,
    warnings: (range) => logs.warningsIn(range).length,
  });
  const door = await openProtocolListener({
    ...options,
    tls,
    access,
    wish: {
      port: options.logStorePort,
      default: DEFAULT_PORTS.logStore,
      what: 'the log store',
      option: '--log-store-port',
    },
    roles(asked) {
      const path = pathOf(asked);
      return OPEN.has(path)
        ? null
        : path.startsWith('/insert/')
          ? ['worker', 'operator', 'admin']
          : ['viewer', 'operator', 'admin'];
    },
    handle: (request, response, identity) => http.handle(request, response, identity?.role === 'worker'),
    refuse: (_request, response, status, message) =>
      sendText(response, status, `${message}\n`, {
        connection: 'close',
        ...(status === 401 ? { 'www-authenticate': 'Bearer, Basic realm="yardmaster"' } : {}),
      }),
  });
  return {
    ...door,
    async close() {
      await http.close();
      await door.close();
    },
  };
}
