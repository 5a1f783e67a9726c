import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WORKER_PATH } from '../../../contract/worker-protocol.ts';
import { Fault } from '../../../lib/fault.ts';
import { writeProblem } from './client-error.ts';
import { clientAddress, presenterOf } from './forwarded.ts';
import { refuseHost } from './origin.ts';
import type { LinkCredential } from '../../workers/port.ts';
import type { Services } from './services.ts';

/** The worker link: `GET /api/v1/worker` as a WebSocket, with a token of role worker. Whatever else asks for an upgrade is refused. */
export function handleUpgrade(services: Services) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const admitted = admit(request, services);
    if (admitted instanceof Fault) {
      if (isWorkerLink(request))
        services.workers.refused({
          address: clientAddress(request, services.proxies),
          code: admitted.code,
          message: admitted.message,
        });
      writeProblem(
        // Plain or encrypted, it is one of the network.
        socket as Socket,
        services.cluster.id,
        admitted,
        admitted.code.startsWith('TOKEN') ? ['www-authenticate: Bearer realm="yardmaster"'] : [],
      );
    } else services.workers.upgrade(request, socket, head, admitted);
  };
}

const isWorkerLink = ({ url }: IncomingMessage): boolean => url?.split('?')[0] === WORKER_PATH;

/** A master is no proxy. */
export const handleConnect =
  (masterId: string) =>
  (_request: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => socket.destroy());
    writeProblem(
      socket as Socket,
      masterId,
      new Fault('METHOD_NOT_ALLOWED', 'CONNECT is not allowed: the master is not a proxy'),
      ['allow: GET, HEAD, POST, PUT, PATCH, DELETE'],
    );
  };

function admit(request: IncomingMessage, services: Services): Fault | LinkCredential {
  const { access } = services;
  const host = refuseHost(request, services);
  if (host) return host;
  if (!isWorkerLink(request)) return new Fault('ROUTE_NOT_FOUND', `only ${WORKER_PATH} accepts WebSocket connections`);
  if (request.headers.upgrade?.toLowerCase() !== 'websocket')
    return new Fault('BAD_REQUEST', 'the worker link is a WebSocket: send `Upgrade: websocket`');
  const secret = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (request.headers.authorization === undefined)
    return new Fault('TOKEN_MISSING', 'send `Authorization: Bearer` with a token of the role worker');
  const identity = secret === undefined ? null : access.token(secret);
  if (!identity) {
    try {
      access.attempts.wrong(presenterOf(request, services.proxies), secret ?? '');
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
    return new Fault('TOKEN_INVALID', 'the token is unknown, revoked or expired');
  }
  if (identity.role !== 'worker' || secret === undefined)
    return new Fault(
      'FORBIDDEN',
      `the worker link needs a token with the role worker; ${identity.actor} has the role ${identity.role}`,
    );
  return {
    tokenId: identity.tokenId,
    address: clientAddress(request, services.proxies),
    environments: identity.environments,
    labels: identity.labels,
    isValid: () => access.token(secret) !== null,
    onEnded: access.onCredentialEnded,
    isActive: (id) => access.tokenById(id) !== null,
  };
}
