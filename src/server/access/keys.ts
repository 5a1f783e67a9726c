import { DEFAULT_PROJECT } from '../../contract/actions.ts';
import { putRow, readPage } from '../store/rows.ts';
import { unknownProject } from '../store/unknown-project.ts';
import { parseStored } from '../../lib/json.ts';
import type { ApiKey, ApiKeyCreated } from '../../contract/access.ts';
import { changedLimits, rateLimitsFrom, limitsText, NO_LIMITS, type RateLimits } from '../../contract/rate-limits.ts';
import type { Environment } from '../../contract/vocabulary.ts';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { iso, isoOrNull, type Clock } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { paginate } from '../../lib/page.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { ReadHandle, Store } from '../store/port.ts';
import type { Access, KeyIdentity } from './port.ts';
import { secretDigest, findByDigest, makeSecret, visiblePrefix } from './secrets.ts';

interface Row {
  id: string;
  name: string;
  prefix: string;
  workflows: string;
  environments: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  seq: number;
  limits: string | null;
  project: string;
  made_by_user: string | null;
}

interface Entry extends KeyIdentity {
  name: string;
  project: string;
  limits: RateLimits;
  readonly expiresAt: number;
  lastUsedAt: number;
}

/** Keys in plain text are held in memory for seconds only, and not more than so many. */
const REMEMBERED_KEYS = 1000;
const FOREVER = Number.POSITIVE_INFINITY;

/** API keys. All that are valid are in memory, by the digest of their secrets; the database is read at the start alone. */
export function createKeys({
  store,
  clock,
  record,
}: {
  store: Store;
  clock: Clock;
  record: Access['audit']['record'];
}) {
  const bySecret = new Map<string, { entry: Entry; until: number }>();
  const used = new Set<Entry>();
  /** Digests of valid keys that came since the last flush: to make one for every call is a twentieth of the master's work on it. */
  const digests = new BoundedMap<string, string>(REMEMBERED_KEYS);

  for (const row of store.read.query<Row>('SELECT * FROM api_key WHERE revoked_at IS NULL').iterate()) {
    const entry = entryOf(row);
    for (const { hash, until } of store.read
      .query<{ hash: string; until: number | null }>('SELECT hash, until FROM api_key_secret WHERE key_id = ?')
      .all(row.id))
      bySecret.set(hash, { entry, until: until ?? FOREVER });
  }

  let told: (key: { seq: number; name: string }, limits: RateLimits) => void = () => undefined;

  const rowOf = (db: ReadHandle, id: string) => db.query<Row>('SELECT * FROM api_key WHERE id = ?').get(id);
  const unknown = (id: string) => new Fault('KEY_NOT_FOUND', `active API key ${id} not found`);

  const keys: Access['keys'] = {
    async list(wanted, sees) {
      const live = new Map([...used].map((entry) => [entry.id, entry.lastUsedAt]));
      const view = (row: Row) => keyOf({ ...row, last_used_at: live.get(row.id) ?? row.last_used_at });
      if (!sees) return readPage<Row, ApiKey>(store.read, { from: 'api_key', order: 'id DESC' }, wanted, view);
      const rows = store.read.query<Row>('SELECT * FROM api_key ORDER BY id DESC').all();
      return paginate(
        rows.filter((row) => sees(holdingOf(row))),
        wanted,
        view,
      );
    },
    holding(id) {
      const row = rowOf(store.read, id);
      if (!row) throw unknown(id);
      return { ...holdingOf(row), workflows: parseStored<string[]>(row.workflows) };
    },

    async create(
      { name, workflows, environments, expiresAt, limits, project = DEFAULT_PROJECT },
      actor,
    ): Promise<ApiKeyCreated> {
      const now = clock.now();
      const secret = makeSecret('ym_');
      const row: Row = {
        id: uuidv7(now),
        name,
        prefix: visiblePrefix(secret),
        workflows: JSON.stringify([...new Set(workflows)]),
        environments: JSON.stringify([...new Set(environments)]),
        created_at: now,
        created_by: actor.name,
        expires_at: expiresAt ? Date.parse(expiresAt) : null,
        revoked_at: null,
        last_used_at: null,
        seq: 0,
        limits: limitsText(changedLimits(NO_LIMITS, limits)),
        project,
        made_by_user: actor.userId ?? null,
      };
      const digest = secretDigest(secret);
      await store.write((db) => {
        const lacking = unknownProject(db, project);
        if (lacking) throw lacking;
        row.seq = (db.query<{ n: number | null }>('SELECT max(seq) AS n FROM api_key').get()?.n ?? 0) + 1;
        putRow(db, 'api_key', { ...row });
        db.statement('INSERT INTO api_key_secret (hash, key_id, until) VALUES (?, ?, NULL)').run(digest, row.id);
        record(db, actor, { action: 'key.create', target: `key:${row.id}`, before: null, after: keyOf(row) });
      });
      const entry = entryOf(row);
      bySecret.set(digest, { entry, until: FOREVER });
      if (row.limits !== null) told(entry, entry.limits);
      return { ...keyOf(row), key: secret };
    },

    async update(id, patch, actor) {
      const row = await store.write((db) => {
        const before = rowOf(db, id);
        if (!before || before.revoked_at !== null) return null;
        const after = {
          ...before,
          name: patch.name ?? before.name,
          limits: limitsText(changedLimits(rateLimitsFrom(before.limits), patch.limits)),
          project: patch.project ?? before.project,
        };
        const lacking = unknownProject(db, after.project);
        if (lacking) throw lacking;
        db.statement('UPDATE api_key SET name = ?, limits = ?, project = ? WHERE id = ?').run(
          after.name,
          after.limits,
          after.project,
          id,
        );
        record(db, actor, { action: 'key.update', target: `key:${id}`, before: keyOf(before), after: keyOf(after) });
        return after;
      });
      if (!row) throw unknown(id);
      const limits = rateLimitsFrom(row.limits);
      const { name, project } = row;
      for (const { entry } of bySecret.values()) if (entry.id === id) Object.assign(entry, { name, limits, project });
      told(row, limits);
      return keyOf(row);
    },

    async revoke(id, actor) {
      const now = clock.now();
      const done = await store.write((db) => {
        const row = rowOf(db, id);
        if (!row || row.revoked_at !== null) return false;
        db.statement('UPDATE api_key SET revoked_at = ? WHERE id = ?').run(now, id);
        db.statement('DELETE FROM api_key_secret WHERE key_id = ?').run(id);
        record(db, actor, {
          action: 'key.revoke',
          target: `key:${id}`,
          before: keyOf(row),
          after: keyOf({ ...row, revoked_at: now }),
        });
        return true;
      });
      if (!done) throw unknown(id);
      for (const [digest, { entry }] of bySecret) if (entry.id === id) bySecret.delete(digest);
    },

    async rotate(id, overlapSeconds, actor) {
      const now = clock.now();
      const secret = makeSecret('ym_');
      const digest = secretDigest(secret);
      const until = now + overlapSeconds * 1000;
      const row = await store.write((db) => {
        const before = rowOf(db, id);
        if (!before || before.revoked_at !== null) return null;
        const after = { ...before, prefix: visiblePrefix(secret) };
        db.statement('DELETE FROM api_key_secret WHERE key_id = ? AND until <= ?').run(id, now);
        db.statement('UPDATE api_key_secret SET until = ? WHERE key_id = ? AND (until IS NULL OR until > ?)').run(
          until,
          id,
          until,
        );
        db.statement('INSERT INTO api_key_secret (hash, key_id, until) VALUES (?, ?, NULL)').run(digest, id);
        db.statement('UPDATE api_key SET prefix = ? WHERE id = ?').run(after.prefix, id);
        record(db, actor, {
          action: 'key.rotate',
          target: `key:${id}`,
          before: keyOf(before),
          after: { ...keyOf(after), overlapSeconds },
        });
        return after;
      });
      if (!row) throw unknown(id);
      let entry: Entry | undefined;
      for (const held of bySecret.values()) {
        if (held.entry.id !== id) continue;
        entry = held.entry;
        held.until = Math.min(held.until, until);
      }
      bySecret.set(digest, { entry: entry ?? entryOf(row), until: FOREVER });
      return { id, key: secret, prefix: row.prefix };
    },
  };

  return {
    keys,
    watchLimits(listener: typeof told) {
      told = listener;
      const entries = new Set([...bySecret.values()].map(({ entry }) => entry));
      for (const entry of entries) if (limitsText(entry.limits) !== null) listener(entry, entry.limits);
    },
    find(secret: string): KeyIdentity | null {
      const known = digests.get(secret);
      const digest = known ?? secretDigest(secret);
      const found = findByDigest(bySecret, digest);
      if (found === null) return null;
      const now = clock.now();
      if (now >= found.until || now >= found.entry.expiresAt) return null;
      if (known === undefined) digests.set(secret, digest);
      found.entry.lastUsedAt = now;
      used.add(found.entry);
      return found.entry;
    },
    /** Valid ones that somebody made. */
    madeBy: (userId: string): ApiKey[] =>
      store.read
        .query<Row>(
          'SELECT * FROM api_key WHERE made_by_user = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY id',
        )
        .all(userId, clock.now())
        .map(keyOf),
    /** Writes when keys were last used, in one batch, and drops what ran out. */
    async flush(): Promise<void> {
      const now = clock.now();
      digests.clear();
      for (const [digest, { entry, until }] of bySecret)
        if (now >= until || now >= entry.expiresAt) bySecret.delete(digest);
      if (used.size === 0) return;
      const batch = [...used].map((entry) => ({ entry, at: entry.lastUsedAt }));
      await store.write((db) => {
        const set = db.statement('UPDATE api_key SET last_used_at = ? WHERE id = ?');
        for (const { entry, at } of batch) set.run(at, entry.id);
      });
      for (const { entry, at } of batch) if (entry.lastUsedAt === at) used.delete(entry);
    },
  };
}

function entryOf(row: Row): Entry {
  const workflows = new Set(parseStored<string[]>(row.workflows));
  const environments = new Set(parseStored<Environment[]>(row.environments));
  const all = workflows.has('*');
  return {
    id: row.id,
    name: row.name,
    seq: row.seq,
    project: row.project,
    limits: rateLimitsFrom(row.limits),
    expiresAt: row.expires_at ?? FOREVER,
    lastUsedAt: row.last_used_at ?? 0,
    reaches: (workflowId, environment) => environments.has(environment) && (all || workflows.has(workflowId)),
  };
}

const holdingOf = ({ project, environments }: Row) => ({
  project,
  environments: parseStored<Environment[]>(environments),
});

function keyOf(row: Row): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    workflows: parseStored<string[]>(row.workflows),
    project: row.project,
    environments: parseStored<Environment[]>(row.environments),
    limits: rateLimitsFrom(row.limits),
    createdAt: iso(row.created_at),
    createdBy: row.created_by,
    expiresAt: isoOrNull(row.expires_at),
    revokedAt: isoOrNull(row.revoked_at),
    lastUsedAt: isoOrNull(row.last_used_at),
    ...(row.made_by_user === null ? {} : { madeByUserId: row.made_by_user }),
  };
}
