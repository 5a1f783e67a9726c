import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { isFresh } from '../../logs/is-fresh.ts';
import { LiveLogs } from '../../logs/LiveLogs.tsx';
import { useRecorded } from '../../../stores/recorded.ts';
import { useNow } from '../../../ui/Time.tsx';

/** All lines of the job, live while it runs. */
export function LogsTab({
  job,
  chosen,
}: {
  job: Job;
  chosen: { readonly from: string; readonly to: string } | null;
}): ReactNode {
  const now = useNow();
  const recorded = useRecorded();
  const filters = useMemo(() => ({ job_id: job.id, ...chosen }), [job.id, chosen?.from, chosen?.to]);
  return (
    <LiveLogs
      label={t('Log lines of job {id}', { id: job.id })}
      filters={filters}
      live={chosen === null && isFresh(job.finishedAt, now)}
      empty={
        chosen !== null
          ? t('No lines in the time range selected on the timeline.')
          : job.finishedAt === null
            ? t('Log lines of its tasks appear here within a second.')
            : t('Its tasks have written no log lines. Code nodes write them with ctx.log(level, message, fields).')
      }
      actions={
        !recorded && (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(root) => <Link to="/logs" search={{ job: job.id, range: 'all' }} {...root} />}
          >
            {t('Search in these lines')}
          </Button>
        )
      }
    />
  );
}
