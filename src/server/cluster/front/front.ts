import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from '../../../contract/routes.ts';
import { MAY_READ } from '../../../lib/copy-read.ts';
import type { ReadHere } from '../replica/replica-reads.ts';
import { createForwarder, CLIENT_ADDRESS, FORWARDED_BY, hopsOf } from './forward.ts';
import { refuseRequest, refuseUpgrade } from './refuse.ts';

/** Who answers what comes in. */
export type Destination =
  /** This master is the owner: its own server takes requests. `whenProved` says whether it still is (ownership.ts). */
  | {
      readonly kind: 'own';
      readonly server: Server;
      whenProved(told: (error: Error | null) => void): void;
      fresh(): boolean;
    }
  | { readonly kind: 'other'; readonly url: string }
  /** Nobody that is known of: requests wait for a while. */
  | { readonly kind: 'none' };

export interface Front {
  readonly server: Server;
  /** From now on, and for what waits. */
  serveBy(destination: Destination): void;
  /** Reads that the owner leaves to this standby are done by this; null: none are. */
  readBy(readHere: ReadHere | null): void;
  /** Cuts what this master's own server still answers, such as streams and links of workers. */
  cutOwn(): void;
  /** Until this master's own server has begun to answer all that it has, at most so long. */
  ownIdle(ms: number): Promise<void>;
  /** Until nothing waits for an answer here, at most so long. */
  idle(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface FrontOptions {
  readonly masterId: string;
  /** What the masters of the cluster know each other by. */
  readonly credential: string;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** How long a request waits for an owner before it is refused with NO_OWNER. */
  readonly holdMs: number;
  /** How long it tries to connect to the owner. */
  readonly connectMs: number;
  /** Proves to the command line that this is the master of the local file (lib/proof.ts). */
  prove(nonce: string): string;
}

const HEADER_BYTES = 32 * 1024;
const FROM_MASTERS = [FORWARDED_BY, CLIENT_ADDRESS, MAY_READ];
const NONE: Destination = { kind: 'none' };
const AGAIN_MS = 50;
/** To the owner; and from one that handed over meanwhile to the next. */
const MOST_HOPS = 2;

/**
 * The port of a master of a cluster: the same for everybody, whichever master owns the state. The owner answers by itself,
 * the others hand on to it; a request that comes while there is no owner waits for one.
 */
export function createFront({ masterId, credential, tls, holdMs, connectMs, prove }: FrontOptions): Front {
  const http = { maxHeaderSize: HEADER_BYTES, insecureHTTPParser: false, requireHostHeader: false };
  const server: Server = tls ? createTlsServer({ ...tls, ...http }) : createServer(http);
  server.keepAliveTimeout = 72_000;
  server.requestTimeout = 300_000;
  const forwarder = createForwarder(credential, masterId, connectMs);
  let readHere: ReadHere | null = null;
  let destination: Destination = NONE;
  let waiting = new Set<() => void>();
  /** Answers of this master's own server under way, and links to it. */
  const own = new Set<ServerResponse>();
  const links = new Set<Socket>();
  const sockets = new Set<Socket>();
  let answering = 0;
  let closing = false;
  /** A standby stays ready while an owner is replaced: its requests wait. */
  let ready = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function serveBy(next: Destination): void {
    destination = next;
    if (next.kind === 'none') return;
    ready = true;
    wakeAll();
  }

  function wakeAll(): void {
    // Those that wait again are not among these.
    const again = waiting;
    waiting = new Set();
    for (const one of again) one();
  }

  /** Calls `again` once there is another destination or after a moment, `late` when it has waited long enough. */
  function hold(since: number, again: () => void, late: () => void): void {
    const leftMs = since + holdMs - performance.now();
    if (closing || leftMs <= 0) return late();
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      again();
    };
    const timer = setTimeout(wake, destination.kind === 'none' ? leftMs + 1 : Math.min(leftMs + 1, AGAIN_MS));
    waiting.add(wake);
  }

  function until<T extends ServerResponse | Socket>(among: Set<T>, one: T): void {
    among.add(one);
    one.once('close', () => among.delete(one));
  }

  function answer(request: IncomingMessage, response: ServerResponse, since: number): void {
    if (response.destroyed) return;
    const late = (): void => refuseRequest(response, masterId);
    const again = (): void => answer(request, response, since);
    const to = destination;
    if (to.kind === 'own') {
      if (to.fresh()) return answerOwn(to.server, request, response);
      return to.whenProved((error) =>
        error === null && destination === to ? answerOwn(to.server, request, response) : hold(since, again, late),
      );
    }
    if (to.kind === 'none') return hold(since, again, late);
    if (hopsOf(request.headers, credential) >= MOST_HOPS) return late();
    // What may have had an effect is not sent twice.
    const isSafe = request.method === 'GET' || request.method === 'HEAD';
    const failed = (sent: boolean): void => (sent && !isSafe ? late() : hold(since, again, late));
    forwarder.request(to.url, request, response, failed, readHere);
  }

  function answerOwn(to: Server, request: IncomingMessage, response: ServerResponse): void {
    takeAddress(request);
    until(own, response);
    to.emit('request', request, response);
  }

  function upgrade(request: IncomingMessage, socket: Socket, head: Buffer, since: number): void {
    if (socket.destroyed) return;
    const again = (): void => upgrade(request, socket, head, since);
    const late = (): void => refuseUpgrade(socket, masterId);
    const to = destination;
    if (to.kind === 'own') {
      if (!to.fresh()) return to.whenProved((error) => (error === null ? again() : hold(since, again, late)));
      takeAddress(request);
      until(links, socket);
      to.server.emit('upgrade', request, socket, head);
    } else if (to.kind === 'none') hold(since, again, late);
    else if (hopsOf(request.headers, credential) >= MOST_HOPS) late();
    else forwarder.upgrade(to.url, request, socket, head, () => hold(since, again, late));
  }

  /** A request of another master stands for that of its client. What anybody else says of it is not believed. */
  function takeAddress(request: IncomingMessage): void {
    const { headers } = request;
    if (FROM_MASTERS.every((name) => headers[name] === undefined)) return;
    const isOfMaster = hopsOf(headers, credential) > 0;
    const value = isOfMaster ? headers[CLIENT_ADDRESS] : request.socket.remoteAddress;
    if (!isOfMaster) delete headers[MAY_READ];
    Object.defineProperty(request.socket, 'remoteAddress', { value, configurable: true });
    delete headers[FORWARDED_BY];
    delete headers[CLIENT_ADDRESS];
  }

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answering++;
    response.once('close', () => answering--);
    // Alive whoever owns the state; a standby is ready once it has known to whom to forward.
    if (destination.kind !== 'own' && request.url === '/healthz')
      return sendJson(response, masterId, 200, { status: 'ok' });
    // It proves this very process, whoever owns the state.
    const nonce = nonceOf(request);
    if (nonce !== null) return sendJson(response, masterId, 200, { proof: prove(nonce) });
    if (destination.kind !== 'own' && ready && request.url === '/readyz')
      return sendJson(response, masterId, 200, { status: 'ready' });
    answer(request, response, performance.now());
  };
  server.on('request', handle);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.writeContinue();
    handle(request, response);
  });
  server.on('checkExpectation', handle);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Plain or encrypted, it is one of the network.
    upgrade(request, socket as Socket, head, performance.now());
  });
  for (const event of ['connect', 'clientError'] as const)
    server.on(event, (...args: unknown[]) => {
      const to = destination;
      if (to.kind === 'own') to.server.emit(event, ...args);
      else (args[1] as Socket).destroy();
    });

  async function waitFor(done: () => boolean, ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (!done() && performance.now() < end) await delay(10);
  }

  return {
    server,
    serveBy,
    readBy: (reader) => void (readHere = reader),
    // A stream has begun to answer, and never ends.
    ownIdle: (ms) => waitFor(() => [...own].every((response) => response.headersSent), ms),
    idle: (ms) => waitFor(() => answering === 0 && waiting.size === 0, ms),
    cutOwn() {
      for (const response of own) response.destroy();
      for (const socket of links) socket.destroy();
    },
    close() {
      forwarder.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      closing = true;
      wakeAll();
      server.closeIdleConnections();
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

const PROOF_PATH = ROUTES['master.proof'].path;
const NONCE = /^[0-9a-f]{32,128}$/;

function nonceOf({ method, url }: IncomingMessage): string | null {
  if (method !== 'GET' || url?.startsWith(`${PROOF_PATH}?`) !== true) return null;
  const nonce = new URLSearchParams(url.slice(PROOF_PATH.length + 1)).get('nonce') ?? '';
  return NONCE.test(nonce) ? nonce : null;
}

function sendJson(response: ServerResponse, masterId: string, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-served-by': masterId,
    })
    .end(body);
}
