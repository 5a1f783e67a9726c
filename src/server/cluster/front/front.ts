import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ROUTES } from '../../../contract/routes.ts';
import { MAY_READ } from '../../../lib/copy-read.ts';
import type { ReadHere } from '../replica/replica-reads.ts';
import { systemTime, type ClusterTime } from '../time.ts';
import { createDispatcher, type DestinationOf, type Exchange } from './dispatch.ts';
import { createForwarder, CLIENT_ADDRESS, FORWARDED_BY, hopsOf } from './forward.ts';
import { refuseRequest, refuseUpgrade } from './refuse.ts';

export type Destination = DestinationOf<Server>;

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
  readonly time?: Pick<ClusterTime, 'steady' | 'after'>;
}

const HEADER_BYTES = 32 * 1024;
const FROM_MASTERS = [FORWARDED_BY, CLIENT_ADDRESS, MAY_READ];

/**
 * The port of a master of a cluster: the same for everybody, whichever master owns the state. The owner answers by itself,
 * the others hand on to it; a request that comes while there is no owner waits for one.
 */
export function createFront({
  masterId,
  credential,
  tls,
  holdMs,
  connectMs,
  prove,
  time = systemTime(),
}: FrontOptions): Front {
  const http = { maxHeaderSize: HEADER_BYTES, insecureHTTPParser: false, requireHostHeader: false };
  const server: Server = tls ? createTlsServer({ ...tls, ...http }) : createServer(http);
  server.keepAliveTimeout = 72_000;
  server.requestTimeout = 300_000;
  const forwarder = createForwarder(credential, masterId, connectMs);
  let readHere: ReadHere | null = null;
  const dispatcher = createDispatcher<Server>({ holdMs, time });
  /** Answers of this master's own server under way, and links to it. */
  const own = new Set<ServerResponse>();
  const links = new Set<Socket>();
  const sockets = new Set<Socket>();
  let answering = 0;
  /** A standby stays ready while an owner is replaced: its requests wait. */
  let ready = false;
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function serveBy(next: Destination): void {
    if (next.kind !== 'none') ready = true;
    dispatcher.serveBy(next);
  }

  function until<T extends ServerResponse | Socket>(among: Set<T>, one: T): void {
    among.add(one);
    one.once('close', () => among.delete(one));
  }

  const asked = (request: IncomingMessage, response: ServerResponse): Exchange<Server> => ({
    get gone() {
      return response.destroyed;
    },
    hops: hopsOf(request.headers, credential),
    isSafe: request.method === 'GET' || request.method === 'HEAD',
    answerBy: (to) => answerOwn(to, request, response),
    forward(url, { failed, held, ended }) {
      response.once('close', ended);
      const again = (sent: boolean): void => {
        response.off('close', ended);
        failed(sent);
      };
      return forwarder.request(url, request, response, { failed: again, held }, readHere);
    },
    hold: () => tellOfHold(request, response),
    refuse: () => refuseRequest(response, masterId),
  });

  function answerOwn(to: Server, request: IncomingMessage, response: ServerResponse): void {
    takeAddress(request);
    until(own, response);
    to.emit('request', request, response);
  }

  const upgraded = (request: IncomingMessage, socket: Socket, head: Buffer): Exchange<Server> => ({
    get gone() {
      return socket.destroyed;
    },
    hops: hopsOf(request.headers, credential),
    isSafe: true,
    answerBy(to) {
      takeAddress(request);
      until(links, socket);
      to.emit('upgrade', request, socket, head);
    },
    forward(url, { failed, ended }) {
      socket.once('close', ended);
      return forwarder.upgrade(url, request, socket, head, () => {
        socket.off('close', ended);
        failed(false);
      });
    },
    hold: () => {},
    refuse: () => refuseUpgrade(socket, masterId),
  });

  /** Only to a master that forwarded it: clients know little of answers that come before the answer. */
  function tellOfHold(request: IncomingMessage, response: ServerResponse): void {
    if (hopsOf(request.headers, credential) > 0 && !response.headersSent) response.writeProcessing();
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
    const isOwn = dispatcher.destination.kind === 'own';
    if (!isOwn && request.url === '/healthz') return sendJson(response, masterId, 200, { status: 'ok' });
    // It proves this very process, whoever owns the state.
    const nonce = nonceOf(request);
    if (nonce !== null) return sendJson(response, masterId, 200, { proof: prove(nonce) });
    if (!isOwn && ready && request.url === '/readyz') return sendJson(response, masterId, 200, { status: 'ready' });
    dispatcher.dispatch(asked(request, response));
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
    dispatcher.dispatch(upgraded(request, socket as Socket, head));
  });
  for (const event of ['connect', 'clientError'] as const)
    server.on(event, (...args: unknown[]) => {
      const to = dispatcher.destination;
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
    idle: (ms) => waitFor(() => answering === 0 && dispatcher.waiting === 0, ms),
    cutOwn() {
      for (const response of own) response.destroy();
      for (const socket of links) socket.destroy();
    },
    close() {
      forwarder.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      dispatcher.close();
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
