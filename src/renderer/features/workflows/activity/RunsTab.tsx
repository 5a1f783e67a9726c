import { Button, Group } from '@mantine/core';
import { IconListDetails, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { jobsQuery } from '../../../api/jobs.ts';
import { EnvironmentBadge, StatusBadge } from '../../../ui/Badges.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Duration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { paged } from '../../../ui/table/pages.ts';
import { Elapsed, TimeAgo } from '../../../ui/Time.tsx';
import { badgeStatus, TRIGGER_WORDS } from '../../../ui/status.ts';

const columns: readonly DataColumn<Job>[] = [
  {
    id: 'id',
    header: t('Job'),
    width: 146,
    fits: true,
    cell: (job) => <IdLabel id={job.id} to={`/jobs/${job.id}`} kind={t('job ID')} tail={12} />,
  },
  {
    id: 'status',
    header: t('Status'),
    width: 152,
    fits: true,
    cell: (job) => <StatusBadge status={badgeStatus(job)} />,
  },
  {
    id: 'error',
    header: t('Error'),
    width: 200,
    grow: true,
    blank: (job) => job.error === undefined,
    cell: ({ error }) =>
      error && (
        <span className="clip" data-hint={`${error.node}: ${error.code}: ${error.message}`}>
          {error.message || error.code}
        </span>
      ),
  },
  {
    id: 'environment',
    header: t('Environment'),
    width: 120,
    fits: true,
    cell: (job) =>
      job.environment === null ? (
        <span className="dim">{t('none')}</span>
      ) : (
        <EnvironmentBadge environment={job.environment} />
      ),
  },
  {
    id: 'version',
    header: t('Version'),
    width: 90,
    cell: (job) => (
      <Link
        to="/workflows/$workflowId"
        params={{ workflowId: job.workflowId }}
        search={{ tab: 'versions', version: job.commit }}
        className="mono"
      >
        {job.commit.slice(0, 8)}
      </Link>
    ),
  },
  { id: 'trigger', header: t('Started by'), width: 110, cell: ({ trigger }) => TRIGGER_WORDS[trigger.kind] },
  { id: 'created', header: t('Created'), width: 100, cell: (job) => <TimeAgo at={job.createdAt} /> },
  {
    id: 'duration',
    header: t('Duration'),
    width: 96,
    align: 'right',
    cell: (job) => (job.finishedAt === null ? <Elapsed from={job.createdAt} /> : <Duration ms={job.durationMs} />),
  },
];

/** The jobs of one workflow, newest first; all that can be done with many of them is on the page of jobs. */
export function RunsTab({
  workflow,
  environment,
  place,
  onPlace,
}: {
  workflow: Workflow;
  environment: Environment | undefined;
  place: { readonly page: number; readonly size: number };
  onPlace: (change: { page?: number | undefined; size?: number | undefined }) => void;
}): ReactNode {
  const navigate = useNavigate();
  const query = useQuery(jobsQuery({ ...place, workflowId: workflow.id, environment, sort: 'createdAt,desc' }));
  return (
    <>
      <Group justify="flex-end">
        <Link to="/jobs" search={{ workflow: workflow.id }}>
          <Group gap={6} component="span">
            <IconListDetails size={15} aria-hidden />
            {t('Filter and act on these jobs')}
          </Group>
        </Link>
      </Group>
      <DataTable
        fill
        label={t('Runs')}
        what={t('Could not load jobs')}
        storageKey="workflow-runs"
        columns={columns}
        rowId={(job) => job.id}
        onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } })}
        {...paged(query, place, (next) => onPlace({ ...next, page: next.page || undefined }))}
        empty={
          <EmptyState
            title={t('No runs yet')}
            action={
              <Button
                variant="default"
                leftSection={<IconPlayerPlay size={14} aria-hidden />}
                renderRoot={(props) => (
                  <Link
                    to="/workflows/$workflowId"
                    params={{ workflowId: workflow.id }}
                    search={{ tab: 'try' }}
                    {...props}
                  />
                )}
              >
                {t('Try it')}
              </Button>
            }
          >
            {t('Each call of a published version appears here.')}
          </EmptyState>
        }
      />
    </>
  );
}
