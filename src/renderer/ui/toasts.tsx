import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { t } from '../../lib/language.ts';
import { failureOf } from './error-text.ts';
import { giveFocusBack } from './focus-back.ts';

export interface Toast {
  readonly tone: 'done' | 'warn' | 'fail';
  readonly title: string;
  readonly message: string;
}
let heard: (toast: Toast) => void = () => undefined;
/** Who keeps what was said on the screen for a few seconds; set once, at the start of a window. */
export function keepToasts(keep: (toast: Toast) => void): void {
  heard = keep;
}

/** Milliseconds until a message that was closed is gone, and whoever was on a button of it would be nowhere. */
const GONE_MS = 350;
export const onClose = (): void => void setTimeout(() => giveFocusBack(null), GONE_MS);
const doneLook = { color: 'teal.8', icon: <IconCheck size={16} aria-hidden />, autoClose: 4000, loading: false, withCloseButton: true, onClose } as const;
const failedLook = { color: 'red.8', icon: <IconX size={16} aria-hidden />, autoClose: 12_000, loading: false, withCloseButton: true, onClose } as const;
const noteLook = { color: 'yellow.8', icon: <IconInfoCircle size={16} aria-hidden />, autoClose: 6000, loading: false, withCloseButton: true, onClose } as const;
const closeLabel = { closeButtonProps: { 'aria-label': t('Close the message') } };
const reason = (error: unknown): string => {
  const { title, detail, code } = failureOf(error);
  return `${detail || title}${code ? ` (${code})` : ''}`;
};

/** `action`: one thing that can be done about it while the message shows, such as to undo it. */
export function sayDone(title: string, message = '', action?: { readonly label: string; run(): void }): void {
  heard({ tone: 'done', title, message });
  if (action === undefined) return void notifications.show({ ...doneLook, ...closeLabel, title, message });
  const id = notifications.show({
    ...doneLook,
    ...closeLabel,
    autoClose: 10_000,
    title,
    message: (
      <>
        {message}{' '}
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      </>
    ),
  });
}

/** Why something that was asked for was not done. */
export function sayNote(title: string, message: string): void {
  heard({ tone: 'warn', title, message });
  notifications.show({ ...noteLook, ...closeLabel, title, message });
}

/** `what`: 'The job could not be killed'. */
export function sayFailed(what: string, error: unknown): void {
  const message = reason(error);
  heard({ tone: 'fail', title: what, message });
  notifications.show({ ...failedLook, ...closeLabel, title: what, message, role: 'alert' });
}
