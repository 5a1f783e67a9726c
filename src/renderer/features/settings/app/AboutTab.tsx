import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { settingsQuery } from '../../../api/overview.ts';
import { appInfoQuery } from '../../../stores/desktop.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { SkeletonLines } from '../../../ui/Skeletons.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { CrashReports } from './CrashReports.tsx';

export function AboutTab(): ReactNode {
  const { data, error, refetch } = useQuery(settingsQuery());
  const { data: app } = useQuery(appInfoQuery());
  if (data === undefined)
    return error === null ? (
      <SkeletonLines lines={8} />
    ) : (
      <ErrorState error={error} what={t('Could not load settings')} onRetry={() => void refetch()} />
    );
  const port = (value: number | null) => (value === null ? t('disabled') : <span className="mono">{value}</span>);
  return (
    <>
      <Section title={t('Master')}>
        <Facts
          items={[
            { label: t('Version'), value: data.version },
            { label: t('Started'), value: <TimeAgo at={data.startedAt} /> },
            { label: t('Node.js version'), value: data.node },
            { label: t('Store'), value: `${data.store}, durability ${data.durability}` },
            { label: t('Data folder'), value: <span className="mono">{data.dataFolder}</span> },
            { label: t('API and console port'), value: port(data.ports.master) },
            { label: t('Log pipeline port'), value: port(data.ports.logstash) },
            { label: t('Log store port'), value: port(data.ports.logStore) },
            { label: t('Metrics store port'), value: port(data.ports.metrics) },
            ...(app
              ? [{ label: t('Desktop app'), value: `${app.name} ${app.version}, Electron ${app.electron}` }]
              : []),
          ]}
        />
      </Section>
      <CrashReports />
    </>
  );
}
