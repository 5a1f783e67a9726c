import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { MasterOptions } from '../../contract/process.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { Fault } from '../../lib/fault.ts';
import { createProxies } from '../../lib/proxies.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { roleEverywhere } from '../../lib/role-everywhere.ts';
import { listenOnPort, type PortRequest, portOf } from '../../lib/listen-on-port.ts';
import type { Access, Identity } from '../access/port.ts';
import { isFromLoopback, presenterOf } from '../http/core/forwarded.ts';
import { certificateHosts, foreignOrigin, refuseHost } from '../http/core/origin.ts';

/** A port beside the master's own, where it speaks another product's protocol. */
export interface ProtocolListener {
  port: number;
  /** Plain and on loopback, for the master's own parts; they send `innerToken`, null: none is needed. */
  innerUrl: string;
  innerToken: string | null;
  close(): Promise<void>;
}

export interface ProtocolListenerOptions extends Pick<MasterOptions, 'host' | 'allowedHosts' | 'proxies' | 'log'> {
  wish: PortRequest;
  tls: { cert: Buffer; key: Buffer } | null;
  access: Pick<Access, 'token' | 'onCredentialEnded' | 'attempts'>;
  /** A token is needed on loopback too. */
  protectLoopback?: boolean;
  /** The same, because the protocol wants it; the master's own parts do not come by here, so there is no inner port. */
  tokenOnLoopback?: boolean;
  /** Who may ask for this where a token is needed; null: anybody. */
  roles(path: string, method: string): readonly Role[] | null;
  /** `identity`: whose token it was; null: none was needed. */
  handle(request: IncomingMessage, response: ServerResponse, identity: Identity | null): void;
  /** Refuses in the shape of the protocol. */
  refuse(request: IncomingMessage, response: ServerResponse, status: 401 | 403 | 421 | 429, message: string): void;
}

/** A query of 16 KiB in the address, each character as three. */
const HEADER_BYTES = 64 * 1024;
/** Who sends every few seconds keeps its connection, as at the master's own port; one that is closed just then would break its next request. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Opens such a port. A page of another site is never answered; on loopback nobody needs a token unless the protocol wants one, elsewhere everybody does:
 * `Authorization: Bearer` or `Token`, or Basic with the token as the password, for clients that know nothing else.
 */
export async function openProtocolListener(options: ProtocolListenerOptions): Promise<ProtocolListener> {
  const { host, tls, access, handle, refuse } = options;
  const proxies = options.proxies && createProxies(options.proxies);
  const open =
    isLoopback(host) && proxies === null && options.protectLoopback !== true && options.tokenOnLoopback !== true;
  const rules = { allowedHosts: [...options.allowedHosts, ...(tls ? certificateHosts(tls.cert) : [])], proxies };
  const innerToken =
    options.tokenOnLoopback === true || (open && tls === null) ? null : randomBytes(32).toString('base64url');

  const listener: RequestListener = (request, response) => {
    const fault = refuseHost(request, rules);
    if (fault) return refuse(request, response, 421, fault.message);
    const site = request.headers['sec-fetch-site'];
    if (foreignOrigin(request, proxies) || (site !== undefined && site !== 'same-origin' && site !== 'none'))
      return refuse(request, response, 403, 'cross-origin requests are rejected');
    const roles =
      open && isFromLoopback(request, proxies)
        ? null
        : options.roles((request.url ?? '/').replace(/\?.*/s, ''), request.method ?? 'GET');
    if (roles === null) return handle(request, response, null);
    const secret = secretOf(request.headers.authorization);
    const identity = secret === null ? null : access.token(secret);
    if (identity === null) return refuseToken(request, response, secret);
    const role = roleEverywhere(identity);
    if (role === null || !roles.includes(role))
      return refuse(
        request,
        response,
        403,
        `this request needs a token with the role ${roles.join(' or ')}; ${identity.actor} has ${role === null ? 'no role in all projects' : `the role ${role}`}`,
      );
    // A tail lasts: it ends with its token.
    const forget = access.onCredentialEnded(() => {
      const now = secret === null ? null : access.token(secret);
      const still = now && roleEverywhere(now);
      if (still === null || !roles.includes(still)) request.socket.destroy();
    });
    response.once('close', forget);
    handle(request, response, identity);
  };
  function refuseToken(request: IncomingMessage, response: ServerResponse, secret: string | null): void {
    if (secret === null)
      return refuse(
        request,
        response,
        401,
        'a token is required: send `Authorization: Bearer <token>`, or the token as the password of Basic authentication',
      );
    try {
      access.attempts.wrong(presenterOf(request, proxies), secret);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      response.setHeader('retry-after', String(error.extra['retryAfterSeconds']));
      return refuse(request, response, 429, error.message);
    }
    refuse(request, response, 401, 'the token is unknown, revoked or expired');
  }
  const inner: RequestListener = (request, response) => {
    if (!same(secretOf(request.headers.authorization) ?? '', innerToken ?? ''))
      return refuse(request, response, 401, 'this port accepts requests only from the master itself');
    handle(request, response, null);
  };

  const servers: { server: Server; sockets: Set<Socket> }[] = [];
  const make = (server: Server) => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    servers.push({ server, sockets });
    return server;
  };
  const close = async () => {
    await Promise.all(
      servers.map(async ({ server, sockets }) => {
        if (!server.listening) return;
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        for (const socket of sockets) socket.destroy();
        await closed;
      }),
    );
  };
  try {
    const http = { maxHeaderSize: HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS };
    const outer = make(
      tls
        ? process.getBuiltinModule('node:https').createServer({ ...tls, ...http }, listener)
        : createHttpServer(http, listener),
    );
    const port = await listenOnPort(options.wish, (wanted) => listen(outer, host, wanted), options.log);
    if (innerToken === null)
      return { port, innerUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, innerToken, close };
    const innerPort = await listen(make(createHttpServer({ keepAliveTimeout: KEEP_ALIVE_MS }, inner)), '127.0.0.1', 0);
    return { port, innerUrl: `http://127.0.0.1:${innerPort}`, innerToken, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve(portOf(server));
    });
  });

function secretOf(authorization: string | undefined): string | null {
  const [, scheme, value] = /^(bearer|token|basic) +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  if (scheme.toLowerCase() !== 'basic') return value;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
