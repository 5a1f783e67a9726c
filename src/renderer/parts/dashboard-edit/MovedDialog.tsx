import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dashboard } from '../../../contract/api-dashboards.ts';
import { TimeAgo } from '../../ui/Time.tsx';

interface Props {
  /** What is stored now. */
  readonly theirs: Dashboard;
  onClose(): void;
  onCopy(): void;
  onOverwrite(): void;
}

/** Somebody else saved the dashboard while it was edited here: nothing is lost unless its author says so. */
export function MovedDialog({ theirs, onClose, onCopy, onOverwrite }: Props): ReactNode {
  return (
    <Modal opened onClose={onClose} size="lg" title={<strong>Somebody else changed it</strong>}>
      <Stack>
        <Text size="sm">
          {theirs.updatedBy} saved version {theirs.version} of {theirs.definition.title} {theirs.updatedAt && <TimeAgo at={theirs.updatedAt} />}, after you began. Nothing of yours is lost: it is still here, and not saved.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" component="a" href={`/dashboards/${theirs.id}`} target="_blank">
            Look at theirs
          </Button>
          <Button variant="default" onClick={onOverwrite}>
            Replace theirs
          </Button>
          <Button variant="default" onClick={onCopy}>
            Save mine as a copy…
          </Button>
          <Button onClick={onClose} data-autofocus>
            Go on editing
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
