import { createHash } from 'node:crypto';
import type { Limits } from '../../contract/limits.ts';
import type { ReadHandle } from '../store/port.ts';
import type { ActiveWebhook, Webhooks } from './port.ts';

const DAY_MS = 86_400_000;

const FIND = 'SELECT job_id FROM webhook_claim WHERE webhook_id = ? AND claim = ? AND at >= ?';
const PUT =
  'INSERT INTO webhook_claim (webhook_id, claim, job_id, at) VALUES (?, ?, ?, ?) ON CONFLICT (webhook_id, claim) DO UPDATE SET job_id = excluded.job_id, at = excluded.at';
const TIDY = 'DELETE FROM webhook_claim WHERE webhook_id = ? AND at < ?';

/** What may start one job only: kept with the job in one transaction, for `webhookReplayDays`. */
export function createClaims({
  read,
  limits,
  now,
}: {
  read: ReadHandle;
  limits: Readonly<Pick<Limits, 'webhookReplayDays'>>;
  now(): number;
}): Webhooks['claims'] {
  const oldest = () => now() - limits.webhookReplayDays * DAY_MS;
  return {
    find: (db, webhookId, claim) =>
      (db ?? read).query<{ job_id: string }>(FIND).get(webhookId, claim, oldest())?.job_id ?? null,
    put(db, webhookId, claim, jobId) {
      db.statement(TIDY).run(webhookId, oldest());
      db.statement(PUT).run(webhookId, claim, jobId, now());
    },
  };
}

/** What a delivery claims; null: it may come as often as it likes. */
export function claimOf(
  { replay }: Pick<ActiveWebhook, 'replay'>,
  deliveryId: string | null,
  signature: string | null,
): string | null {
  if (replay === 'off') return null;
  const byId = deliveryId === null ? null : `id:${deliveryId}`;
  const bySignature = signature === null ? null : `signature:${signature}`;
  const claim = replay === 'signature' ? (bySignature ?? byId) : (byId ?? bySignature);
  return claim === null ? null : createHash('sha256').update(claim).digest('hex');
}
