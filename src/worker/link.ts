import { BACKOFF, createBackoff } from '../lib/backoff.ts';
import type { ClientRequest } from 'node:http';
import { connect as connectTo } from 'node:net';
import { WebSocket } from 'ws';
import {
  CLOSE_REFUSED,
  WORKER_PATH,
  WORKER_PROTOCOL,
  type MasterFrame,
  type WorkerFrame,
} from '../contract/worker-protocol.ts';
import { Fault } from '../lib/fault.ts';
import { parseJson } from '../lib/json.ts';
import type { Masters } from './masters.ts';
import type { FrameSink } from './report.ts';

export interface LinkHandlers {
  hello(): WorkerFrame;
  /** The link is up. */
  welcome(frame: Extract<MasterFrame, { t: 'welcome' }>, wire: FrameSink): void;
  frame(frame: MasterFrame): void;
  /** The master answered what was sent at this moment (`performance.now()`). */
  answered(at: number): void;
  /** Other masters are known than before. */
  told(): void;
  /** The link broke; it is being made anew. */
  lost(): void;
  /** The master refused this worker for good. */
  refused(fault: Fault): void;
  log(line: string): void;
}

export interface Link {
  /** Connects for the first time. */
  open(): void;
  /** Gives up before it was opened. */
  fail(error: Error): void;
  send(frame: WorkerFrame): void;
  /** Says goodbye and ends. */
  close(): Promise<void>;
}

const HANDSHAKE_MS = 10_000;
/** Where there are others to try. A standby holds the request until there is an owner, at most four seconds. */
const HANDSHAKE_AMONG_MS = 5000;
const CONNECT_MS = 1000;
const FRAME_BYTES = 256 * 1024 * 1024;
/** A link on which a ping stays unanswered this long is dead. */
const SILENT_MS = 10_000;

export interface Address {
  masters: Masters;
  /** A socket file of the given master, on this machine; null: there is none. */
  socket: string | null;
  token: string;
}

/**
 * One WebSocket to a master, made anew with exponential back-off and jitter until it is closed or refused. Where several
 * masters are known they are tried in turn, and the back-off grows with each round.
 */
export function openLink({ masters, socket: file, token }: Address, handlers: LinkHandlers): Link {
  let socket: WebSocket | null = null;
  let ready = false;
  let ended = false;
  const backoff = createBackoff(BACKOFF.workerLink);
  let timer: NodeJS.Timeout | null = null;
  let tries = 0;
  let waitMs = 0;

  function connect(): void {
    timer = null;
    // The socket file first, and every other time where it does not work.
    const master = masters.current;
    const isShort = file !== null && tries % 2 === 0 && master === masters.all[0];
    const current = new WebSocket(`${master.replace(/^http/, 'ws')}${WORKER_PATH}`, {
      ...(isShort ? { createConnection: () => connectTo(file) } : {}),
      ...(masters.hasOthers ? { finishRequest: connectSoon } : {}),
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES,
      handshakeTimeout: masters.hasOthers ? HANDSHAKE_AMONG_MS : HANDSHAKE_MS,
    });
    socket = current;
    let why = '';
    let watch: NodeJS.Timeout | undefined;
    let greetedAt = 0;
    current.once('open', () => {
      greetedAt = performance.now();
      current.send(JSON.stringify(handlers.hello()));
    });
    current.on('message', (data) => {
      let frame: MasterFrame;
      try {
        frame = parseJson(String(data));
      } catch {
        why = 'the master sent a frame that is not JSON';
        return current.terminate();
      }
      if (frame.t === 'refuse') return refuse(frame.code, frame.message);
      if (frame.t === 'masters') {
        masters.tell(frame.masters);
        return handlers.told();
      }
      if (frame.t !== 'welcome') return handlers.frame(frame);
      if (frame.protocol !== WORKER_PROTOCOL)
        return refuse(
          'PROTOCOL_MISMATCH',
          `this worker uses worker protocol version ${WORKER_PROTOCOL}, the master ${master} version ${frame.protocol}: run the same release on both`,
        );
      ready = true;
      tries = 0;
      backoff.reset();
      masters.welcomed();
      masters.tell(frame.masters);
      watch = terminateWhenSilent(current, frame.heartbeatSeconds * 1000, handlers.answered);
      handlers.answered(greetedAt);
      handlers.welcome(frame, frameSink(current));
    });
    current.once('unexpected-response', (_request, response) => {
      const { statusCode = 0 } = response;
      response.resume();
      // At an address that a master told of, another program may answer by now.
      if ((statusCode === 401 || statusCode === 403) && masters.isTrusted)
        refuse(
          String(statusCode),
          `the master ${master} rejected the token (HTTP ${statusCode}): set a token with the role worker in YARDMASTER_WORKER_TOKEN`,
        );
      why = `HTTP ${statusCode}`;
      current.terminate();
    });
    current.on(
      'error',
      (error: NodeJS.ErrnoException) => (why ||= error.message || error.code || 'the connection failed'),
    );
    current.once('close', (code, reason) => {
      clearTimeout(watch);
      if (socket === current) socket = null;
      if (code === CLOSE_REFUSED) refuse(String(code), reason.toString() || 'the master rejected this worker');
      if (ready) {
        handlers.lost();
        masters.lost();
        waitMs = backoff.next();
      } else if (masters.failed()) waitMs = backoff.next();
      ready = false;
      if (ended) return;
      if (tries++ === 0 || tries % 10 === 0)
        handlers.log(`no link to ${master} (${why || reason.toString() || `closed with ${code}`}); reconnecting`);
      // A random part of it (full jitter), so that workers do not come back all at once.
      timer = setTimeout(connect, waitMs * Math.random());
    });
  }

  function refuse(code: string, message: string): void {
    if (ended) return;
    ended = true;
    socket?.terminate();
    handlers.refused(new Fault('WORKER_REFUSED', message, { extra: { reason: code } }));
  }

  return {
    open() {
      if (!ended) connect();
    },
    fail: (error) => refuse('NO_HEALTH', `the worker could not start its health endpoint: ${error.message}`),
    send(frame) {
      if (ready) socket?.send(JSON.stringify(frame));
    },
    async close() {
      ended = true;
      if (timer) clearTimeout(timer);
      const last = socket;
      if (last === null) return;
      if (!ready) return last.terminate();
      await new Promise<void>((resolve) => {
        last.once('close', () => resolve());
        last.send(JSON.stringify({ t: 'bye' } satisfies WorkerFrame));
        last.close(1000);
        setTimeout(() => last.terminate(), 2000).unref();
      });
    },
  };
}

/** An address where nobody answers holds up the others no longer than this. */
function connectSoon(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
    for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  });
  request.end();
}

/** Frames of one connection; once it is gone they go nowhere, and the next welcome brings another wire. */
function frameSink(socket: WebSocket): FrameSink {
  let asked = 0;
  return {
    // Bytes are masked and framed in one piece; a text would be written in two.
    send: (frame) => socket.send(frame, { binary: false }, () => {}),
    confirm(received) {
      // The peer answers a ping after all frames before it: its pong is the receipt.
      const mark = `r${++asked}`;
      const pong = (data: Buffer) => {
        if (data.toString() !== mark) return;
        socket.off('pong', pong);
        received();
      };
      socket.on('pong', pong);
      if (socket.readyState === WebSocket.OPEN) socket.ping(mark);
    },
  };
}

/** Pings at every heartbeat and ends a connection whose peer went away without a word. */
function terminateWhenSilent(socket: WebSocket, everyMs: number, answered: (at: number) => void): NodeJS.Timeout {
  let heard = performance.now();
  /** When those without a payload were sent that were not answered yet. */
  const asked: number[] = [];
  socket.on('pong', (data: Buffer) => {
    heard = performance.now();
    const at = data.length === 0 ? asked.shift() : undefined;
    if (at !== undefined) answered(at);
  });
  socket.on('message', () => (heard = performance.now()));
  return setInterval(() => {
    if (performance.now() - heard > Math.max(SILENT_MS, 3 * everyMs)) return socket.terminate();
    if (socket.readyState !== WebSocket.OPEN) return;
    asked.push(performance.now());
    socket.ping();
  }, everyMs).unref();
}
