import type { FastifyRequest } from 'fastify';
import { ROUTES } from '../../../contract/routes.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Grant } from '../../access/port.ts';
import { cookieName, restingFault, sessionCookie } from '../core/auth.ts';
import { clientAddress, isEncrypted, presenterOf } from '../core/forwarded.ts';
import { foreignOrigin, sameOrigin } from '../core/origin.ts';
import { passkeyPlace } from '../core/passkey-place.ts';
import { route, type App } from '../core/route.ts';
import { sessionCookieText, setSession } from '../core/set-session.ts';

/** Signing in and out in a browser. */
export function sessionRoutes(app: App): void {
  const { access, proxies } = app.services;
  route(app, 'session.signIn', ({ body, request, reply }) => {
    if (foreignOrigin(request, proxies)) throw new Fault('CSRF', 'sign in from a page of this master');
    const session = access.signIn(body.token, clientAddress(request, proxies), request.headers['user-agent'] ?? null);
    if (!session && access.token(body.token)?.role === 'worker')
      throw new Fault('FORBIDDEN', 'a token with the role worker works only for the worker link');
    if (!session) {
      const resting = access.restingOf(body.token);
      if (resting !== null) throw restingFault(resting);
      access.attempts.wrong(presenterOf(request, proxies), body.token, 'session.refused');
      throw new Fault('TOKEN_INVALID', 'the token or sign-in code is unknown, used, revoked or expired');
    }
    setSession(app, request, reply, session);
  });
  route(app, 'session.ways', ({ request }) => ({
    password: access.users.hasPasswords,
    ...(access.passkeys.any && { passkey: passkeysAt(request) }),
    provider: access.oidc && { name: access.oidc.name, url: ROUTES['oidc.begin'].path },
  }));
  function passkeysAt(request: FastifyRequest): 'here' | 'elsewhere' {
    const { place } = passkeyPlace(request, app.services);
    return place !== null && access.passkeys.isAt(place.host) ? 'here' : 'elsewhere';
  }
  route(app, 'session.password', async ({ body, request, reply }) => {
    if (foreignOrigin(request, proxies)) throw new Fault('CSRF', 'sign in from a page of this master');
    const session = await access.signInByPassword(body, {
      ...presenterOf(request, proxies),
      client: request.headers['user-agent'] ?? null,
    });
    setSession(app, request, reply, session);
  });
  route(app, 'session.get', ({ identity }) => {
    const { actor, role, expiresAt, userId, grants } = identity;
    if (userId === null) return { actor, role, expiresAt };
    const { id, login, name, source, hasGrants } = access.users.get(userId);
    return {
      actor,
      role,
      expiresAt,
      user: { id, login, name, source, hasGrants },
      ...(grants && { grants: grants.map(allowed) }),
    };
  });
  const allowed = ({ role, project, environments }: Grant) => ({
    ...{ role, project, environments: environments && [...environments] },
    actions: [...(access.roles.actionsOf(role) ?? [])],
  });
  route(app, 'session.signOut', ({ request, reply }) => {
    const held = sessionCookie(request, proxies);
    if (held !== undefined) {
      if (!sameOrigin(request, proxies)) throw new Fault('CSRF', 'sign out from a page of this master');
      access.signOut(held, clientAddress(request, proxies));
    }
    reply.header('set-cookie', sessionCookieText(cookieName(request, proxies), '', 0, isEncrypted(request, proxies)));
  });
}
