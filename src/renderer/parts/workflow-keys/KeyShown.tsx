import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { Note } from '../workflow-actions/Note.tsx';

/** A secret, the one time that it is shown. It closes by its button alone. */
export function KeyShown({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }): ReactNode {
  return (
    <Modal opened onClose={onClose} title={<strong>{title}</strong>} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false} size="lg">
      <Stack>
        <Note tone="warn" title="This is shown once">
          Copy the key now and keep it in a secret store. The master keeps only a hash of it; a lost key is replaced by a new one.
        </Note>
        <CommandLine label="The key" command={secret} copy="Copy the key" />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            I have kept it
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
