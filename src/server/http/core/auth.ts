import type { FastifyRequest } from 'fastify';
import type { Route } from '../../../contract/shapes.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Proxies } from '../../../lib/proxies.ts';
import type { Access, Identity } from '../../access/port.ts';
import type { Actor } from '../../workflows/port.ts';
import { clientAddress, presenterOf, requestHost, type Origins } from './forwarded.ts';
import { foreignOrigin, sameOrigin } from './origin.ts';

const RANK = { viewer: 0, operator: 1, admin: 2 } as const;
const BEARER = /^bearer +(\S+) *$/i;
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Who calls, by `Authorization: Bearer`, else by the session's cookie. Throws TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_ATTEMPTS, CSRF. */
export function identify(
  access: Access,
  request: Origins & { readonly method: string },
  proxies: Proxies | null,
): Identity {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const secret = BEARER.exec(authorization)?.[1];
    const identity = secret === undefined ? null : access.token(secret);
    if (!identity) {
      const resting = secret === undefined ? null : access.restingOf(secret);
      if (resting !== null) throw restingFault(resting);
      access.attempts.wrong(presenterOf(request, proxies), secret ?? authorization);
      throw new Fault(
        'TOKEN_INVALID',
        'the token is unknown, revoked or expired; create a new one in Settings or with `yardmaster tokens create`',
      );
    }
    return identity;
  }
  const cookie = sessionCookie(request, proxies);
  if (cookie === undefined) throw new Fault('TOKEN_MISSING', 'send `Authorization: Bearer <token>`, or sign in');
  const identity = access.session(cookie);
  if (!identity) throw new Fault('TOKEN_INVALID', 'the session has expired; sign in again');
  if (WRITES.has(request.method) ? !sameOrigin(request, proxies) : foreignOrigin(request, proxies))
    throw new Fault('CSRF', 'a request with a browser session must come from a page of this master');
  return identity;
}

/** A token that is right, and works again by itself: no reason to slow anybody down. */
export const restingFault = (login: string): Fault =>
  new Fault(
    'TOKEN_INVALID',
    `this token rests: the sign-in provider refused ${login}, or has not confirmed them for too long. It works again once ${login} signs in to this master with a browser`,
  );

/** Throws FORBIDDEN where the role does not reach what the route asks for. Workers reach their link alone. */
export function authorize(identity: Identity, needed: Exclude<Route['access'], 'key' | 'open'>): void {
  if (identity.role === 'worker')
    throw new Fault('FORBIDDEN', 'a token with the role worker works only for the worker link');
  if (needed === 'self') return;
  // Grants are weighed by the scope of the route.
  if (identity.grants !== null) return;
  if (RANK[identity.role] < RANK[needed])
    throw new Fault(
      'FORBIDDEN',
      `this request needs the role ${needed}; ${identity.actor} has the role ${identity.role}`,
    );
}

export const toActor = (identity: Identity, request: FastifyRequest, proxies: Proxies | null): Actor => ({
  name: identity.actor,
  role: identity.role,
  address: clientAddress(request, proxies),
  userId: identity.userId,
});

/** Cookies do not tell ports apart, so the port is part of the name: two masters on one machine keep their sessions. */
export function cookieName(request: Origins, proxies: Proxies | null): string {
  const port = /:(\d{1,5})$/.exec(requestHost(request, proxies) ?? '')?.[1];
  return port === undefined ? 'yardmaster' : `yardmaster_${port}`;
}

export const sessionCookie = (request: Origins, proxies: Proxies | null): string | undefined =>
  namedCookie(request, cookieName(request, proxies));

export function namedCookie({ headers }: Origins, name: string): string | undefined {
  if (headers.cookie === undefined) return undefined;
  for (const part of headers.cookie.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
