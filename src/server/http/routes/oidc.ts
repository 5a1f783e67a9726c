import type { FastifyRequest } from 'fastify';
import { ROUTES } from '../../../contract/routes.ts';
import { SIGN_IN_FAILURES, type SignInFailure } from '../../../contract/sign-in-failures.ts';
import { Fault } from '../../../lib/fault.ts';
import { cookieName, namedCookie, sessionCookie } from '../core/auth.ts';
import { clientAddress, isEncrypted, presenterOf } from '../core/forwarded.ts';
import { originOf } from '../core/origin.ts';
import { ALREADY_SENT, route, type App } from '../core/route.ts';
import { sessionCookieText, setSession } from '../core/set-session.ts';

const CALLBACK = ROUTES['oidc.callback'].path;
/** The provider sends the browser back from another site: a strict cookie would stay behind. It opens nothing by itself. */
const BINDING_PATH = ROUTES['oidc.begin'].path;

/** Signing in at a provider of OpenID Connect: the browser goes there and comes back. */
export function oidcRoutes(app: App): void {
  const { access, proxies, limits } = app.services;

  const bindingName = (request: FastifyRequest): string => `${cookieName(request, proxies)}_oidc`;
  const bindingCookie = (request: FastifyRequest, value: string, seconds: number): string =>
    `${bindingName(request)}=${value}; Path=${BINDING_PATH}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isEncrypted(request, proxies) ? '; Secure' : ''}`;
  /** The console says what it means; the log and the audit log have the details. */
  function failed(error: unknown): string {
    const code = error instanceof Fault ? (error.code as SignInFailure) : null;
    if (code === null || !SIGN_IN_FAILURES.includes(code)) throw error;
    return `/#sign-in-failed=${code}`;
  }

  route(app, 'oidc.begin', async ({ query, request, reply }) => {
    const { oidc } = access;
    if (!oidc) {
      reply.redirect('/', 302);
      return ALREADY_SENT;
    }
    try {
      const { url, binding } = await oidc.begin({
        redirectUri: originOf(request, proxies) + CALLBACK,
        returnTo: ownPath(query.return),
        address: clientAddress(request, proxies),
        held: namedCookie(request, bindingName(request)),
      });
      reply.header('set-cookie', bindingCookie(request, binding, limits.oidcSignInMinutes * 60)).redirect(url, 302);
    } catch (error) {
      reply.redirect(failed(error), 302);
    }
    return ALREADY_SENT;
  });

  route(app, 'oidc.callback', async ({ request, reply }) => {
    const { oidc } = access;
    const presenter = presenterOf(request, proxies);
    const binding = namedCookie(request, bindingName(request));
    // Another tab may need it still.
    const clear = () => {
      if (binding === undefined || !oidc?.goesOn(binding)) reply.header('set-cookie', bindingCookie(request, '', 0));
      return reply;
    };
    try {
      if (!oidc) throw new Fault('SIGN_IN_EXPIRED', 'no provider is set');
      const { session, returnTo } = await oidc.finish(new URL(request.url, originOf(request, proxies)), binding, {
        ...presenter,
        client: request.headers['user-agent'] ?? null,
      });
      setSession(app, request, reply, session);
      clear().redirect(returnTo, 302);
    } catch (error) {
      let place = failed(error);
      try {
        // A page of another site may send a browser here: that would slow down whoever sits at it.
        if (binding !== undefined) access.attempts.wrong(presenter, 'oidc', 'session.refused');
      } catch (slowed) {
        place = failed(slowed);
      }
      clear().redirect(place, 302);
    }
    return ALREADY_SENT;
  });

  // A form, as the specification says: the token is all that counts of it.
  route(app, 'oidc.backChannelLogout', async ({ request, reply }) => {
    const text = Buffer.isBuffer(request.body) ? request.body.toString() : '';
    const token = new URLSearchParams(text).get('logout_token');
    reply.header('cache-control', 'no-store');
    try {
      if (!access.oidc || token === null) throw new Fault('LOGOUT_TOKEN_INVALID', 'expected a form with logout_token');
      return { ended: await access.oidc.signedOutThere(token) };
    } catch (error) {
      // So does a form of another site; a provider sends no origin.
      if (error instanceof Fault && error.code === 'LOGOUT_TOKEN_INVALID' && request.headers.origin === undefined)
        access.attempts.wrong(presenterOf(request, proxies), 'oidc', 'session.refused');
      throw error;
    }
  });

  // By another site's link it has no cookie with it, and does nothing.
  route(app, 'oidc.signOut', async ({ request, reply }) => {
    const held = sessionCookie(request, proxies);
    let place = '/';
    if (held !== undefined) {
      place = (await access.oidc?.endSessionUrl(held, `${originOf(request, proxies)}/`)) ?? '/';
      access.signOut(held, clientAddress(request, proxies));
    }
    const gone = sessionCookieText(cookieName(request, proxies), '', 0, isEncrypted(request, proxies));
    reply.header('set-cookie', gone).redirect(place, 302);
    return ALREADY_SENT;
  });
}

/** A path of this console, and nothing that a browser takes for another place (`//host`, `/\host`). */
export function ownPath(text: string | undefined): string {
  if (text === undefined || !/^\/(?![/\\])[\x21-\x7E]*$/.test(text) || text.includes('\\')) return '/';
  const base = 'http://own.invalid';
  const url = URL.parse(text, base);
  if (url === null || url.origin !== base || url.pathname.startsWith('//') || url.pathname.startsWith('/api/'))
    return '/';
  return url.pathname + url.search + url.hash;
}
