import { Fault } from '../../../lib/fault.ts';
import { cookieName, sessionCookie } from '../core/auth.ts';
import { foreignOrigin, sameOrigin } from '../core/origin.ts';
import { route, type App } from '../core/route.ts';

/** Keys, tokens, sign-in and the audit log. */
export function accessRoutes(app: App): void {
  const { access, behindProxy, tls } = app.services;

  route(app, 'keys.list', ({ query }) => access.keys.list(query));
  route(app, 'keys.create', ({ body, actor }) => access.keys.create(body, actor));
  route(app, 'keys.update', ({ params, body, actor }) => access.keys.update(params.id, body, actor));
  route(app, 'keys.revoke', ({ params, actor }) => access.keys.revoke(params.id, actor));
  route(app, 'keys.rotate', ({ params, body, actor }) =>
    access.keys.rotate(params.id, body.overlapSeconds ?? 0, actor),
  );

  route(app, 'tokens.list', ({ query }) => access.tokens.list(query));
  route(app, 'tokens.create', ({ body, actor }) => access.tokens.create(body, actor));
  route(app, 'tokens.revoke', ({ params, actor }) => access.tokens.revoke(params.id, actor));

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
  route(app, 'audit.list', ({ query }) => access.audit.list(query));

  const isSecure = (protocol: string): boolean =>
    (tls !== undefined && tls !== null) || (behindProxy && protocol === 'https');
}

/** No script reads it, no other site sends it. */
const cookie = (name: string, value: string, maxAge: number, secure: boolean): string =>
  `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
