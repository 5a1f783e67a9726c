import { Fault } from '../../../lib/fault.ts';
import { cookieName, sessionCookie } from '../core/auth.ts';
import { foreignOrigin, sameOrigin } from '../core/origin.ts';
import { route, type App } from '../core/route.ts';

/** Signing in and out in a browser. */
export function sessionRoutes(app: App): void {
  const { access, behindProxy, tls } = app.services;

  route(app, 'session.signIn', ({ body, request, reply }) => {
    if (foreignOrigin(request.headers, behindProxy)) throw new Fault('CSRF', 'sign in from a page of this master');
    const session = access.signIn(body.token, request.ip);
    if (!session && access.token(body.token)?.role === 'worker')
      throw new Fault('FORBIDDEN', 'a token with the role worker works only for the worker link');
    if (!session) throw new Fault('TOKEN_INVALID', 'the token or sign-in code is unknown, used, revoked or expired');
    reply.header(
      'set-cookie',
      cookie(
        cookieName(request.headers, behindProxy),
        session.cookie,
        session.maxAgeSeconds,
        isSecure(request.protocol),
      ),
    );
  });
  route(app, 'session.get', ({ identity }) => ({
    actor: identity.actor,
    role: identity.role,
    expiresAt: identity.expiresAt,
  }));
  route(app, 'session.signOut', ({ request, reply }) => {
    const held = sessionCookie(request.headers, behindProxy);
    if (held !== undefined) {
      if (!sameOrigin(request.headers, behindProxy)) throw new Fault('CSRF', 'sign out from a page of this master');
      access.signOut(held, request.ip);
    }
    reply.header('set-cookie', cookie(cookieName(request.headers, behindProxy), '', 0, isSecure(request.protocol)));
  });

  const isSecure = (protocol: string): boolean =>
    (tls !== undefined && tls !== null) || (behindProxy && protocol === 'https');
}

/** No script reads it, no other site sends it. */
const cookie = (name: string, value: string, maxAge: number, secure: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
