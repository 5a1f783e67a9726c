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
  const keys = createKeys({ store, clock, record: audit.record });
  const tokens = createTokens({
    store,
    clock,
    record: audit.record,
    onRevoked: (tokenId) => sessions.endAllOf(tokenId),
  });
  const sessions = createSessions({
    store,
    clock,
    hours: limits.sessionHours,
    token: tokens.find,
    record: audit.record,
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

  return {
    key: keys.find,
    token: tokens.find,
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
      await stop();
      await keys.flush();
    },
  };
}
