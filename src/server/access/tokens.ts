import { putRow, readPage } from '../store/rows.ts';
import type { Token } from '../../contract/access.ts';
import type { Role } from '../../contract/vocabulary.ts';
import { iso, isoOrNull, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Store } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { Access, TokenIdentity } from './port.ts';
import { secretDigest, findBySecret, makeSecret, visiblePrefix } from './secrets.ts';

interface Row {
  id: string;
  name: string;
  role: Role;
  prefix: string;
  hash: string;
  own: number;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  revoked_at: number | null;
}

export interface TimedToken extends TokenIdentity {
  readonly until: number;
}

const MASTER: Actor = { name: 'yardmaster', role: 'admin', address: null };

/** Operator and worker tokens. All valid ones are in memory by their digest. `onRevoked` ends what hangs on one. */
export function createTokens({
  store,
  clock,
  record,
  onRevoked,
}: {
  store: Store;
  clock: Clock;
  record: Access['audit']['record'];
  onRevoked(tokenId: string): void;
}) {
  const byDigest = new Map<string, TimedToken>();
  for (const row of store.read.query<Row>('SELECT * FROM token WHERE revoked_at IS NULL').iterate())
    byDigest.set(row.hash, identityOf(row));

  function forget(id: string): void {
    for (const [digest, { tokenId }] of byDigest) if (tokenId === id) byDigest.delete(digest);
    onRevoked(id);
  }

  const tokens: Access['tokens'] = {
    list: async (wanted) => readPage(store.read, { from: 'token', order: 'id DESC' }, wanted, tokenOf),

    async create({ name, role, expiresAt }, actor) {
      const secret = makeSecret('yt_');
      const now = clock.now();
      const row = rowFor({
        name,
        role,
        secret,
        own: 0,
        now,
        createdBy: actor.name,
        expiresAt: expiresAt ? Date.parse(expiresAt) : null,
      });
      await store.write((db) => {
        putRow(db, 'token', { ...row });
        record(db, actor, { action: 'token.create', target: `token:${row.id}`, before: null, after: tokenOf(row) });
      });
      byDigest.set(row.hash, identityOf(row));
      return { ...tokenOf(row), token: secret };
    },

    async revoke(id, actor) {
      const now = clock.now();
      const done = await store.write((db) => {
        const row = db.query<Row>('SELECT * FROM token WHERE id = ?').get(id);
        if (!row || row.revoked_at !== null) return false;
        db.statement('UPDATE token SET revoked_at = ? WHERE id = ?').run(now, id);
        db.statement('DELETE FROM session WHERE token_id = ?').run(id);
        record(db, actor, {
          action: 'token.revoke',
          target: `token:${id}`,
          before: tokenOf(row),
          after: tokenOf({ ...row, revoked_at: now }),
        });
        return true;
      });
      if (!done) throw new Fault('TOKEN_NOT_FOUND', `active token ${id} not found`);
      forget(id);
    },

    async ensure({ name, role, secret }) {
      const fresh = rowFor({ name, role, secret, own: 1, now: clock.now(), createdBy: MASTER.name, expiresAt: null });
      const { row, gone } = await store.write((db) => {
        const known = db.query<Row>('SELECT * FROM token WHERE hash = ?').get(fresh.hash);
        const old = db.query<Row>('SELECT * FROM token WHERE own = 1 AND name = ? AND hash <> ?').all(name, fresh.hash);
        for (const { id } of old) {
          db.statement('DELETE FROM session WHERE token_id = ?').run(id);
          db.statement('DELETE FROM token WHERE id = ?').run(id);
        }
        if (!known) {
          putRow(db, 'token', { ...fresh });
          record(db, MASTER, {
            action: 'token.create',
            target: `token:${fresh.id}`,
            before: null,
            after: tokenOf(fresh),
          });
          return { row: fresh, gone: old };
        }
        const kept = { ...known, name, role, own: 1, expires_at: null, revoked_at: null };
        db.statement(
          'UPDATE token SET name = ?, role = ?, own = 1, expires_at = NULL, revoked_at = NULL WHERE id = ?',
        ).run(name, role, known.id);
        return { row: kept, gone: old };
      });
      for (const { id } of gone) forget(id);
      byDigest.set(row.hash, identityOf(row));
    },
  };

  return {
    tokens,
    isActive(id: string): boolean {
      for (const { tokenId, until } of byDigest.values()) if (tokenId === id) return clock.now() < until;
      return false;
    },
    /** True where one expired between these times. */
    hasExpired: (from: number, to: number): boolean =>
      [...byDigest.values()].some(({ until }) => until > from && until <= to),
    find(secret: string): TimedToken | null {
      const found = findBySecret(byDigest, secret);
      return found !== null && clock.now() < found.until ? found : null;
    },
  };
}

function rowFor(input: {
  name: string;
  role: Role;
  secret: string;
  own: number;
  now: number;
  createdBy: string;
  expiresAt: number | null;
}): Row {
  return {
    id: uuidv7(input.now),
    name: input.name,
    role: input.role,
    // A token that was given from outside may be short or guessable in part: none of it is shown.
    prefix: input.secret.startsWith('yt_') ? visiblePrefix(input.secret) : '…',
    hash: secretDigest(input.secret),
    own: input.own,
    created_at: input.now,
    created_by: input.createdBy,
    expires_at: input.expiresAt,
    revoked_at: null,
  };
}

function identityOf(row: Row): TimedToken {
  return {
    actor: row.name,
    role: row.role,
    expiresAt: isoOrNull(row.expires_at),
    tokenId: row.id,
    until: row.expires_at ?? Number.POSITIVE_INFINITY,
  };
}

function tokenOf(row: Row): Token {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    prefix: row.prefix,
    createdAt: iso(row.created_at),
    createdBy: row.created_by,
    expiresAt: isoOrNull(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
  };
}
