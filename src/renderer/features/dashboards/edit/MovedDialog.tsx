import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';

interface Props {
  /** What is stored now. */
  readonly theirs: Dashboard;
  onClose(): void;
  onCopy(): void;
  onOverwrite(): void;
}

/** Somebody else saved the dashboard while it was edited here: nothing is lost unless its author says so. */
export function MovedDialog({ theirs, onClose, onCopy, onOverwrite }: Props): ReactNode {
  useRestoreFocus(true);
  return (
    <Modal opened onClose={onClose} size="lg" title={<strong>{t('Someone else changed this dashboard')}</strong>}>
      <Stack>
        <Text size="sm">
          {rich(
            '{updatedBy} saved version {version} of {title} {timeAgo}, after you started editing. Your changes are still here, but not saved.',
            {
              updatedBy: theirs.updatedBy,
              version: theirs.version,
              title: theirs.definition.title,
              timeAgo: theirs.updatedAt && <TimeAgo at={theirs.updatedAt} />,
            },
          )}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" component="a" href={`/dashboards/${theirs.id}`} target="_blank">
            {t('View theirs')}
          </Button>
          <Button variant="default" onClick={onOverwrite}>
            {t('Overwrite theirs')}
          </Button>
          <Button variant="default" onClick={onCopy}>
            {t('Save mine as a copy…')}
          </Button>
          <Button onClick={onClose} data-autofocus>
            {t('Keep editing')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
