import type { WebhookVerdict } from '../../contract/webhooks.ts';
import type { WebhookTrouble, Webhooks } from './port.ts';

/** Of the alert rules: how far they may look back. */
const KEPT_MS = 3_600_000;
const SLOT_MS = 10_000;
/** Webhooks in trouble that are told apart, at most. */
const MOST = 1000;

interface Slot {
  readonly at: number;
  failed: number;
  refused: number;
}

/** Counts what came of deliveries as they come: since the start for metrics, and of the last hour what alerts look at. */
export function createCounts(now: () => number): Webhooks['counts'] {
  const totals: Record<WebhookVerdict, number> = {
    ACCEPTED: 0,
    FILTERED: 0,
    REPLAYED: 0,
    SIGNATURE_INVALID: 0,
    FAILED: 0,
  };
  const byWebhook = new Map<string, { workflowId: string; environment: string; slots: Slot[] }>();

  function slotOf({ id, workflowId, environment }: Parameters<Webhooks['counts']['add']>[0]): Slot | null {
    const at = Math.floor(now() / SLOT_MS) * SLOT_MS;
    let known = byWebhook.get(id);
    if (!known) {
      if (byWebhook.size >= MOST) forget(at);
      if (byWebhook.size >= MOST) return null;
      byWebhook.set(id, (known = { workflowId, environment, slots: [] }));
    }
    const last = known.slots.at(-1);
    // A clock that was set back counts on where it was.
    if (last && last.at >= at) return last;
    const slot = { at, failed: 0, refused: 0 };
    known.slots = [...known.slots.filter((one) => one.at > at - KEPT_MS), slot];
    return slot;
  }

  function forget(at: number): void {
    for (const [id, { slots }] of byWebhook) if ((slots.at(-1)?.at ?? 0) <= at - KEPT_MS) byWebhook.delete(id);
  }

  return {
    add(webhook, verdict) {
      totals[verdict]++;
      if (verdict !== 'FAILED' && verdict !== 'SIGNATURE_INVALID') return;
      const slot = slotOf(webhook);
      if (slot) slot[verdict === 'FAILED' ? 'failed' : 'refused']++;
    },
    totals: () => totals,
    trouble(from) {
      const found: WebhookTrouble[] = [];
      for (const [webhookId, { workflowId, environment, slots }] of byWebhook) {
        let [failed, refused] = [0, 0];
        for (const slot of slots) {
          if (slot.at + SLOT_MS <= from) continue;
          failed += slot.failed;
          refused += slot.refused;
        }
        if (failed + refused > 0) found.push({ webhookId, workflowId, environment, failed, refused });
      }
      return found;
    },
    remove: (webhookId) => void byWebhook.delete(webhookId),
  };
}
