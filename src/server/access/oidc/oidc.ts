import { randomBytes } from 'node:crypto';
import type { Limits } from '../../../contract/limits.ts';
import type { OidcOptions } from '../../../contract/process.ts';
import type { Clock } from '../../../lib/clock.ts';
import { errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import { oldestOfMost } from '../../../lib/oldest-of-most.ts';
import type { Cipher } from '../../secrets/port.ts';
import { groupOf } from '../../../lib/address-group.ts';
import type { Oidc } from '../people/port.ts';
import type { createUsers } from '../people/users.ts';
import { makeSecret, secretDigest } from '../secrets.ts';
import type { createSessions, ProviderPart } from '../sessions.ts';
import { admitProfile } from './admit-profile.ts';
import { profileOf } from './profile.ts';
import type { Checks, ProviderAnswer, ProviderClient } from './provider-client.ts';
import { seal, unseal } from './seal.ts';

interface Pending {
  readonly checks: Checks;
  readonly bindingDigest: string;
  readonly redirectUri: string;
  readonly returnTo: string;
  /** Of whoever began. */
  readonly from: string;
  readonly until: number;
}

type OidcLimits = Readonly<Pick<Limits, 'oidcSignInMinutes' | 'oidcPendingSignIns' | 'oidcCheckMinutes'>>;

/** Who was asked for more than so long ago counts as not confirmed by now. */
const AT_ONCE = 4;
const SAME_TROUBLE_MS = 60_000;

/**
 * Sign-ins that have begun are in memory, also in a cluster: the other masters forward every request to the one that owns
 * the state. Whoever is on the way while it changes begins again.
 */
export function createOidc({
  options,
  client,
  clock,
  limits,
  people,
  sessions,
  cipher,
  log,
}: {
  options: OidcOptions;
  client: ProviderClient;
  clock: Clock;
  limits: OidcLimits;
  people: ReturnType<typeof createUsers>;
  sessions: Pick<ReturnType<typeof createSessions>, 'signInUser' | 'ofProvider' | 'confirm' | 'providerOf'>;
  /** Null: not ready yet. */
  cipher(): Cipher | null;
  log(line: string): void;
}): Oidc {
  const pending = new Map<string, Pending>();
  const told = new Map<string, number>();
  /** One after the other: who comes twice at once is not made twice. */
  const admission = createSemaphore({ most: () => 1 });
  const admit = (answer: ProviderAnswer, address: string | null) =>
    admission.run(() => admitProfile(profile(answer), { options, people, clock, address }));
  const isOf = (one: Pending, binding: string): boolean =>
    one.bindingDigest === secretDigest(binding) && clock.now() < one.until;
  const goesOn = (binding: string): boolean => [...pending.values()].some((one) => isOf(one, binding));
  /** For the administrator: not each time anew. */
  function tell(message: string): void {
    const at = told.get(message);
    if (at !== undefined && clock.now() - at < SAME_TROUBLE_MS) return;
    if (told.size > 100) told.clear();
    told.set(message, clock.now());
    log(`sign-in: ${message}`);
  }
  async function telling<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      tell(errorMessage(error));
      throw error;
    }
  }
  const profile = (answer: ProviderAnswer) => profileOf(answer.claims, client.issuer, options.groupsClaim);
  const partOf = (
    answer: ProviderAnswer,
    before: { refreshToken: string | null; idToken: string | null; sid?: string | null | undefined },
  ): ProviderPart => ({
    confirmedAt: clock.now(),
    sid: typeof answer.claims['sid'] === 'string' ? answer.claims['sid'] : (before.sid ?? null),
    sealed: seal(cipher(), {
      // One that is not replaced goes on.
      refreshToken: answer.refreshToken ?? before.refreshToken,
      idToken: answer.idToken ?? before.idToken,
    }),
  });

  async function confirm(sessionId: string, userId: string, part: ProviderPart): Promise<'unreachable' | void> {
    const kept = unseal(cipher(), part.sealed);
    const user = people.find(userId);
    if (!kept?.refreshToken || !user?.subject) return;
    let next: string | null = null;
    try {
      const answer = await client.refresh(kept.refreshToken, { sub: user.subject }, (replaced) => (next = replaced));
      await admit(answer, null);
      sessions.confirm(sessionId, partOf(answer, { ...kept, sid: part.sid }));
    } catch (error) {
      const code = error instanceof Fault ? error.code : null;
      tell(`${user.login}: ${errorMessage(error)}`);
      if (code !== 'SIGN_IN_REFUSED' && code !== 'IDENTITY_REFUSED') {
        // The old one is used up: with it, the provider would take the master for a thief the next time.
        if (next !== null)
          sessions.confirm(sessionId, { ...part, sealed: seal(cipher(), { ...kept, refreshToken: next }) });
        return code === 'PROVIDER_UNREACHABLE' ? 'unreachable' : undefined;
      }
      await people.unconfirm(userId);
      sessions.confirm(sessionId, null);
    }
  }

  return {
    name: options.name,

    async begin({ redirectUri, returnTo, address, held }) {
      const secret = () => randomBytes(32).toString('base64url');
      const checks: Checks = { state: secret(), nonce: secret(), verifier: secret() };
      // A browser has one for all its tabs: another would push out that of a sign-in on the way.
      const isHeld = held !== undefined && goesOn(held);
      const binding = isHeld ? held : makeSecret('yo_');
      const url = await telling(() => client.authorizationUrl(redirectUri, checks));
      // Anybody may begin: who fills the places loses their own.
      const gone = pending.size >= limits.oidcPendingSignIns ? oldestOfMost(pending, ({ from }) => from) : undefined;
      if (gone !== undefined) pending.delete(gone);
      pending.set(checks.state, {
        ...{ checks, redirectUri, returnTo, from: groupOf(address), bindingDigest: secretDigest(binding) },
        until: clock.now() + limits.oidcSignInMinutes * 60_000,
      });
      return { url, binding };
    },

    goesOn,

    async finish(callback, binding, from) {
      const state = callback.searchParams.get('state') ?? '';
      const begun = pending.get(state);
      // Once, whatever comes of it.
      pending.delete(state);
      if (!begun || binding === undefined || !isOf(begun, binding))
        throw new Fault(
          'SIGN_IN_EXPIRED',
          'this sign-in was not begun in this browser, has ended already, or took too long: begin again',
        );
      const url = new URL(begun.redirectUri);
      url.search = callback.search;
      return telling(async () => {
        const answer = await client.finish(url, begun.checks);
        const { address } = from;
        const user = await admit(answer, address);
        const person = people.identityOf(user.id);
        if (!person) throw new Fault('IDENTITY_REFUSED', `${user.login} is disabled here`);
        const now = clock.now();
        const session = sessions.signInUser(
          person,
          'oidc',
          { address, client: from.client },
          (db) => people.touch(db, user.id, { last_sign_in_at: now, confirmed_at: now }),
          partOf(answer, { refreshToken: null, idToken: null }),
        );
        return { session, returnTo: begun.returnTo };
      });
    },

    async endSessionUrl(cookie, returnTo) {
      const part = sessions.providerOf(cookie);
      if (!part) return null;
      const kept = unseal(cipher(), part.sealed);
      // Signed out here in any case: what the provider makes of it is its own.
      return client.endSessionUrl(kept?.idToken ?? null, returnTo).catch(() => null);
    },

    async signedOutThere(logoutToken) {
      const { sub, sid } = await telling(() => client.logoutOf(logoutToken));
      const gone = sessions.ofProvider().filter(({ userId, provider }) => {
        if (sub === null) return provider.sid === sid;
        // Of one that did not say which it is there, nobody knows that it goes on.
        const isThat = sid === null || (provider.sid ?? sid) === sid;
        return isThat && people.find(userId)?.subject === sub;
      });
      for (const { sessionId } of gone) sessions.confirm(sessionId, null);
      return gone.length;
    },

    async check() {
      const now = clock.now();
      const due = sessions
        .ofProvider()
        .filter(({ provider }) => now - provider.confirmedAt >= limits.oidcCheckMinutes * 60_000)
        .sort((a, b) => a.provider.confirmedAt - b.provider.confirmedAt);
      for (let i = 0; i < due.length; i += AT_ONCE) {
        const some = due.slice(i, i + AT_ONCE);
        const results = await Promise.all(
          some.map(({ sessionId, userId, provider }) => confirm(sessionId, userId, provider)),
        );
        // The others are asked about once it answers again.
        if (results.includes('unreachable')) return;
      }
    },
  };
}
