import { BoundedMap } from '../../lib/bounded-map.ts';
import { iso, isoOrNull, type Clock } from '../../lib/clock.ts';
import type { Role } from '../../contract/vocabulary.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import { putRow } from '../store/rows.ts';
import { parseStored } from '../../lib/json.ts';
import { Fault } from '../../lib/fault.ts';
import { oldestOfMost } from '../../lib/oldest-of-most.ts';
import { pageOf } from '../../lib/page.ts';
import type { OpenSession } from '../../contract/access.ts';
import type { Actor } from '../workflows/port.ts';
import { groupOf } from '../../lib/address-group.ts';
import type { Access, Identity, PersonIdentity, SessionIdentity } from './port.ts';
import { secretDigest, findBySecret, makeSecret } from './secrets.ts';
import { roleEverywhere } from '../../lib/role-everywhere.ts';
import type { TimedToken } from './tokens.ts';

interface Session extends Omit<SessionIdentity, 'grants'> {
  readonly until: number;
  /** Null: of a master that did not keep it yet. */
  readonly createdAt: number | null;
  readonly address: string | null;
  readonly client: string | null;
  /** Not kept: a restart forgets it. */
  lastSeenAt: number | null;
  /** Null: no provider vouches for it. */
  provider: ProviderPart | null;
}

/** What a sign-in at a provider left. */
export interface ProviderPart {
  /** When the provider confirmed it last. */
  readonly confirmedAt: number;
  /** Its tokens, encrypted; null: there is nothing to ask it again with. */
  readonly sealed: string | null;
  /** The session there; null: it did not say. */
  readonly sid?: string | null;
}

interface Row {
  hash: string;
  actor: string;
  role: Role;
  token_id: string | null;
  expires_at: number;
  created_at: number | null;
  address: string | null;
  client: string | null;
  user_id: string | null;
  provider: string | null;
}

/** Where somebody signs in from. */
interface Origin {
  readonly address: string | null;
  readonly client: string | null;
}
const CLIENT_CHARACTERS = 200;

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
  unconfirmedMinutes,
  token,
  tokenById,
  record,
  personOf,
  onEnded,
}: {
  store: Store;
  clock: Clock;
  hours: number;
  /** How long one lasts after its provider confirmed it. */
  unconfirmedMinutes(): number;
  token(secret: string): TimedToken | null;
  /** Null: may not come in. */
  tokenById(id: string): TimedToken | null;
  record: Access['audit']['record'];
  /** Null: may not come in. */
  personOf(userId: string): PersonIdentity | null;
  /** A session was ended before its time. */
  onEnded(): void;
}) {
  const sessions = new Map<string, Session>();
  const codes = new BoundedMap<string, { role: Role; until: number }>(MAX_CODES);
  for (const row of store.read.query<Row>('SELECT * FROM session ORDER BY expires_at').iterate())
    sessions.set(row.hash, {
      sessionId: idOf(row.hash),
      actor: row.actor,
      role: row.role,
      expiresAt: iso(row.expires_at),
      tokenId: row.token_id,
      userId: row.user_id,
      until: row.expires_at,
      createdAt: row.created_at,
      address: row.address,
      client: row.client,
      lastSeenAt: null,
      provider: row.provider === null ? null : parseStored<ProviderPart>(row.provider),
    });

  /** The cookie works at once; keeping it for the next start need not be waited for. A store that refuses costs a sign-in after a restart. */
  const keep = (command: Parameters<Store['write']>[0]) => void store.write(command).catch(() => undefined);

  function drop(digest: string): void {
    if (sessions.delete(digest)) keep((db) => db.statement('DELETE FROM session WHERE hash = ?').run(digest));
  }

  function open(
    who: { actor: string; role: Role; tokenId: string | null; userId: string | null; by: string },
    atMost: number,
    { address, client }: Origin,
    also: (db: WriteHandle) => void = () => undefined,
    provider: ProviderPart | null = null,
  ): NonNullable<ReturnType<Access['signIn']>> {
    const { actor, role, tokenId, userId, by } = who;
    const now = clock.now();
    const until = Math.min(now + hours * 3_600_000, atMost);
    const cookie = makeSecret('ys_');
    const digest = secretDigest(cookie);
    const session: Session = {
      ...{ sessionId: idOf(digest), actor, role, expiresAt: iso(until), tokenId, userId, until },
      ...{ createdAt: now, address, client: client?.slice(0, CLIENT_CHARACTERS) ?? null, lastSeenAt: now, provider },
    };
    const oldest = sessions.size >= MAX_SESSIONS ? oldestOfMost(sessions, ownerOf) : undefined;
    if (oldest !== undefined) drop(oldest);
    sessions.set(digest, session);
    keep((db) => {
      putRow(db, 'session', {
        hash: digest,
        actor,
        role,
        token_id: tokenId,
        expires_at: until,
        created_at: now,
        address,
        client: session.client,
        user_id: userId,
        provider: provider && JSON.stringify(provider),
      });
      also(db);
      record(
        db,
        { name: actor, role, address },
        {
          action: 'session.sign-in',
          target: targetOf(digest),
          before: null,
          after: { by, expiresAt: iso(until) },
        },
      );
    });
    return {
      cookie,
      identity: identityOf(session) ?? { ...session, grants: [] },
      maxAgeSeconds: Math.max(0, Math.floor((until - now) / 1000)),
    };
  }

  const endOf = ({ until, provider }: Session): number =>
    provider === null ? until : Math.min(until, provider.confirmedAt + unconfirmedMinutes() * 60_000);

  /** As it is now: what a person may do can change while they are signed in. */
  function identityOf(session: Session): SessionIdentity | null {
    if (session.userId === null) return { ...session, grants: null };
    const { tokenId, userId } = session;
    // One that was made from a token of theirs does no more than that token.
    const who = tokenId === null ? personOf(userId) : tokenById(tokenId);
    return who && { ...session, actor: who.actor, role: who.role, userId, grants: who.grants };
  }

  return {
    signIn(secret: string, from: Origin): ReturnType<Access['signIn']> {
      const code = findBySecret(codes, secret);
      if (code) {
        codes.delete(secretDigest(secret));
        return clock.now() < code.until
          ? open(
              { actor: 'local', role: code.role, tokenId: null, userId: null, by: 'code' },
              Number.POSITIVE_INFINITY,
              from,
            )
          : null;
      }
      const identity = token(secret);
      // A worker's token reaches the worker link only: a browser could do nothing with it.
      return identity && identity.role !== 'worker'
        ? open({ ...identity, by: `token:${identity.tokenId}` }, identity.until, from)
        : null;
    },
    /** Of a person who has proven who they are. `also` runs in the transaction that keeps it. */
    signInUser: (
      person: PersonIdentity,
      by: string,
      from: Origin,
      also: (db: WriteHandle) => void,
      provider: ProviderPart | null = null,
    ): NonNullable<ReturnType<Access['signIn']>> =>
      open({ ...person, tokenId: null, by }, Number.POSITIVE_INFINITY, from, also, provider),
    /** Those that a provider vouches for. */
    ofProvider: (): { sessionId: string; userId: string; provider: ProviderPart }[] =>
      [...sessions.values()].flatMap(({ sessionId, userId, provider }) =>
        provider && userId !== null ? [{ sessionId, userId, provider }] : [],
      ),
    /** What the provider says of it now; null: no longer anything good, which ends it. */
    confirm(sessionId: string, provider: ProviderPart | null): void {
      const found = [...sessions].find(([, one]) => one.sessionId === sessionId);
      if (!found) return;
      const [digest, session] = found;
      if (provider === null) {
        drop(digest);
        onEnded();
        const ender = { name: 'provider', role: null, address: null };
        keep((db) =>
          record(db, ender, {
            action: 'session.end',
            target: targetOf(digest),
            before: { actor: session.actor, expiresAt: session.expiresAt },
            after: null,
          }),
        );
        return;
      }
      session.provider = provider;
      keep((db) =>
        db.statement('UPDATE session SET provider = ? WHERE hash = ?').run(JSON.stringify(provider), digest),
      );
    },
    /** What its sign-in at the provider left; null: there is no such session, or no provider. */
    providerOf: (cookie: string): ProviderPart | null => findBySecret(sessions, cookie)?.provider ?? null,
    find(cookie: string): SessionIdentity | null {
      const session = findBySecret(sessions, cookie);
      const now = clock.now();
      if (session === null || now >= endOf(session)) return null;
      session.lastSeenAt = now;
      return identityOf(session);
    },
    list(who: Identity, wanted: { page: number; size: number }) {
      const now = clock.now();
      const seen = [...sessions.values()]
        .filter((session) => now < endOf(session) && mayEnd(who, session))
        .sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
      const first = wanted.page * wanted.size;
      return pageOf(
        seen.slice(first, first + wanted.size).map((session) => shown(session, who)),
        wanted,
        seen.length,
      );
    },
    async end(id: string, who: Identity, actor: Actor): Promise<void> {
      const found = [...sessions].find(([, session]) => session.sessionId === id && mayEnd(who, session));
      if (!found) throw new Fault('SESSION_NOT_FOUND', `session ${id} not found among those that you may end`);
      const [digest, session] = found;
      sessions.delete(digest);
      onEnded();
      await store.write((db) => {
        db.statement('DELETE FROM session WHERE hash = ?').run(digest);
        record(db, actor, {
          action: 'session.end',
          target: targetOf(digest),
          before: shown(session, who),
          after: null,
        });
      });
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
    /** Inside a transaction; what is returned is called once it is committed. */
    endAllOfUser(db: WriteHandle, userId: string, except: string | null): () => void {
      const isGone = (one: Session) => one.userId === userId && one.sessionId !== except;
      for (const [digest, one] of sessions)
        if (isGone(one)) db.statement('DELETE FROM session WHERE hash = ?').run(digest);
      return () => {
        // With those that were made meanwhile.
        for (const [digest, one] of sessions) if (isGone(one)) drop(digest);
        onEnded();
      };
    },
    /** True where somebody is signed in from there: what others get wrong does not lock them out. */
    isKnown: (userId: string, address: string | null): boolean =>
      [...sessions.values()].some((one) => one.userId === userId && groupOf(one.address) === groupOf(address)),
    hasExpired: (from: number, to: number): boolean =>
      [...sessions.values()].some((session) => endOf(session) > from && endOf(session) <= to),
    sweep(): void {
      const now = clock.now();
      for (const [digest, code] of codes) if (now >= code.until) codes.delete(digest);
      for (const [digest, session] of sessions) if (now >= endOf(session)) drop(digest);
    },
  };
}

/** Names a session to people and in the audit log; nothing of its secret. */
const idOf = (digest: string): string => Buffer.from(digest, 'base64').toString('hex').slice(0, 16);
const targetOf = (digest: string): string => `session:${idOf(digest)}`;

/** Whoever signs in again and again ends sessions of their own, not those of others. */
const ownerOf = ({ userId, tokenId, actor }: Session): string => userId ?? tokenId ?? actor;

/** Admins may end any; people their own; others those of the token that they came with. */
const mayEnd = (who: Identity, session: Session): boolean =>
  roleEverywhere(who) === 'admin' ||
  (session.userId === null
    ? who.userId === null && who.actor === session.actor && tokenIdOf(who) === session.tokenId
    : who.userId === session.userId);
const tokenIdOf = (who: Identity): string | null | undefined => (who as Partial<SessionIdentity>).tokenId;

const shown = (session: Session, who: Identity): OpenSession => ({
  id: session.sessionId,
  actor: session.actor,
  role: session.role,
  tokenId: session.tokenId,
  createdAt: isoOrNull(session.createdAt),
  expiresAt: session.expiresAt,
  lastSeenAt: isoOrNull(session.lastSeenAt),
  address: session.address,
  client: session.client,
  current: (who as Partial<SessionIdentity>).sessionId === session.sessionId,
});
