import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookCreated } from '../../../../contract/webhooks.ts';
import { t } from '../../../../lib/language.ts';
import { Callout } from '../../../ui/Callout.tsx';
import { CommandLine } from '../../../ui/CommandLine.tsx';
import { senderOf, setupHints } from './webhook-words.ts';

/** Where to send deliveries, and the secret that was made, the one time that it is shown. It closes by its button alone. */
export function WebhookShown({ webhook, onClose }: { webhook: WebhookCreated; onClose: () => void }): ReactNode {
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{t('Set up the sender')}</strong>}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      <Stack>
        <CommandLine label={t('URL')} command={webhook.url} copy={t('Copy URL')} />
        {webhook.secret !== undefined && (
          <>
            <CommandLine label={t('Secret')} command={webhook.secret} copy={t('Copy secret')} />
            <Callout tone="warn" title={t('Shown only once')}>
              {t('Copy the secret now. The master keeps it encrypted and never shows it again.')}
            </Callout>
          </>
        )}
        <Text size="sm">{setupHints()[senderOf(webhook)]}</Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {t('Done')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
