import { BoundedMap } from '../../lib/bounded-map.ts';
import { iso, type Clock } from '../../lib/clock.ts';
import type { Role } from '../../contract/vocabulary.ts';
import type { Store } from '../store/port.ts';
import type { Access, Identity } from './port.ts';
import { secretDigest, findBySecret, makeSecret } from './secrets.ts';
import type { TimedToken } from './tokens.ts';

interface Session extends Identity {
  readonly tokenId: string | null;
  readonly until: number;
}

const CODE_MS = 5 * 60_000;
const MAX_SESSIONS = 10_000;
const MAX_CODES = 1000;

/**
 * Browser sessions and one-time sign-in codes. Sessions outlive a restart of the master (an open console goes on);
 * codes do not. A session ends with its time, with sign-out, and with the token it was made from.
 */
export function createSessions({
  store,
  clock,
  hours,
  token,
  record,
  onEnded,
}: {
  store: Store;
  clock: Clock;
  hours: number;
  token(secret: string): TimedToken | null;
  record: Access['audit']['record'];
  /** A session was ended before its time. */
  onEnded(): void;
}) {
  const sessions = new Map<string, Session>();
  const codes = new BoundedMap<string, { role: Role; until: number }>(MAX_CODES);
  for (const row of store.read
    .query<{ hash: string; actor: string; role: Role; token_id: string | null; expires_at: number }>(
      'SELECT * FROM session ORDER BY expires_at',
    )
    .iterate())
    sessions.set(row.hash, {
      actor: row.actor,
      role: row.role,
      expiresAt: iso(row.expires_at),
      tokenId: row.token_id,
      until: row.expires_at,
    });

  /** The cookie works at once; keeping it for the next start need not be waited for. A store that refuses costs a sign-in after a restart. */
  const keep = (command: Parameters<Store['write']>[0]) => void store.write(command).catch(() => undefined);

  function drop(digest: string): void {
    if (sessions.delete(digest)) keep((db) => db.statement('DELETE FROM session WHERE hash = ?').run(digest));
  }

  function open(
    actor: string,
    role: Role,
    tokenId: string | null,
    atMost: number,
    address: string | null,
  ): NonNullable<ReturnType<Access['signIn']>> {
    const now = clock.now();
    const until = Math.min(now + hours * 3_600_000, atMost);
    const cookie = makeSecret('ys_');
    const digest = secretDigest(cookie);
    const session: Session = { actor, role, expiresAt: iso(until), tokenId, until };
    const oldest = sessions.size >= MAX_SESSIONS ? sessions.keys().next().value : undefined;
    if (oldest !== undefined) drop(oldest);
    sessions.set(digest, session);
    keep((db) => {
      db.statement('INSERT INTO session (hash, actor, role, token_id, expires_at) VALUES (?, ?, ?, ?, ?)').run(
        digest,
        actor,
        role,
        tokenId,
        until,
      );
      record(
        db,
        { name: actor, role, address },
        {
          action: 'session.sign-in',
          target: targetOf(digest),
          before: null,
          after: { by: tokenId === null ? 'code' : `token:${tokenId}`, expiresAt: iso(until) },
        },
      );
    });
    return { cookie, identity: session, maxAgeSeconds: Math.max(0, Math.floor((until - now) / 1000)) };
  }

  return {
    signIn(secret: string, address: string | null): ReturnType<Access['signIn']> {
      const code = findBySecret(codes, secret);
      if (code) {
        codes.delete(secretDigest(secret));
        return clock.now() < code.until ? open('local', code.role, null, Number.POSITIVE_INFINITY, address) : null;
      }
      const identity = token(secret);
      // A worker's token reaches the worker link only: a browser could do nothing with it.
      return identity && identity.role !== 'worker'
        ? open(identity.actor, identity.role, identity.tokenId, identity.until, address)
        : null;
    },
    find(cookie: string): Identity | null {
      const session = findBySecret(sessions, cookie);
      return session !== null && clock.now() < session.until ? session : null;
    },
    signOut(cookie: string, address: string | null = null): void {
      const digest = secretDigest(cookie);
      const session = sessions.get(digest);
      if (!session) return;
      drop(digest);
      onEnded();
      keep((db) =>
        record(
          db,
          { name: session.actor, role: session.role, address },
          {
            action: 'session.sign-out',
            target: targetOf(digest),
            before: { expiresAt: session.expiresAt },
            after: null,
          },
        ),
      );
    },
    oneTimeCode(role: Role): string {
      const secret = makeSecret('yc_');
      codes.set(secretDigest(secret), { role, until: clock.now() + CODE_MS });
      return secret;
    },
    /** The rows of these went in the transaction that revoked the token. */
    endAllOf(tokenId: string): void {
      for (const [digest, session] of sessions) if (session.tokenId === tokenId) sessions.delete(digest);
    },
    hasExpired: (from: number, to: number): boolean =>
      [...sessions.values()].some(({ until }) => until > from && until <= to),
    sweep(): void {
      const now = clock.now();
      for (const [digest, code] of codes) if (now >= code.until) codes.delete(digest);
      for (const [digest, session] of sessions) if (now >= session.until) drop(digest);
    },
  };
}

/** Names a session in the audit log; nothing of its secret. */
const targetOf = (digest: string): string => `session:${Buffer.from(digest, 'base64').toString('hex').slice(0, 16)}`;
