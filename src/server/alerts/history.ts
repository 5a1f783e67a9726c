import { readPage } from '../store/rows.ts';
import { parseStored } from '../../lib/json.ts';
import type { AlertHistory } from '../../contract/alerts.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Page } from '../../contract/shapes.ts';
import { iso } from '../../lib/clock.ts';
import type { ReadHandle, Store, Value, WriteHandle } from '../store/port.ts';

/** An entry without its number; what it does not say is null. */
export type HistoryEntry = { readonly at: number; readonly kind: AlertHistory['kind'] } & Partial<
  Omit<AlertHistory, 'id' | 'at' | 'kind'>
>;

const NOTHING: Omit<AlertHistory, 'id' | 'at' | 'kind'> = {
  ruleId: null,
  ruleName: null,
  fingerprint: null,
  labels: {},
  from: null,
  to: null,
  value: null,
  reason: null,
  channelId: null,
  channelName: null,
  status: null,
  ok: null,
  attempt: null,
  firing: null,
  resolved: null,
  title: null,
  answer: null,
};
const ROWS = 500;
const DAY_MS = 86_400_000;

interface Row {
  id: number;
  at: number;
  kind: AlertHistory['kind'];
  entry: string;
}

/** Inside the transaction of what it tells of. */
export function recordHistory(db: WriteHandle, { at, kind, ...entry }: HistoryEntry): void {
  db.statement('INSERT INTO alert_history (at, kind, rule_id, fingerprint, entry) VALUES (?, ?, ?, ?, ?)').run(
    at,
    kind,
    entry.ruleId ?? null,
    entry.fingerprint ?? null,
    JSON.stringify(entry),
  );
}

/** Newest first. */
export function listHistory(
  read: ReadHandle,
  {
    page,
    size,
    kind,
    ruleId,
    rules,
  }: { page: number; size: number; kind?: AlertHistory['kind']; ruleId?: string; rules?: readonly string[] },
): Page<AlertHistory> {
  const where: string[] = [];
  const values: Value[] = [];
  if (kind !== undefined) where.push('kind = ?') && values.push(kind);
  if (ruleId !== undefined) where.push('rule_id = ?') && values.push(ruleId);
  // Messages are of several rules: who does not see all of them sees none.
  if (rules !== undefined)
    where.push('rule_id IN (SELECT value FROM json_each(?))') && values.push(JSON.stringify(rules));
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  return readPage(
    read,
    { from: `alert_history ${filter}`, order: 'id DESC', values },
    { page, size },
    ({ id, at, kind: of, entry }: Row): AlertHistory => ({
      ...NOTHING,
      ...parseStored<object>(entry),
      id,
      at: iso(at),
      kind: of,
    }),
  );
}

/** Deletes entries and silences whose time is over, a few hundred a transaction. */
export async function deleteOldHistory(
  store: Store,
  limits: Readonly<Pick<Limits, 'alertHistoryDays' | 'alertHistoryCount'>>,
  now: number,
): Promise<void> {
  async function all(sql: string, upTo: Value): Promise<void> {
    while ((await store.write((db) => db.statement(sql).run(upTo, ROWS))) === ROWS);
  }
  if (limits.alertHistoryDays > 0) {
    await all(
      'DELETE FROM alert_history WHERE id IN (SELECT id FROM alert_history WHERE at < ? ORDER BY at LIMIT ?)',
      now - limits.alertHistoryDays * DAY_MS,
    );
    await all(
      'DELETE FROM alert_silence WHERE id IN (SELECT id FROM alert_silence WHERE ends_at < ? LIMIT ?)',
      now - limits.alertHistoryDays * DAY_MS,
    );
  }
  const newest = store.read.query<{ n: number | null }>('SELECT max(id) AS n FROM alert_history').get()?.n ?? 0;
  if (limits.alertHistoryCount > 0)
    await all(
      'DELETE FROM alert_history WHERE id IN (SELECT id FROM alert_history WHERE id <= ? ORDER BY id LIMIT ?)',
      newest - limits.alertHistoryCount,
    );
}
