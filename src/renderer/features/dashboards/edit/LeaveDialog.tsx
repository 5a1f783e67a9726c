import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';

/** Asks before changes that are not saved are left behind; `isDirty` is asked at that moment. */
export function LeaveDialog({ isDirty, title }: { isDirty(): boolean; title: string }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty() && (current.pathname !== next.pathname || (next.search as { edit?: unknown }).edit === undefined),
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  useRestoreFocus(blocker.status === 'blocked');
  if (blocker.status !== 'blocked') return null;
  return (
    <Modal opened onClose={blocker.reset} title={<strong>{t('Leave without saving?')}</strong>}>
      <Stack>
        <Text size="sm">{t('{title} has unsaved changes. They will be lost.', { title })}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={blocker.proceed}>
            {t('Discard changes')}
          </Button>
          <Button onClick={blocker.reset} data-autofocus>
            {t('Stay')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
