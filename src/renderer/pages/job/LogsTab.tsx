import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Job } from '../../../contract/api.ts';
import { isFresh } from '../../parts/log-view/fresh.ts';
import { LiveLogs } from '../../parts/log-view/LiveLogs.tsx';
import { useNow } from '../../ui/Time.tsx';

/** All lines of the job, live while it runs. */
export function LogsTab({ job }: { job: Job }): ReactNode {
  const now = useNow();
  const filters = useMemo(() => ({ job_id: job.id }), [job.id]);
  return (
    <LiveLogs
      label={`Log lines of job ${job.id}`}
      filters={filters}
      live={isFresh(job.finishedAt, now)}
      empty={job.finishedAt === null ? 'Lines that its tasks write show here within a second.' : 'Its tasks have written no line. Code nodes write with ctx.log(level, message, fields).'}
      actions={
        <Button size="compact-xs" variant="default" renderRoot={(root) => <Link to="/logs" search={{ job: job.id, range: 'all' }} {...root} />}>
          Search in these lines
        </Button>
      }
    />
  );
}
