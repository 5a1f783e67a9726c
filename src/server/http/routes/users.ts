import type { User } from '../../../contract/users.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity, SessionIdentity } from '../../access/port.ts';
import { roleEverywhere } from '../../../lib/role-everywhere.ts';
import { secretDigest } from '../../access/secrets.ts';
import { presenterOf } from '../core/forwarded.ts';
import { route, type App } from '../core/route.ts';
import { adminAlone } from './admin-alone.ts';
import { personOf } from './me.ts';

/** People and service accounts. */
export function userRoutes(app: App): void {
  const { access, proxies } = app.services;
  const { users } = access;

  route(app, 'users.list', ({ query, identity }) => {
    const page = users.list(query);
    return { ...page, items: page.items.map((user) => shownTo(identity, user)) };
  });
  route(app, 'users.create', ({ body, identity, actor }) => {
    if (body.role !== undefined || (body.groups?.length ?? 0) > 0) adminAlone(identity, 'gives roles and groups');
    return users.create(body, actor);
  });
  route(app, 'users.me', ({ identity }) => users.get(personOf(identity)));
  route(app, 'users.changePassword', async ({ body, identity, actor, request }) => {
    const id = personOf(identity);
    const from = { ...presenterOf(request, proxies), isLocal: false };
    // Whoever has somebody's session does not get to guess their password quickly.
    const whose = secretDigest(`password ${id}`);
    access.attempts.check(from, whose);
    const keepSession = (identity as Partial<SessionIdentity>).sessionId ?? null;
    try {
      await users.changePassword(id, { ...body, keepSession, endTokens: body.endTokens ?? false }, actor);
    } catch (error) {
      if (error instanceof Fault && error.code === 'PASSWORD_INVALID')
        access.attempts.wrong(from, whose, 'session.refused');
      throw error;
    }
  });
  route(app, 'users.tokens', ({ params, query }) => access.tokens.list({ ...query, userId: users.get(params.id).id }));
  route(app, 'users.left', ({ params }) => access.left(users.get(params.id).id));
  route(app, 'users.revokeLeft', async ({ params, identity, actor }) => {
    const { id, role } = users.get(params.id);
    if (role === 'admin') adminAlone(identity, 'revokes what an administrator made');
    const { keys, tokens } = access.left(id);
    for (const key of keys) await access.keys.revoke(key.id, actor);
    for (const token of tokens) await access.tokens.revoke(token.id, actor);
    return { keys: keys.length, tokens: tokens.length };
  });
  route(app, 'users.createToken', ({ params, body, identity, actor }) => {
    adminAlone(identity, 'makes tokens for service accounts');
    const { id, kind, login } = users.get(params.id);
    if (kind !== 'service')
      throw new Fault('VALIDATION_FAILED', `${login} is a person: people make their own tokens`, {
        errors: [{ pointer: '/id', message: 'only of a service account' }],
      });
    return access.tokens.create({ ...body, role: body.role ?? 'admin', userId: id }, actor);
  });
  route(app, 'users.get', ({ params, identity }) => shownTo(identity, users.get(params.id)));
  route(app, 'users.update', ({ params, body, identity, actor }) => {
    if (body.disabled === true && identity.userId === params.id)
      throw new Fault('VALIDATION_FAILED', 'you cannot disable yourself: ask another administrator', {
        errors: [{ pointer: '/disabled', message: 'not of yourself' }],
      });
    if (body.disabled === true && users.get(params.id).role === 'admin')
      adminAlone(identity, 'disables an administrator');
    if (body.groups !== undefined) adminAlone(identity, 'gives groups');
    // Whoever the provider says has that address is let into the account at their first sign-in.
    if (body.email !== undefined && users.get(params.id).source === 'oidc')
      adminAlone(identity, 'says who an account at the provider is for');
    return users.update(params.id, body, actor);
  });
  route(app, 'users.delete', ({ params, identity, actor }) => {
    if (identity.userId === params.id)
      throw new Fault('VALIDATION_FAILED', 'you cannot delete yourself: ask another administrator', {
        errors: [{ pointer: '/id', message: 'not of yourself' }],
      });
    if (users.get(params.id).role === 'admin') adminAlone(identity, 'deletes an administrator');
    return users.remove(params.id, actor);
  });
  route(app, 'users.resetPassword', ({ params, body, identity, actor }) => {
    adminAlone(identity, 'resets passwords');
    const { keepTokens = false, keepPasskeys = false } = body;
    return users.resetPassword(params.id, { keepTokens, keepPasskeys }, actor);
  });
}

/** Where somebody can be reached is for administrators and themselves. */
const shownTo = (who: Identity, user: User): User =>
  roleEverywhere(who) === 'admin' || who.userId === user.id ? user : { ...user, email: null, lastSignInAt: null };
