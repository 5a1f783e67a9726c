import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type EditorSession, isDirty } from './session.ts';

/** Asks before a page with unsaved text is left. Going from tab to tab of the same workflow leaves nothing. */
export function LeaveGuard({ session, workflowId }: { session: EditorSession; workflowId: string }): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isDirty(session.store.getState()),
    enableBeforeUnload: () => isDirty(session.store.getState()),
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  const { kept } = session.store.getState();
  return (
    <Modal opened onClose={blocker.reset} title={<strong>Leave without saving?</strong>}>
      <Stack>
        <Text size="sm">
          {kept ? `The definition of ${workflowId} has changes that are no version yet. This browser keeps them as a draft.` : `The definition of ${workflowId} has changes that are no version yet, and this browser could not keep them as a draft: they would be lost.`}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={blocker.reset} data-autofocus>
            Stay
          </Button>
          <Button
            variant="default"
            onClick={() => {
              session.discard();
              blocker.proceed();
            }}
          >
            Throw them away
          </Button>
          <Button
            onClick={() => {
              session.keep();
              blocker.proceed();
            }}
          >
            {kept ? 'Leave, keep the draft' : 'Leave all the same'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
