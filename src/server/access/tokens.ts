import { isDeepStrictEqual } from 'node:util';
import { putRow, readPage } from '../store/rows.ts';
import type { Token } from '../../contract/access.ts';
import { ENVIRONMENTS, type Environment, type Role } from '../../contract/vocabulary.ts';
import { iso, isoOrNull, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { parseStored } from '../../lib/json.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import { cutTo } from './people/cut-grants.ts';
import { refuseReservedTokenName } from './people/reserved-names.ts';
import type { Access, PersonIdentity, TokenIdentity } from './port.ts';
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
  /** JSON array; null: all. */
  environments: string | null;
  /** JSON object of texts. */
  labels: string;
  /** Whose it is; null: nobody's. */
  user_id: string | null;
  /** Who made one that is nobody's; null: no person. */
  made_by_user: string | null;
}

export interface TimedToken extends TokenIdentity {
  readonly until: number;
}
/** As it is kept: what its person may do is asked each time. */
type KeptToken = Omit<TimedToken, 'grants'>;

const MASTER: Actor = { name: 'yardmaster', role: 'admin', address: null };

/** Operator and worker tokens. All valid ones are in memory by their digest. `onRevoked` ends what hangs on one. */
export function createTokens({
  store,
  clock,
  record,
  personOf,
  onRevoked,
}: {
  store: Store;
  clock: Clock;
  record: Access['audit']['record'];
  /** Null: may not come in. */
  personOf(userId: string): PersonIdentity | null;
  onRevoked(tokenId: string): void;
}) {
  const byDigest = new Map<string, KeptToken>();
  const byId = new Map<string, KeptToken>();
  for (const row of store.read.query<Row>('SELECT * FROM token WHERE revoked_at IS NULL').iterate()) remember(row);

  function remember(row: Row): void {
    const token = identityOf(row);
    byDigest.set(row.hash, token);
    byId.set(row.id, token);
  }
  function forget(id: string): void {
    byId.delete(id);
    for (const [digest, { tokenId }] of byDigest) if (tokenId === id) byDigest.delete(digest);
    onRevoked(id);
  }

  /** Null: expired, or its person may not come in. One of a person does at most what that person may do. */
  function live(token: KeptToken): TimedToken | null {
    if (clock.now() >= token.until) return null;
    if (token.userId === null) return { ...token, grants: null };
    const person = personOf(token.userId);
    return person && { ...token, ...cutTo(person, token.role) };
  }

  /** Of the master itself; nothing is written where there is none. */
  async function removeOwn(name: string): Promise<void> {
    const own = (from: Pick<WriteHandle, 'query'>): Row[] =>
      from.query<Row>('SELECT * FROM token WHERE own = 1 AND name = ? ORDER BY id').all(name);
    if (own(store.read).length === 0) return;
    const gone = await store.write((db) => {
      const rows = own(db);
      for (const row of rows) {
        db.statement('DELETE FROM session WHERE token_id = ?').run(row.id);
        db.statement('DELETE FROM token WHERE id = ?').run(row.id);
        record(db, MASTER, {
          action: 'token.revoke',
          target: `token:${row.id}`,
          before: tokenOf(row),
          after: null,
        });
      }
      return rows;
    });
    for (const { id } of gone) forget(id);
  }

  const tokens: Access['tokens'] = {
    list: async ({ userId, ...wanted }) =>
      readPage(
        store.read,
        userId === undefined
          ? { from: 'token', order: 'id DESC' }
          : { from: 'token WHERE user_id = ? AND revoked_at IS NULL', order: 'id DESC', values: [userId] },
        wanted,
        tokenOf,
      ),

    async create({ name, role, expiresAt, environments, labels, userId = null }, actor) {
      if (role !== 'worker') refusePool({ environments, labels });
      if (userId === null) refuseReservedTokenName(name);
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
        environments: environments ?? null,
        labels: labels ?? {},
        userId,
        madeBy: userId === null ? (actor.userId ?? null) : null,
      });
      await store.write((db) => {
        putRow(db, 'token', { ...row });
        record(db, actor, { action: 'token.create', target: `token:${row.id}`, before: null, after: tokenOf(row) });
      });
      remember(row);
      return { ...tokenOf(row), token: secret };
    },

    async revoke(id, actor, userId) {
      const now = clock.now();
      const done = await store.write((db) => {
        const row = db.query<Row>('SELECT * FROM token WHERE id = ?').get(id);
        if (!row || row.revoked_at !== null || (userId !== undefined && row.user_id !== userId)) return false;
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
      if (secret === null) return removeOwn(name);
      const fresh = rowFor({
        name,
        role,
        secret,
        own: 1,
        now: clock.now(),
        createdBy: MASTER.name,
        expiresAt: null,
        environments: null,
        labels: {},
        userId: null,
        madeBy: null,
      });
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
        // As at most starts: then nothing waits for it to be durable.
        if (isDeepStrictEqual(kept, known)) return { row: kept, gone: old };
        db.statement(
          'UPDATE token SET name = ?, role = ?, own = 1, expires_at = NULL, revoked_at = NULL WHERE id = ?',
        ).run(name, role, known.id);
        return { row: kept, gone: old };
      });
      for (const { id } of gone) forget(id);
      remember(row);
    },
  };

  return {
    tokens,
    /** Null: unknown, revoked, expired, or its person may not come in. */
    byId(id: string): TimedToken | null {
      const token = byId.get(id);
      return token === undefined ? null : live(token);
    },
    /** True where one expired between these times. */
    hasExpired: (from: number, to: number): boolean =>
      [...byDigest.values()].some(({ until }) => until > from && until <= to),
    find(secret: string): TimedToken | null {
      const found = findBySecret(byDigest, secret);
      return found && live(found);
    },
    /** Whose it is, also where it rests; null: nobody's, or not valid. */
    ownerOf(secret: string): string | null {
      const token = findBySecret(byDigest, secret);
      return token && clock.now() < token.until ? token.userId : null;
    },
    /** Valid ones that are nobody's and that somebody made. */
    madeBy: (userId: string): Token[] =>
      store.read
        .query<Row>(
          'SELECT * FROM token WHERE made_by_user = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY id',
        )
        .all(userId, clock.now())
        .map(tokenOf),
    /** Revokes all of somebody, inside a transaction; what is returned is called once it is committed. */
    endAllOfUser(db: WriteHandle, userId: string): () => void {
      db.statement('UPDATE token SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL').run(clock.now(), userId);
      db.statement('DELETE FROM session WHERE token_id IN (SELECT id FROM token WHERE user_id = ?)').run(userId);
      return () => {
        for (const { tokenId, userId: whose } of [...byDigest.values()]) if (whose === userId) forget(tokenId);
      };
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
  environments: readonly Environment[] | null;
  labels: Readonly<Record<string, string>>;
  userId: string | null;
  madeBy: string | null;
}): Row {
  const { environments } = input;
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
    // In the usual order, each once.
    environments: environments && JSON.stringify(ENVIRONMENTS.filter((one) => environments.includes(one))),
    labels: JSON.stringify(input.labels),
    user_id: input.userId,
    made_by_user: input.madeBy,
  };
}

const environmentsOf = ({ environments }: Row): Environment[] | null =>
  environments === null ? null : parseStored<Environment[]>(environments);
const labelsOf = ({ labels }: Row): Record<string, string> => parseStored<Record<string, string>>(labels);

/** Other tokens open no worker link: what would bind a worker would mean nothing there. */
function refusePool(pool: { readonly environments: unknown; readonly labels: unknown }): void {
  const given = (['environments', 'labels'] as const).filter((name) => pool[name] !== undefined && pool[name] !== null);
  if (given.length > 0)
    throw new Fault('VALIDATION_FAILED', 'only tokens with the role worker have environments and labels', {
      errors: given.map((name) => ({ pointer: `/${name}`, message: 'only with the role worker' })),
    });
}

function identityOf(row: Row): KeptToken {
  return {
    actor: row.name,
    role: row.role,
    expiresAt: isoOrNull(row.expires_at),
    tokenId: row.id,
    environments: environmentsOf(row),
    labels: labelsOf(row),
    until: row.expires_at ?? Number.POSITIVE_INFINITY,
    userId: row.user_id,
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
    environments: environmentsOf(row),
    labels: labelsOf(row),
    ...(row.user_id === null ? {} : { userId: row.user_id }),
    ...(row.made_by_user === null ? {} : { madeByUserId: row.made_by_user }),
  };
}
