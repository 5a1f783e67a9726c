import { WebSocket } from 'ws';
import type { Lease, MasterFrame, Report, ReportedFailure, WorkerFrame } from '../../contract/worker-protocol.ts';

type Welcome = Extract<MasterFrame, { t: 'welcome' }>;

/** A scripted worker: speaks the protocol over a real socket and does nothing by itself. */
export interface FakeWorker {
  readonly id: string;
  readonly welcome: Welcome;
  /** All frames that came, oldest first. */
  readonly frames: MasterFrame[];
  /** The next frame of this kind that was not taken yet. */
  next<T extends MasterFrame['t']>(kind: T): Promise<Extract<MasterFrame, { t: T }>>;
  /** The next lease that was not taken yet. */
  lease(): Promise<Lease>;
  /** Leases that came and were not taken. */
  readonly untaken: number;
  send(frame: WorkerFrame): void;
  /** A frame as the text it is. */
  sendText(text: string): void;
  report(...items: Report[]): void;
  beat(): void;
  /** Asks the master whether it has what was sent so far; resolves with its answer. */
  receipt(mark: string): Promise<void>;
  /** Closes the socket without a goodbye. */
  vanish(): Promise<void>;
  readonly closed: Promise<{ code: number; reason: string }>;
}

export interface FakeWorkerOptions {
  url: string;
  /** Of role `worker`, where the master asks for one. */
  token?: string;
  id?: string;
  capacity?: number;
  protocol?: number;
  labels?: Record<string, string>;
  handlers?: string[];
  only?: 'handlers';
  running?: { id: string; attempt: number }[];
}

/** Connects and says hello; resolves with the welcome, rejects where the master refuses. */
export async function connectWorker({
  url,
  token,
  id,
  capacity = 4,
  protocol = 1,
  labels = {},
  handlers = [],
  only,
  running = [],
}: FakeWorkerOptions): Promise<FakeWorker> {
  const socket = new WebSocket(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  const frames: MasterFrame[] = [];
  const untaken: MasterFrame[] = [];
  const leases: Lease[] = [];
  const wanted: (() => boolean)[] = [];
  const pump = () => {
    for (let i = 0; i < wanted.length;)
      if (wanted[i]?.()) wanted.splice(i, 1);
      else i++;
  };
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as MasterFrame;
    frames.push(frame);
    if (frame.t === 'run') leases.push(...frame.leases);
    else untaken.push(frame);
    pump();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  socket.on('error', () => {});
  const when = <T>(take: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      wanted.push(() => {
        const got = take();
        if (got !== undefined) resolve(got);
        return got !== undefined;
      });
      void closed.then(({ code, reason }) => reject(new Error(`the master closed the link: ${code} ${reason}`)));
      pump();
    });
  const next = <T extends MasterFrame['t']>(kind: T) =>
    when(() => {
      const at = untaken.findIndex((frame) => frame.t === kind);
      return at < 0 ? undefined : (untaken.splice(at, 1)[0] as Extract<MasterFrame, { t: T }>);
    });
  const send = (frame: WorkerFrame) => socket.send(JSON.stringify(frame));

  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    void closed.then(() => reject(new Error('no connection')));
  });
  send({
    t: 'hello',
    protocol,
    workerId: id ?? null,
    version: '0.0.0',
    url: 'http://127.0.0.1:1',
    capacity,
    labels,
    handlers,
    ...(only === undefined ? {} : { only }),
    running,
  });
  const welcome = await next('welcome');
  return {
    id: welcome.workerId,
    welcome,
    frames,
    next,
    lease: () => when(() => leases.shift()),
    get untaken() {
      return leases.length;
    },
    send,
    sendText: (text) => socket.send(text),
    report: (...items) => send({ t: 'report', items }),
    beat: () => send({ t: 'beat', cpu: 0.5, memory: 1000, memoryTotal: 2000, running: 0 }),
    receipt: (mark) =>
      new Promise((resolve) => {
        socket.on('pong', (data: Buffer) => data.toString() === mark && resolve());
        socket.ping(mark);
      }),
    async vanish() {
      socket.terminate();
      await closed;
    },
    closed,
  };
}

/** Reports as a worker would write them. `at` is the worker's clock in milliseconds. */
export const started = (lease: { id: string; attempt: number }, at = Date.now()): Report => ({
  e: 'start',
  id: lease.id,
  attempt: lease.attempt,
  at,
});
export const done = (
  lease: { id: string; attempt: number },
  output: unknown,
  port?: 'true' | 'false',
  at = Date.now(),
): Report => ({
  e: 'done',
  id: lease.id,
  attempt: lease.attempt,
  startedAt: at,
  at,
  output,
  ...(port ? { port } : {}),
});
/** The list of a forEach, whole. */
export const items = (lease: { id: string; attempt: number }, list: unknown[], at = Date.now()): Report => ({
  e: 'items',
  id: lease.id,
  attempt: lease.attempt,
  startedAt: at,
  at,
  first: 0,
  items: list,
  more: false,
});
export const failed = (
  lease: { id: string; attempt: number },
  error: Partial<ReportedFailure> = {},
  at = Date.now(),
): Report => ({
  e: 'fail',
  id: lease.id,
  attempt: lease.attempt,
  startedAt: at,
  at,
  error: { code: 'TASK_ERROR', message: 'it broke', retryable: true, ...error },
});
