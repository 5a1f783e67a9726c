import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { Callout } from '../../../ui/Callout.tsx';

/** A secret, the one time that it is shown. It closes by its button alone. */
export function KeyShown({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}): ReactNode {
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{title}</strong>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <Callout tone="warn" title={t('Shown only once')}>
          {t(
            'Copy the key now and store it safely. The master keeps only its hash: if you lose the key, create a new one.',
          )}
        </Callout>
        <CommandLine label={t('API key')} command={secret} copy={t('Copy key')} />
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('I have saved it')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
