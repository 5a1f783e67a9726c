import type { Limits } from '../../contract/limits.ts';
import { every, type Clock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import { createAudit } from './audit.ts';
import { createKeys } from './keys.ts';
import type { Access } from './port.ts';
import { createRefusals } from './refusals.ts';
import { createSessions } from './sessions.ts';
import { createTokens } from './tokens.ts';

const FLUSH_MS = 5000;
/** How often it is looked whether a token or a session has expired on which something hangs. */
const EXPIRY_MS = 1000;

/** Keys, tokens, sessions, roles and the audit log. Loads all valid credentials: checking one never touches the disk. */
export function createAccess({
  store,
  clock,
  limits,
}: {
  store: Store;
  clock: Clock;
  limits: Readonly<Pick<Limits, 'sessionHours'>>;
}): Access {
  const audit = createAudit({ store, clock });
  const listeners = new Set<() => void>();
  function ended(): void {
    for (const listener of [...listeners]) listener();
  }
  const keys = createKeys({ store, clock, record: audit.record });
  const tokens = createTokens({
    store,
    clock,
    record: audit.record,
    onRevoked(tokenId) {
      sessions.endAllOf(tokenId);
      ended();
    },
  });
  const sessions = createSessions({
    store,
    clock,
    hours: limits.sessionHours,
    token: tokens.find,
    record: audit.record,
    onEnded: ended,
  });
  const refused = createRefusals({ store, clock, entry: audit.entry });

  // What fails here (a full disk) is only the time of a key's last use; the next round writes it.
  const stop = every(
    FLUSH_MS,
    async () => {
      sessions.sweep();
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
      if (listeners.size > 0 && (tokens.hasExpired(from, to) || sessions.hasExpired(from, to))) ended();
    },
    () => undefined,
  );

  return {
    key: keys.find,
    token: tokens.find,
    isActiveToken: tokens.isActive,
    onCredentialEnded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    session: sessions.find,
    signIn(token, address = null) {
      const session = sessions.signIn(token, address);
      if (!session) refused(address);
      return session;
    },
    signOut: sessions.signOut,
    oneTimeCode: sessions.oneTimeCode,
    watchLimits: keys.watchLimits,
    keys: keys.keys,
    tokens: tokens.tokens,
    audit,
    async close() {
      await stopExpiry();
      await stop();
      await keys.flush();
    },
  };
}
