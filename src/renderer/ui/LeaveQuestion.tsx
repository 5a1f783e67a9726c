import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../lib/language.ts';
import { useRestoreFocus } from './restore-focus.ts';

interface Place {
  readonly pathname: string;
  readonly search: object;
}

export interface Leaving {
  readonly action: 'PUSH' | 'REPLACE' | 'BACK' | 'FORWARD' | 'GO';
  readonly current: Place;
  readonly next: Place;
}

/**
 * Asks before Back, a link or anything else that changes the address loses what was entered, and before the window is closed with it.
 * `onLeft`: the address has changed, and what was entered in is still there.
 */
export function LeaveQuestion({
  isLost,
  isUnsaved,
  onLeft,
}: {
  isLost(leaving: Leaving): boolean;
  isUnsaved(): boolean;
  onLeft?: () => void;
}): ReactNode {
  const isLeaving = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn(leaving) {
      // One that was agreed to may have come to nothing, since another form kept it.
      isLeaving.current = false;
      return isLost(leaving);
    },
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  useRestoreFocus(blocker.status === 'blocked');
  // Once the other page is drawn: a form of the page that is left would otherwise close, which may lead back to its page.
  const arrived = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation });
  useEffect(() => {
    if (isLeaving.current) onLeft?.();
    isLeaving.current = false;
  }, [arrived]);
  if (blocker.status !== 'blocked') return null;
  return (
    <DiscardQuestion
      onStay={blocker.reset}
      onDiscard={() => {
        isLeaving.current = true;
        blocker.proceed();
      }}
    />
  );
}

/** Another page, or another tab of it. */
export const leavesTab = ({ current, next }: Leaving): boolean =>
  current.pathname !== next.pathname || tabAt(current) !== tabAt(next);
const tabAt = ({ search }: Place): unknown => ('tab' in search ? search.tab : undefined);

export function DiscardQuestion({ onStay, onDiscard }: { onStay(): void; onDiscard(): void }): ReactNode {
  return (
    <Modal opened onClose={onStay} title={<strong>{t('Discard changes?')}</strong>} size="sm">
      <Stack>
        <Text size="sm">{t('What you entered has not been saved.')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDiscard}>
            {t('Discard changes')}
          </Button>
          <Button onClick={onStay} data-autofocus>
            {t('Keep editing')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
