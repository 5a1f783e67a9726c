import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';

/** Seconds that a publication can be taken back with one press. */
export const UNDO_SECONDS = 5;

/** What was done, and a button that takes it back while its seconds count down. They stand still under the pointer and the focus. */
export function UndoLine({ message, onUndo, onOver }: { message: string; onUndo: () => void; onOver: () => void }): ReactNode {
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
    <Group gap="sm" wrap="nowrap" justify="space-between" onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <span>{message}</span>
      <Button size="compact-sm" variant="default" onClick={onUndo} aria-label={t('Undo the publication')}>
        {t('Undo ({left} s)', { left })}
      </Button>
    </Group>
  );
}
