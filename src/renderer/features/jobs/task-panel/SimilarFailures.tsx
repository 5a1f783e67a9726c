import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t, tn } from '../../../../lib/language.ts';
import { taskFailureQuery } from '../../../api/failures.ts';
import { useRecorded } from '../../../stores/recorded.ts';

/** How many other jobs failed like a task, and the way to all of them; nothing while nobody knows. `attempt`: the one that failed. */
export function SimilarFailures({ taskId, attempt }: { taskId: string; attempt: number | string }): ReactNode {
  const recorded = useRecorded();
  const { data } = useQuery({ ...taskFailureQuery(taskId, attempt), enabled: !recorded });
  if (!data?.group) return null;
  const { group, otherJobs } = data;
  return (
    <Link to="/failures" search={{ status: 'all', q: group.id, group: group.id }}>
      {otherJobs === 0
        ? t('No other job failed with this error')
        : tn('{count} other job failed with this error', '{count} other jobs failed with this error', otherJobs)}
    </Link>
  );
}
