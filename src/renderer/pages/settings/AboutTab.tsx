import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { settingsQuery } from '../../api/overview.ts';
import { appInfoQuery } from '../../stores/desktop.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Field.tsx';
import { Section } from '../../ui/Segment.tsx';
import { SkeletonLines } from '../../ui/Skeletons.tsx';
import { TimeAgo } from '../../ui/Time.tsx';

export function AboutTab(): ReactNode {
  const { data, error, refetch } = useQuery(settingsQuery());
  const { data: app } = useQuery(appInfoQuery());
  if (data === undefined) return error === null ? <SkeletonLines lines={8} /> : <ErrorState error={error} what="The settings could not be read" onRetry={() => void refetch()} />;
  const port = (value: number | null) => (value === null ? 'not served' : <span className="mono">{value}</span>);
  return (
    <Section title="Master">
        <Facts
          items={[
            { label: 'Version', value: data.version },
            { label: 'Started', value: <TimeAgo at={data.startedAt} /> },
            { label: 'Node', value: data.node },
            { label: 'Store', value: `${data.store}, durability ${data.durability}` },
            { label: 'Data folder', value: <span className="mono">{data.dataFolder}</span> },
            { label: 'Port of API and console', value: port(data.ports.master) },
            { label: 'Port of the log pipeline', value: port(data.ports.logstash) },
            { label: 'Port of the log store', value: port(data.ports.logStore) },
            { label: 'Port of the metrics store', value: port(data.ports.metrics) },
            ...(app ? [{ label: 'Desktop app', value: `${app.name} ${app.version}, Electron ${app.electron}` }] : []),
          ]}
        />
    </Section>
  );
}
