import { Button, Kbd } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { type NotificationData, notifications } from '@mantine/notifications';
import { IconCheck, IconInfoCircle, IconX, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/language.ts';
import { describeError } from './error-text.ts';
import { restoreFocus, focusTargets } from './restore-focus.ts';

export interface Toast {
  readonly tone: 'done' | 'warn' | 'fail';
  readonly title: string;
  readonly message: string;
}
let heard: (toast: Toast) => void = () => undefined;
/** Who keeps what was said on the screen for a few seconds; set once, at the start of a window. */
export function recordToasts(keep: (toast: Toast) => void): void {
  heard = keep;
}

/** Milliseconds until a message that was closed is gone, and whoever was on a button of it would be nowhere. */
const GONE_MS = 350;
/** Where the focus was before it went to a message. */
let before: readonly HTMLElement[] = [];
export const onClose = (): void => void setTimeout(() => restoreFocus(before), GONE_MS);

/** The key for `goToMessage`, as shortcuts are written. */
export const MESSAGE_KEY = 'f8';
/**
 * Gives the focus to what can be done about the newest message, then about those before it, then back to where it was: messages are the
 * last things of a page, and too soon gone for whoever walks there.
 */
export function goToMessage(): void {
  const messages = [...document.querySelectorAll('.mantine-Notifications-notification')].reverse();
  const at = messages.findIndex((message) => message.contains(document.activeElement));
  const next = messages[at + 1]?.querySelector('button');
  if (at === -1) before = focusTargets(document.activeElement);
  if (next) next.focus();
  else before.find((place) => place.isConnected)?.focus();
}

/** What can be done about a message, with the key that leads there. */
export function MessageAction({ children, onClick }: { children: ReactNode; onClick(): void }): ReactNode {
  return (
    <Button
      size="compact-xs"
      variant="default"
      // Beside a long message the message wraps, and what can be done about it is read whole.
      flex="none"
      ml={6}
      mr={3}
      my={3}
      rightSection={
        <Kbd size="xs" aria-hidden>
          F8
        </Kbd>
      }
      aria-keyshortcuts="F8"
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
const look = (color: string, Icon: TablerIcon, autoClose: number) => ({
  color,
  icon: <Icon size={16} aria-hidden />,
  autoClose,
  loading: false,
  withCloseButton: true,
  closeButtonProps: { 'aria-label': t('Close message') },
  onClose,
});

/**
 * Shows a message. While something in it has the focus its time does not run out, or Enter would press what the focus falls
 * back to; it begins anew once the focus is elsewhere.
 */
function show(message: NotificationData & { readonly autoClose: number }): string {
  const id = message.id ?? randomId();
  return notifications.show({
    ...message,
    id,
    onFocus: () => notifications.update({ id, message: message.message, autoClose: false }),
    onBlur: () => notifications.update({ id, message: message.message, autoClose: message.autoClose }),
  });
}
const doneLook = look('teal.8', IconCheck, 4000);
const failedLook = look('red.8', IconX, 12_000);
const noteLook = look('yellow.8', IconInfoCircle, 6000);
const reason = (error: unknown): string => {
  const { title, detail, code } = describeError(error);
  return `${detail || title}${code ? ` (${code})` : ''}`;
};

/** Takes a message away that is no longer true. */
export const dismissToast = (about: string): unknown => notifications.hide(about);

/** `action`: one thing that can be done about it while the message shows, such as to undo it; `about`: what `unsay` knows it by. */
export function toastSuccess(
  title: string,
  message = '',
  action?: { readonly label: string; run(): void; readonly about?: string },
): void {
  heard({ tone: 'done', title, message });
  if (action === undefined) return void show({ ...doneLook, title, message });
  if (action.about !== undefined) dismissToast(action.about);
  const id = show({
    ...doneLook,
    ...(action.about === undefined ? {} : { id: action.about }),
    autoClose: 10_000,
    title,
    message: (
      <>
        {message}{' '}
        <MessageAction
          onClick={() => {
            notifications.hide(id);
            action.run();
          }}
        >
          {action.label}
        </MessageAction>
      </>
    ),
  });
}

/** Why something that was asked for was not done. */
export function toastInfo(title: string, message: string): void {
  heard({ tone: 'warn', title, message });
  show({ ...noteLook, title, message });
}

/** What happened in the cluster; who shows it keeps it too. */
export const showNotice = (title: string, message: string): unknown =>
  show({ ...noteLook, autoClose: 10_000, title, message });

/** `what`: 'The job could not be killed'. */
export function toastError(what: string, error: unknown): void {
  const message = reason(error);
  heard({ tone: 'fail', title: what, message });
  show({ ...failedLook, title: what, message, role: 'alert' });
}

/** The same for a promise: `.catch(toastFailure(t('Could not open the folder')))`. */
export const toastFailure = (what: string) => (error: unknown) => toastError(what, error);
