import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconClockHour4 } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { onClose, toastFailure } from './toasts.tsx';

/** Time in which something that was confirmed can still be taken back. */
export const UNDO_MS = 5000;

const TYPING = 'input, textarea, select, [contenteditable="true"], .cm-editor';

export interface DelayedAction {
  /** 'Retrying 40 jobs' */
  readonly title: string;
  /** What is said where it fails: 'The operation could not be started'. */
  readonly failed: string;
  /** Not called before the time is over or somebody wants it now; never after it was taken back. */
  run(): Promise<void>;
}

/**
 * Does something after a few seconds, in which it can be taken back; nothing is sent before. It goes on when the page is
 * left, and does not when the window is closed: that is why the words say that nothing was sent yet.
 */
export function runAfterUndoTime({ title, failed, run }: DelayedAction): void {
  const at = Date.now() + UNDO_MS;
  const end = () => {
    clearTimeout(timer);
    notifications.hide(id);
  };
  const go = () => {
    end();
    run().catch(toastFailure(failed));
  };
  const timer = setTimeout(go, UNDO_MS);
  const id = notifications.show({
    title,
    message: <Countdown at={at} onUndo={end} onNow={go} />,
    icon: <IconClockHour4 size={16} aria-hidden />,
    color: 'blue.8',
    autoClose: false,
    withCloseButton: false,
    onClose,
  });
}

function Countdown({ at, onUndo, onNow }: { at: number; onUndo(): void; onNow(): void }): ReactNode {
  const left = () => Math.max(0, Math.ceil((at - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 200);
    return () => clearInterval(timer);
  }, [at]);
  const undo = useRef(onUndo);
  undo.current = onUndo;
  // Also where a dialog holds the focus, so that the button here cannot be reached.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 'z') return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      event.preventDefault();
      event.stopPropagation();
      undo.current();
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, []);
  return (
    <>
      <span className="numbers" aria-hidden>
        {t('Not sent yet. Starts in {seconds} s.', { seconds })}
      </span>
      <span className="visually-hidden">{t('Not sent yet. Press Ctrl+Z within 5 seconds to undo.')}</span>
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" variant="default" onClick={onUndo}>
          {t('Undo (Ctrl+Z)')}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={onNow}>
          {t('Start now')}
        </Button>
      </Group>
    </>
  );
}
