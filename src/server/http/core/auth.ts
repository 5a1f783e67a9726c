import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from '../../../contract/shapes.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Access, Identity } from '../../access/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { foreignOrigin, requestHost, sameOrigin } from './origin.ts';

const RANK = { viewer: 0, operator: 1, admin: 2 } as const;
const BEARER = /^bearer +(\S+) *$/i;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Who calls, by `Authorization: Bearer`, else by the session's cookie. Throws TOKEN_MISSING, TOKEN_INVALID, CSRF. */
export function identify(access: Access, method: string, headers: IncomingHttpHeaders, behindProxy: boolean): Identity {
  const { authorization } = headers;
  if (authorization !== undefined) {
    const secret = BEARER.exec(authorization)?.[1];
    const identity = secret === undefined ? null : access.token(secret);
    if (!identity)
      throw new Fault(
        'TOKEN_INVALID',
        'the token is unknown, revoked or expired; create a new one in Settings or with `yardmaster tokens create`',
      );
    return identity;
  }
  const cookie = sessionCookie(headers, behindProxy);
  if (cookie === undefined) throw new Fault('TOKEN_MISSING', 'send `Authorization: Bearer <token>`, or sign in');
  const identity = access.session(cookie);
  if (!identity) throw new Fault('TOKEN_INVALID', 'the session has expired; sign in again');
  if (WRITES.has(method) ? !sameOrigin(headers, behindProxy) : foreignOrigin(headers, behindProxy))
    throw new Fault('CSRF', 'a request with a browser session must come from a page of this master');
  return identity;
}

/** Throws FORBIDDEN where the role does not reach what the route asks for. Workers reach their link alone. */
export function authorize(identity: Identity, needed: Exclude<Route['access'], 'key' | 'open'>): void {
  if (identity.role === 'worker')
    throw new Fault('FORBIDDEN', 'a token with the role worker works only for the worker link');
  if (RANK[identity.role] < RANK[needed])
    throw new Fault(
      'FORBIDDEN',
      `this request needs the role ${needed}; ${identity.actor} has the role ${identity.role}`,
    );
}

export const toActor = (identity: Identity, request: FastifyRequest): Actor => ({
  name: identity.actor,
  role: identity.role,
  address: request.ip,
});

/** Cookies do not tell ports apart, so the port is part of the name: two masters on one machine keep their sessions. */
export function cookieName(headers: IncomingHttpHeaders, behindProxy: boolean): string {
  const port = /:(\d{1,5})$/.exec(requestHost(headers, behindProxy) ?? '')?.[1];
  return port === undefined ? 'yardmaster' : `yardmaster_${port}`;
}

export function sessionCookie(headers: IncomingHttpHeaders, behindProxy: boolean): string | undefined {
  if (headers.cookie === undefined) return undefined;
  const name = cookieName(headers, behindProxy);
  for (const part of headers.cookie.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
