import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { workerQuery } from '../../../api/workers.ts';
import { WorkerStateBadge } from '../../../ui/Badges.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Instant, TimeAgo } from '../../../ui/Time.tsx';
import { Loading } from '../../../ui/Loading.tsx';

/** The worker that has, or had last, the task. */
export function WorkerFacts({ workerId }: { workerId: string | null }): ReactNode {
  const query = useQuery({ ...workerQuery(workerId ?? ''), enabled: workerId !== null });
  if (workerId === null)
    return (
      <EmptyState title={t('No worker yet')}>{t('A worker takes the task as soon as it has a free slot.')}</EmptyState>
    );
  const worker = query.data;
  if (!worker) return <Loading query={query} what={t('Could not load the worker')} lines={4} compact />;
  return (
    <>
      <Facts
        items={[
          { label: t('Worker'), value: <IdLabel id={worker.id} kind={t('worker ID')} /> },
          { label: t('State'), value: <WorkerStateBadge state={worker.state} drained={worker.drained} /> },
          { label: t('URL'), value: <span className="mono">{worker.url}</span> },
          { label: t('Tasks'), value: `${worker.currentTasks} of ${worker.maxTasks}` },
          { label: t('Last heartbeat'), value: <TimeAgo at={worker.lastHeartbeatAt} absent={t('never')} /> },
          { label: t('Registered'), value: <Instant at={worker.registeredAt} /> },
        ]}
      />
      <p>
        <Link to="/workers" search={{ worker: worker.id }}>
          {t('Open worker page')}
        </Link>
      </p>
    </>
  );
}
