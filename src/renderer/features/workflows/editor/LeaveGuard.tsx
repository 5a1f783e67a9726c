import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { desktop, storageLocationText } from '../../../stores/desktop.ts';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { type EditorSession, isDirty } from '../draft/session.ts';

/** Asks before a page with unsaved text is left. Going from tab to tab of the same workflow leaves nothing. */
export function LeaveGuard({ session, workflowId }: { session: EditorSession; workflowId: string }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isDirty(session.store.getState()),
    // The app finds the draft again at its next start; in a browser that may be another one.
    enableBeforeUnload() {
      const state = session.store.getState();
      return isDirty(state) && !(desktop() && state.kept);
    },
    withResolver: true,
  });
  useRestoreFocus(blocker.status === 'blocked');
  if (blocker.status !== 'blocked') return null;
  const { kept } = session.store.getState();
  return (
    <Modal opened onClose={blocker.reset} title={<strong>{t('Leave without saving?')}</strong>}>
      <Stack>
        <Text size="sm">
          {kept
            ? t('{workflowId} has unsaved changes. They are kept as a draft {here}.', {
                workflowId,
                here: storageLocationText(),
              })
            : t('{workflowId} has unsaved changes, and the draft could not be stored {here}: they will be lost.', {
                workflowId,
                here: storageLocationText(),
              })}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            {t('Stay')}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              session.discard();
              blocker.proceed();
            }}
          >
            {t('Discard changes')}
          </Button>
          <Button
            onClick={() => {
              session.keep();
              blocker.proceed();
            }}
          >
            {kept ? t('Leave and keep draft') : t('Leave anyway')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
