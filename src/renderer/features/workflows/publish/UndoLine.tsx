import { Group } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { MessageAction } from '../../../ui/toasts.tsx';

/** Seconds that a publication can be taken back with one press. */
export const UNDO_SECONDS = 5;

/** What was done, and a button that takes it back while its seconds count down. They stand still under the pointer and the focus. */
export function UndoLine({
  message,
  onUndo,
  onOver,
}: {
  message: string;
  onUndo: () => void;
  onOver: () => void;
}): ReactNode {
  const [left, setLeft] = useState(UNDO_SECONDS);
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return undefined;
    if (left <= 0) {
      onOver();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, held, onOver]);
  return (
    <Group
      gap="sm"
      wrap="nowrap"
      justify="space-between"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{message}</span>
      <MessageAction spoken={t('Undo publication')} onClick={onUndo}>
        {/* Or each second would be said. */}
        <span aria-hidden>{t('Undo ({left} s)', { left })}</span>
      </MessageAction>
    </Group>
  );
}
