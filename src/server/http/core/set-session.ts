import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../access/port.ts';
import { cookieName } from './auth.ts';
import { isEncrypted } from './forwarded.ts';
import type { App } from './route.ts';

/** Gives the browser its session. */
export function setSession(app: App, request: FastifyRequest, reply: FastifyReply, session: SignedIn): void {
  const { proxies } = app.services;
  const secure = isEncrypted(request, proxies);
  reply.header(
    'set-cookie',
    sessionCookieText(cookieName(request, proxies), session.cookie, session.maxAgeSeconds, secure),
  );
}

/** No script reads it, no other site sends it. */
export const sessionCookieText = (name: string, value: string, maxAge: number, secure: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
