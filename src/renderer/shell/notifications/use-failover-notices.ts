import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Failover } from '../../../contract/cluster.ts';
import { epochOf } from '../../../lib/cluster.ts';
import { t } from '../../../lib/language.ts';
import { clusterQuery } from '../../api/cluster.ts';
import { failoverTitle, REASON_WORDS } from '../../api/cluster-labels.ts';
import { useStores } from '../../stores/context.tsx';
import type { NewNotification } from '../../stores/notifications.ts';
import { formatTaken } from '../../ui/Duration.tsx';
import { showNotice } from '../../ui/toasts.tsx';
import { useReach } from '../../stores/role.ts';

/** Says what happened when the state gets another owner, and follows its stream: the one before may be open for ever, and silent. */
export function useFailoverNotices(): void {
  const { data } = useQuery({ ...clusterQuery(), enabled: useReach('cluster.get') });
  const { live, notifications } = useStores();
  const seen = useRef<{ epoch: number; told: number } | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const epoch = epochOf(data);
    const newest = Math.max(epoch, ...data.failovers.map((one) => one.epoch));
    const before = (seen.current ??= { epoch, told: newest });
    if (epoch > before.epoch) {
      before.epoch = epoch;
      live.reconnect();
    }
    const news = data.failovers.filter((one) => one.epoch > before.told).toSorted((a, b) => a.epoch - b.epoch);
    for (const failover of news) {
      before.told = failover.epoch;
      const notice = failoverNotice(failover);
      notifications.getState().add(notice);
      showNotice(notice.title, notice.message);
    }
  }, [data, live, notifications]);
}

export function failoverNotice(failover: Failover): NewNotification {
  const { epoch, reason, gapMs } = failover;
  return {
    id: `failover:${epoch}`,
    kind: 'failover',
    tone: reason === 'handover' ? 'run' : 'warn',
    title: failoverTitle(failover),
    // How long is known once the new owner has answered, which may be a moment later.
    message:
      gapMs === 0
        ? REASON_WORDS[reason]
        : t('{reason}, {gap} without an owner', { reason: REASON_WORDS[reason], gap: formatTaken(gapMs) }),
    path: '/cluster',
  };
}
