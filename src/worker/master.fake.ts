import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { LIMITS } from '../contract/limits.ts';
import {
  workerLimits,
  type Lease,
  type LeasedNode,
  type MasterFrame,
  type Report,
  type WorkerFrame,
} from '../contract/worker-protocol.ts';
import { parseJson } from '../lib/json.ts';

type Welcome = Extract<MasterFrame, { t: 'welcome' }>;

/** The master's end of the worker protocol, on a real socket, driven by a test. */
export interface FakeMaster {
  url: string;
  hellos: Extract<WorkerFrame, { t: 'hello' }>[];
  frames: WorkerFrame[];
  reports: Report[];
  send(frame: MasterFrame): void;
  /** Teaches the nodes under commit `c` and leases the first with the others as its chain. Task ids are the node ids. */
  lease(nodes: Partial<LeasedNode>[], input: unknown, more?: Partial<Lease>): void;
  /** Resolves with what `find` finds, looked for at each frame. */
  until<T>(find: () => T | undefined | false): Promise<T>;
  /** The last report of a task, once it has ended. */
  end(id: string, attempt?: number): Promise<Exclude<Report, { e: 'start' }>>;
  cut(): void;
  close(): Promise<void>;
}

export async function startFakeMaster(
  options: {
    welcome?: Partial<Welcome>;
    answer?: (hello: WorkerFrame, socket: WebSocket) => void;
    status?: number;
    port?: number | string;
  } = {},
): Promise<FakeMaster> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  const waiters = new Set<() => void>();
  let current: WebSocket | null = null;
  const wake = () => waiters.forEach((look) => look());
  const master: FakeMaster = {
    url: '',
    hellos: [],
    frames: [],
    reports: [],
    send: (frame) => current?.send(JSON.stringify(frame)),
    lease(nodes, input, more = {}) {
      const full = nodes.map((node) => ({
        id: 'n',
        type: 'transform',
        name: 'n',
        config: {},
        runTimeoutSeconds: 600,
        ...node,
      }));
      const [first, ...rest] = full;
      master.send({ t: 'commit', commit: 'c', nodes: full });
      master.send({
        t: 'run',
        leases: [
          {
            id: first?.id ?? '',
            attempt: 1,
            jobId: 'job',
            workflowId: 'flow',
            environment: 'dev',
            commit: 'c',
            node: first?.id ?? '',
            replica: 0,
            item: null,
            input,
            chain: rest.map(({ id }) => ({ id, node: id })),
            ...more,
          },
        ],
      });
    },
    until: (find) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`not seen; reports: ${JSON.stringify(master.reports)}`)),
          15_000,
        );
        const look = () => {
          const found = find();
          if (found === undefined || found === false) return;
          clearTimeout(timer);
          waiters.delete(look);
          resolve(found);
        };
        waiters.add(look);
        look();
      }),
    end: (id, attempt = 1) =>
      master.until(() =>
        master.reports.find(
          (r): r is Exclude<Report, { e: 'start' }> => r.e !== 'start' && r.id === id && r.attempt === attempt,
        ),
      ),
    cut: () => current?.terminate(),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  server.on('upgrade', (request, socket, head) => {
    if (options.status !== undefined)
      return socket.end(`HTTP/1.1 ${options.status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (ws) => {
      current = ws;
      ws.on('message', (data) => {
        const frame = parseJson((data as Buffer).toString()) as WorkerFrame;
        master.frames.push(frame);
        if (frame.t === 'hello') {
          master.hellos.push(frame);
          if (options.answer) options.answer(frame, ws);
          else
            master.send({
              t: 'welcome',
              workerId: frame.workerId ?? 'w-1',
              protocol: 1,
              heartbeatSeconds: 0.2,
              logstash: null,
              http: { allowPrivate: true, allow: [] },
              limits: {
                ...workerLimits(LIMITS),
                codeMemoryBytes: 32 * 1024 * 1024,
                codeTimeoutSeconds: 2,
                taskOutputBytes: 1024 * 1024,
                httpBodyBytes: 100_000,
              },
              ...options.welcome,
            });
        }
        if (frame.t === 'report') master.reports.push(...frame.items);
        wake();
      });
    });
  });
  await new Promise<void>((resolve) =>
    typeof options.port === 'string'
      ? server.listen(options.port, resolve)
      : server.listen(options.port ?? 0, '127.0.0.1', resolve),
  );
  master.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return master;
}
