import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { jobsQuery } from '../../../api/jobs.ts';
import { rich } from '../../../ui/rich.tsx';
import { WaitsOfJob } from '../WaitsOfJob.tsx';

/** Milliseconds between two looks at a call that is not answered. */
const LOOK_MS = 1500;

/** The job of a call that has no answer yet, found by the external ID that it was sent with, and what it waits for. */
export function WaitingCall({ externalId }: { externalId: string }): ReactNode {
  const { data } = useQuery({
    ...jobsQuery({ externalId, page: 0, size: 1 }),
    refetchInterval: ({ state }) => ((state.data?.items.length ?? 0) > 0 ? false : LOOK_MS),
  });
  const [job] = data?.items ?? [];
  if (!job) return null;
  return (
    <Stack gap="xs" mb="sm">
      <JobLink jobId={job.id} />
      <WaitsOfJob jobId={job.id} />
    </Stack>
  );
}

export const JobLink = ({ jobId }: { jobId: string }): ReactNode => (
  <Text size="sm">
    {rich('Job {anchor}', {
      anchor: (
        <Anchor component={Link} to={`/jobs/${jobId}` as string} ff="monospace">
          {jobId}
        </Anchor>
      ),
    })}
  </Text>
);
