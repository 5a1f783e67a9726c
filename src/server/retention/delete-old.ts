import type { Limits } from '../../contract/limits.ts';
import type { Store, Value } from '../store/port.ts';

/** Entries that one transaction deletes. */
const ROWS = 200;
const DAY_MS = 86_400_000;

export type RetentionLimits = Readonly<
  Pick<
    Limits,
    | 'auditRetentionDays'
    | 'auditRetentionCount'
    | 'auditSecretUseCount'
    | 'publicationRetentionCount'
    | 'credentialRetentionDays'
  >
>;

/** When a credential ended. */
const ENDED = `min(coalesce(revoked_at, ${Number.MAX_SAFE_INTEGER}), coalesce(expires_at, ${Number.MAX_SAFE_INTEGER}))`;

/** Statements that delete old entries, `?` the time or number up to which they are old, then how many at most. A test holds them to indexes. */
export const DELETE_OLD_STATEMENTS = {
  publicationBeyond:
    'DELETE FROM publication WHERE rowid IN (SELECT rowid FROM publication WHERE rowid <= ? AND id NOT IN (SELECT publication_id FROM pointer) ORDER BY rowid LIMIT ?)',
  keySecret: `DELETE FROM api_key_secret WHERE key_id IN (SELECT id FROM api_key WHERE ${ENDED} < ? LIMIT ?)`,
  key: `DELETE FROM api_key WHERE id IN (SELECT id FROM api_key WHERE ${ENDED} < ? LIMIT ?)`,
  token: `DELETE FROM token WHERE id IN (SELECT id FROM token WHERE ${ENDED} < ? LIMIT ?)`,
  session: 'DELETE FROM session WHERE hash IN (SELECT hash FROM session WHERE expires_at < ? LIMIT ?)',
} as const;

interface AuditLink {
  readonly n: number;
  readonly at: number;
  readonly hash: string | null;
}
/** The two chains of the audit log: numbered upwards from 1, and downwards from -1 (`AuditItem.frequent`). */
const AUDIT = {
  changes: {
    oldest: 'SELECT n, at, hash FROM audit WHERE n > 0 ORDER BY n LIMIT ?',
    remove: 'DELETE FROM audit WHERE n > 0 AND n <= ?',
  },
  uses: {
    oldest: 'SELECT n, at, hash FROM audit WHERE n < 0 ORDER BY n DESC LIMIT ?',
    remove: 'DELETE FROM audit WHERE n < 0 AND n >= ?',
  },
} as const;

/**
 * Deletes entries of the logs of changes and publications, credentials and sessions whose time is over, a few hundred a
 * transaction. Entries are numbered in the order in which they were made, so the number of those beyond is known at once.
 */
export async function deleteOldEntries(
  store: Store,
  limits: RetentionLimits,
  now: number,
  stop: AbortSignal,
): Promise<number> {
  let deleted = 0;
  async function all(sql: string, upTo: Value): Promise<void> {
    while (!stop.aborted) {
      const rows = await store.write((db) => db.statement(sql).run(upTo, ROWS));
      deleted += rows;
      if (rows < ROWS) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  /** Of a chain: it loses its oldest entries alone, and what is left begins with the last of these. */
  async function trim(chain: keyof typeof AUDIT, isOld: (entry: AuditLink) => boolean): Promise<void> {
    const { oldest, remove } = AUDIT[chain];
    while (!stop.aborted) {
      const rows = await store.write((db) => {
        const found = db.query<AuditLink>(oldest).all(ROWS);
        const kept = found.findIndex((entry) => !isOld(entry));
        const last = found[(kept < 0 ? found.length : kept) - 1];
        if (last === undefined) return 0;
        db.statement('INSERT OR REPLACE INTO audit_anchor (chain, n, hash) VALUES (?, ?, ?)').run(
          chain,
          last.n,
          last.hash ?? '',
        );
        return db.statement(remove).run(last.n);
      });
      deleted += rows;
      if (rows < ROWS) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  const newest = (table: 'audit' | 'publication') =>
    store.read.query<{ n: number | null }>(`SELECT max(rowid) AS n FROM ${table}`).get()?.n ?? 0;
  const before = (days: number) => now - days * DAY_MS;

  if (limits.auditRetentionDays > 0)
    for (const chain of ['changes', 'uses'] as const)
      await trim(chain, ({ at }) => at < before(limits.auditRetentionDays));
  const newestChange = newest('audit');
  if (limits.auditRetentionCount > 0) await trim('changes', ({ n }) => n <= newestChange - limits.auditRetentionCount);
  const newestUse = store.read.query<{ n: number | null }>('SELECT min(rowid) AS n FROM audit').get()?.n ?? 0;
  if (limits.auditSecretUseCount > 0 && newestUse < 0)
    await trim('uses', ({ n }) => n >= newestUse + limits.auditSecretUseCount);
  if (limits.publicationRetentionCount > 0)
    await all(DELETE_OLD_STATEMENTS.publicationBeyond, newest('publication') - limits.publicationRetentionCount);
  if (limits.credentialRetentionDays > 0)
    for (const sql of [DELETE_OLD_STATEMENTS.keySecret, DELETE_OLD_STATEMENTS.key, DELETE_OLD_STATEMENTS.token])
      await all(sql, before(limits.credentialRetentionDays));
  await all(DELETE_OLD_STATEMENTS.session, now);
  return deleted;
}
