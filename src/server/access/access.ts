import type { Limits } from '../../contract/limits.ts';
import type { OidcOptions } from '../../contract/process.ts';
import { every, type Clock } from '../../lib/clock.ts';
import type { Cipher } from '../secrets/port.ts';
import type { Store } from '../store/port.ts';
import { createAudit } from './audit.ts';
import { createGrants } from './grants.ts';
import { createKeys } from './keys.ts';
import { createOidc } from './oidc/oidc.ts';
import { createProviderClient } from './oidc/provider-client.ts';
import { createDeviceLogins } from './people/device-logins.ts';
import { createPasswordSignIn } from './people/password-sign-in.ts';
import { createPasskeys } from './passkeys/passkeys.ts';
import { removeAllPasskeys } from './passkeys/rows.ts';
import { createPasswords } from './people/passwords.ts';
import { createUsers } from './people/users.ts';
import type { Access } from './port.ts';
import { createAttempts } from './attempts.ts';
import { createPayloadReads } from './payload-reads.ts';
import { createPolicy } from './policy.ts';
import { createProjects } from './projects.ts';
import { createRefusals } from './refusals.ts';
import { principalOf } from './principal.ts';
import { createRoles } from './roles.ts';
import { createSessions } from './sessions.ts';
import { doubtAbout } from './standing.ts';
import { createTokens } from './tokens.ts';

const FLUSH_MS = 5000;
/** How often it is looked whose turn it is to be confirmed by the provider. */
const CHECK_MS = 15_000;
/** How often it is looked whether a token or a session has expired on which something hangs. */
const EXPIRY_MS = 1000;

type AccessLimits = Readonly<
  Pick<
    Limits,
    | 'oidcSessionMinutes'
    | 'oidcClockSeconds'
    | 'sessionHours'
    | 'wrongTokens'
    | 'wrongTokensLocal'
    | 'wrongTokensBackoffSeconds'
    | 'auditPayloadReads'
    | 'projects'
    | 'customRoles'
    | 'grantsPerPerson'
  >
> &
  Parameters<typeof createPasswords>[0] &
  Parameters<typeof createUsers>[0]['limits'] &
  Parameters<typeof createOidc>[0]['limits'] &
  Parameters<typeof createPasskeys>[0]['limits'] &
  Parameters<typeof createDeviceLogins>[0]['limits'];

/** Keys, tokens, people, sessions, roles and the audit log. Loads all valid credentials: checking one never touches the disk. */
export function createAccess({
  store,
  clock,
  limits,
  oidc: provider = null,
  log = () => undefined,
}: {
  store: Store;
  clock: Clock;
  limits: AccessLimits;
  /** Null: people sign in here alone. */
  oidc?: { readonly options: OidcOptions; cipher(): Cipher | null } | null;
  log?(line: string): void;
}): Access {
  const audit = createAudit({ store, clock });
  const listeners = new Set<() => void>();
  function ended(): void {
    for (const listener of [...listeners]) listener();
  }
  const roles = createRoles({
    store,
    clock,
    limits,
    record: audit.record,
    isUsed: (id) => grants.list().some(({ role }) => role === id),
    onChanged: () => grants.forget(),
  });
  const projects = createProjects({
    store,
    clock,
    limits,
    record: audit.record,
    isUsed: (id) => grants.list().some(({ project }) => project === id),
  });
  const grants = createGrants({
    store,
    clock,
    limits,
    record: audit.record,
    roles: { has: (id) => roles.actionsOf(id) !== null },
    projects,
    onChanged: ended,
  });
  const keys = createKeys({ store, clock, record: audit.record });
  const passwords = createPasswords(limits);
  const people = createUsers({
    ...{ store, clock, limits, passwords, record: audit.record },
    grantsOf: grants.of,
    async grant(subject, role, actor) {
      await grants.create({ subjectKind: 'user', subject, role, project: null, environments: null }, actor);
    },
    endSessions: (db, userId, except) => sessions.endAllOfUser(db, userId, except),
    endTokens(db, userId) {
      const ended = tokens.endAllOfUser(db, userId);
      return () => {
        ended();
        deviceLogins.endAllOfUser(userId);
      };
    },
    endGrants: (db, userId) => grants.endAllOfUser(db, userId),
    removePasskeys: removeAllPasskeys,
    onLapsed: ended,
  });
  const tokens = createTokens({
    store,
    clock,
    record: audit.record,
    personOf: (id) => (people.isConfirmed(id) ? people.identityOf(id) : null),
    onRevoked(tokenId) {
      sessions.endAllOf(tokenId);
      ended();
    },
  });
  const sessions = createSessions({
    store,
    clock,
    hours: limits.sessionHours,
    unconfirmedMinutes: () => limits.oidcSessionMinutes,
    token: tokens.find,
    tokenById: tokens.byId,
    record: audit.record,
    personOf: people.identityOf,
    onEnded: ended,
  });
  const refusals = createRefusals({ store, clock, record: audit.record });
  const payloadReads = createPayloadReads({
    ...{ store, clock, limits, record: audit.record },
    principal: (identity) => principalOf(store.read, identity),
  });
  const attempts = createAttempts({ clock, limits, refused: refusals.add });
  const deviceLogins = createDeviceLogins({
    ...{ clock, limits, tokens: tokens.tokens, note: audit.note },
    personOf: people.identityOf,
  });
  const byPassword = createPasswordSignIn({ clock, passwords, people, attempts, sessions });
  const passkeys = createPasskeys({
    ...{ store, clock, limits, passwords, people, attempts, sessions, record: audit.record },
    prove: byPassword.prove,
  });
  const oidc =
    provider &&
    createOidc({
      ...{ clock, limits, people, sessions, log, options: provider.options, cipher: provider.cipher },
      client: createProviderClient(provider.options, {
        clockSeconds: () => limits.oidcClockSeconds,
        now: () => clock.now(),
      }),
    });
  const stopChecks = oidc ? every(CHECK_MS, oidc.check, () => undefined) : async () => undefined;

  // What fails here (a full disk) is only the time of a key's last use; the next round writes it.
  const stop = every(
    FLUSH_MS,
    async () => {
      sessions.sweep();
      await refusals.flush();
      await payloadReads.flush();
      await keys.flush();
    },
    () => undefined,
  );

  let lookedAt = clock.now();
  const stopExpiry = every(
    EXPIRY_MS,
    () => {
      const [from, to] = [lookedAt, clock.now()];
      lookedAt = to;
      if (
        listeners.size > 0 &&
        (tokens.hasExpired(from, to) || sessions.hasExpired(from, to) || people.hasLapsed(from, to))
      )
        ended();
    },
    () => undefined,
  );

  return {
    key: keys.find,
    token: tokens.find,
    tokenById: tokens.byId,
    doubtAbout,
    restingOf(secret) {
      const userId = tokens.ownerOf(secret);
      return userId === null || people.isConfirmed(userId) ? null : (people.identityOf(userId)?.actor ?? null);
    },
    onCredentialEnded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    session: sessions.find,
    grants,
    roles,
    projects,
    policy: createPolicy(roles.actionsOf),
    signIn: (token, address = null, client = null) => sessions.signIn(token, { address, client }),
    signInByPassword: byPassword.signIn,
    passkeys,
    attempts,
    payloadReads,
    signOut: sessions.signOut,
    principal: (identity) => principalOf(store.read, identity),
    oneTimeCode: sessions.oneTimeCode,
    watchLimits: keys.watchLimits,
    keys: keys.keys,
    users: people.users,
    left: (userId) => ({ keys: keys.madeBy(userId), tokens: tokens.madeBy(userId) }),
    deviceLogins,
    tokens: tokens.tokens,
    sessions: { list: sessions.list, end: sessions.end },
    audit,
    oidc,
    async close() {
      await stopChecks();
      await stopExpiry();
      await stop();
      await refusals.flush(true);
      await payloadReads.flush(true);
      await keys.flush();
    },
  };
}
