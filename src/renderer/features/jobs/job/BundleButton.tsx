import { Button, Checkbox, Popover, Stack, Text } from '@mantine/core';
import { IconPackageExport } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { INCIDENT_ENDING } from '../../../../contract/incident.ts';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { pathTo } from '../../../../lib/api-client.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { downloadUrl } from '../../../ui/download-url.ts';
import { bindChecked } from '../../../ui/bind.ts';

/** All of it, as the palette takes it. */
export const downloadBundle = (jobId: string): void =>
  downloadUrl(pathTo('jobs.incidentBundle', { params: { jobId }, query: {} }), `job-${jobId}${INCIDENT_ENDING}`);

/** Takes all that is known of a job away as one file. `reason`: why one may not. */
export function BundleButton({ job, reason }: { job: Job; reason: string | null }): ReactNode {
  const [opened, setOpened] = useState(false);
  const [bare, setBare] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={340}
      withArrow
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <span>
          <ReasonButton
            variant="default"
            leftSection={<IconPackageExport size={15} aria-hidden />}
            reason={reason}
            hint={t('One file with everything about this job')}
            onClick={() => setOpened((now) => !now)}
          >
            {t('Bundle…')}
          </ReasonButton>
        </span>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Incident bundle')}>
        <Stack gap="sm">
          <Text size="sm">
            {t(
              'One file with the job, its tasks and attempts, log lines, metrics, version and workers. Opens read-only in any console, without access to the master.',
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {t('Secrets, keys and tokens are redacted. Data that workflows read or computed is not.')}
          </Text>
          <Checkbox label={t('Exclude inputs and outputs')} {...bindChecked(bare, setBare)} />
          <Button
            component="a"
            href={pathTo('jobs.incidentBundle', { params: { jobId: job.id }, query: bare ? { payloads: false } : {} })}
            download={`job-${job.id}${INCIDENT_ENDING}`}
            onClick={() => setOpened(false)}
          >
            {t('Download bundle')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
