import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { useReach } from '../../../stores/role.ts';
import { Section } from '../../../ui/Segment.tsx';
import { StoreQueue } from '../../../ui/StoreFact.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './OverviewPage.module.css';

const EVERY_MS = 10_000;
const OTLP_LABELS = {
  traces: t('Export of traces failing'),
  metrics: t('Export of metrics failing'),
  logs: t('Export of log lines failing'),
} as const;

/** Stores of logs and metrics that cannot be reached or written to; nothing while all can. */
export function FailingStores(): ReactNode {
  const { data } = useQuery({
    ...settingsQuery(),
    enabled: useReach('settings.get'),
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
  });
  if (!data) return null;
  const stores = [
    { what: t('Log store failing'), store: data.logs },
    { what: t('Metric store failing'), store: data.metrics },
    { what: t('Remote write failing'), store: data.remoteWrite },
    ...(data.otlp ?? []).map(({ signal, target }) => ({ what: OTLP_LABELS[signal], store: target })),
  ];
  return stores.map(
    ({ what, store }) =>
      store?.state === 'failing' && (
        <Section
          key={what}
          title={what}
          actions={
            <Link to="/settings" search={{ tab: 'about' }}>
              {t('View')}
            </Link>
          }
        >
          <ul className={`bare ${css['alerts']}`}>
            <li>
              <span>
                {store.address !== null && <div className="mono">{store.address}</div>}
                {store.reason}
              </span>
              {store.since !== null && <TimeAgo at={store.since} />}
            </li>
          </ul>
          <StoreQueue store={store} />
        </Section>
      ),
  );
}
