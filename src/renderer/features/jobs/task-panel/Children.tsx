import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Task } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { lineageQuery } from '../../../api/reruns.ts';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { rich } from '../../../ui/rich.tsx';

/** The jobs that a task of type `workflow` has made, one an attempt. */
export function Children({ task }: { task: Task }): ReactNode {
  const { data } = useQuery({ ...lineageQuery({ parentTaskId: task.id }), enabled: task.nodeType === 'workflow' });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Stack component="section" gap={4} fz="var(--text-normal)" aria-label={t('Child jobs')}>
      {data.items.map((job) => (
        <span key={job.id}>
          {rich('Calls {link} of {workflowId} {statusBadge}', {
            link: (
              <Link to="/jobs/$jobId" params={{ jobId: job.id }}>
                {t('job …{value}', { value: job.id.slice(-12) })}
              </Link>
            ),
            workflowId: job.workflowId,
            statusBadge: <StatusBadge status={badgeStatus(job)} />,
          })}
        </span>
      ))}
    </Stack>
  );
}
