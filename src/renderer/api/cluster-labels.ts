import type { Failover, FailoverReason } from '../../contract/cluster.ts';
import { isTakeover, shortMasterId } from '../../lib/cluster.ts';
import { t } from '../../lib/language.ts';

export const REASON_WORDS: Readonly<Record<FailoverReason, string>> = {
  start: t('first start'),
  restart: t('restart'),
  'lease expired': t('lease expired'),
  'owner gone': t('owner gone'),
  handover: t('handover##reason'),
};

/** What happened, and to whom. */
export function failoverTitle(failover: Pick<Failover, 'from' | 'to' | 'reason'>): string {
  const { from, reason } = failover;
  const to = shortMasterId(failover.to);
  if (from === null || !isTakeover(failover)) return t('Master {to} owns the state', { to });
  return reason === 'handover'
    ? t('{from} handed over to {to}', { from: shortMasterId(from), to })
    : t('{to} took over from {from}', { from: shortMasterId(from), to });
}
