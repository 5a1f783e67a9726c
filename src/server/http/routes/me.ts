import { PERSON_ROLES } from '../../../contract/users.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Access, Identity, SessionIdentity } from '../../access/port.ts';
import { route, type App } from '../core/route.ts';

/** Own tokens, for programs that act as the person who makes them. */
export function meRoutes(app: App): void {
  const { access } = app.services;

  route(app, 'me.tokens', ({ identity, query }) => access.tokens.list({ ...query, userId: personOf(identity) }));
  route(app, 'me.createToken', ({ body, identity, actor }) => {
    const userId = personOf(identity);
    const wanted = { ...body, role: body.role ?? 'admin', userId };
    return access.tokens.create({ ...wanted, expiresAt: endOfToken(access, identity, wanted) }, actor);
  });
  route(app, 'me.revokeToken', ({ params, identity, actor }) =>
    access.tokens.revoke(params.id, actor, personOf(identity)),
  );
}

/** When a token that somebody makes for themselves ends: by a token none is made that does more than itself, or goes on after its end. Throws FORBIDDEN. */
export function endOfToken(
  access: Pick<Access, 'tokenById'>,
  identity: Identity,
  wanted: { readonly role: string; readonly expiresAt?: string | null | undefined },
): string | null {
  const own = ownToken(access, identity);
  const expiresAt = wanted.expiresAt ?? own?.expiresAt ?? null;
  if (own && rankOf(wanted.role) > rankOf(identity.role))
    throw new Fault('FORBIDDEN', `a token makes none with more rights: it has the role ${identity.role}`);
  if (own?.expiresAt && expiresAt !== null && Date.parse(expiresAt) > Date.parse(own.expiresAt))
    throw new Fault('FORBIDDEN', `a token makes none that lasts longer: it expires at ${own.expiresAt}`);
  return expiresAt;
}

/** What somebody came with, or signed in with; null: they proved who they are. */
function ownToken(
  access: Pick<Access, 'tokenById'>,
  identity: Identity & Partial<SessionIdentity>,
): Pick<Identity, 'expiresAt'> | null {
  const { sessionId, tokenId } = identity;
  if (sessionId === undefined) return identity;
  return typeof tokenId === 'string' ? access.tokenById(tokenId) : null;
}

const rankOf = (role: string): number => PERSON_ROLES.findIndex((one) => one === role);

/** Throws USER_NOT_FOUND. */
export function personOf({ userId, actor }: Identity): string {
  if (userId === null)
    throw new Fault(
      'USER_NOT_FOUND',
      `${actor} is no person: it came with a token or a sign-in code that belongs to nobody`,
    );
  return userId;
}
