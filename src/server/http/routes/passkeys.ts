import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../../lib/fault.ts';
import type { Identity, SessionIdentity } from '../../access/port.ts';
import { cookieName, namedCookie } from '../core/auth.ts';
import { isEncrypted, presenterOf } from '../core/forwarded.ts';
import { foreignOrigin } from '../core/origin.ts';
import { passkeyPlace, passkeyPlaceOrRefuse } from '../core/passkey-place.ts';
import { route, type App } from '../core/route.ts';
import { setSession } from '../core/set-session.ts';
import { adminAlone } from './admin-alone.ts';
import { personOf } from './me.ts';

const COOKIE_PATH = '/api/v1';

/** Passkeys: signing in with one, and the own ones. */
export function passkeyRoutes(app: App): void {
  const { access, proxies, limits } = app.services;
  const { passkeys, users } = access;

  const bindingName = (request: FastifyRequest): string => `${cookieName(request, proxies)}_passkey`;
  const bindingOf = (request: FastifyRequest) => namedCookie(request, bindingName(request));
  const placeOf = (request: FastifyRequest) => passkeyPlaceOrRefuse(request, app.services);
  const fromOf = (request: FastifyRequest) => ({
    ...presenterOf(request, proxies),
    client: request.headers['user-agent'] ?? null,
  });
  function bind(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
    const secure = isEncrypted(request, proxies) ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${bindingName(request)}=${value}; Path=${COOKIE_PATH}; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`,
    );
  }
  async function asked(
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    begin: Promise<{ options: object; binding: string }>,
  ) {
    const { options, binding } = await begin;
    bind(request, reply, binding, limits.passkeyMinutes * 60);
    reply.header('cache-control', 'no-store');
    return { options };
  }
  function refuseForeign(request: FastifyRequest): void {
    if (foreignOrigin(request, proxies)) throw new Fault('CSRF', 'sign in from a page of this master');
  }

  route(app, 'passkeys.beginSignIn', (call) => {
    refuseForeign(call.request);
    return asked(call, passkeys.beginSignIn(placeOf(call.request)));
  });
  route(app, 'passkeys.signIn', async ({ body, request, reply }) => {
    refuseForeign(request);
    const answered = { response: body.response, binding: bindingOf(request), place: placeOf(request) };
    setSession(app, request, reply, await passkeys.signIn(answered, fromOf(request)));
  });
  route(app, 'passkeys.beginFirst', (call) => {
    refuseForeign(call.request);
    return asked(call, passkeys.beginFirst(call.body, placeOf(call.request), presenterOf(call.request, proxies)));
  });
  route(app, 'passkeys.makeFirst', async ({ body, request, reply }) => {
    refuseForeign(request);
    const answered = { ...body, binding: bindingOf(request), place: placeOf(request) };
    setSession(app, request, reply, await passkeys.finishFirst(answered, fromOf(request)));
  });

  route(app, 'passkeys.list', ({ identity, request }) => {
    const id = personOf(identity);
    const { place, obstacle } = passkeyPlace(request, app.services);
    return {
      ...{ items: passkeys.list(id), most: passkeys.most(), host: place?.host ?? null },
      obstacle: isByName(identity) ? obstacle : 'TOKEN',
      hasPassword: passkeys.hasPassword(id),
    };
  });
  route(app, 'passkeys.confirm', (call) =>
    asked(call, passkeys.beginConfirm(atBrowser(call.identity), placeOf(call.request))),
  );
  route(app, 'passkeys.begin', (call) => {
    const { body, identity, request } = call;
    const { password, passkey } = body;
    const proof = password !== undefined ? { password } : passkey && { passkey, binding: bindingOf(request) };
    if (!proof || (password !== undefined && passkey !== undefined))
      throw new Fault('VALIDATION_FAILED', 'confirm who you are with the present password, or with a passkey', {
        errors: [{ pointer: '/password', message: 'expected this, or passkey' }],
      });
    const from = presenterOf(request, proxies);
    return asked(call, passkeys.beginAdd(atBrowser(identity), proof, placeOf(request), from));
  });
  route(app, 'passkeys.add', ({ body, identity, actor, request }) => {
    const answered = { ...body, binding: bindingOf(request), place: placeOf(request) };
    return passkeys.add(atBrowser(identity), answered, actor, presenterOf(request, proxies));
  });
  route(app, 'passkeys.rename', ({ params, body, identity, actor }) =>
    passkeys.rename(atBrowser(identity).userId, params.id, body.name, actor),
  );
  route(app, 'passkeys.remove', ({ params, identity, actor }) => {
    const { userId, sessionId } = atBrowser(identity);
    return passkeys.remove(userId, params.id, { keepSession: sessionId, isOwn: true }, actor);
  });
  route(app, 'passkeys.listOf', ({ params }) => ({ items: passkeys.list(users.get(params.id).id) }));
  route(app, 'passkeys.removeOf', ({ params, identity, actor }) => {
    const { id, role } = users.get(params.id);
    if (role === 'admin') adminAlone(identity, 'removes passkeys of an administrator');
    return passkeys.remove(id, params.passkeyId, { keepSession: null, isOwn: false }, actor);
  });
}

/** A person at their browser, who proved who they are: a token, which may do less, opens no way to do all. */
function atBrowser(identity: Identity): { userId: string; sessionId: string } {
  const userId = personOf(identity);
  const { sessionId } = identity as Partial<SessionIdentity>;
  if (sessionId === undefined || !isByName(identity))
    throw new Fault(
      'PERSON_NEEDED',
      'passkeys are changed by a person who signed in by name: with a password, or with a passkey',
    );
  return { userId, sessionId };
}

const isByName = (identity: Identity): boolean => {
  const { sessionId, tokenId } = identity as Partial<SessionIdentity>;
  return sessionId !== undefined && tokenId === null;
};
