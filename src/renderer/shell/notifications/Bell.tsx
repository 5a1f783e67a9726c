import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { t, tn } from '../../../lib/language.ts';
import { useNotifications } from '../../stores/context.tsx';
import { unreadIn } from '../../stores/notifications.ts';
import css from './Notifications.module.css';

/** Opens the notifications; shows how many were not read. */
export function Bell({ onOpen }: { onOpen(): void }) {
  const unread = useNotifications((s) => unreadIn(s.items));
  const label =
    unread === 0 ? t('Notifications') : tn('Notifications, {count} unread', 'Notifications, {count} unread', unread);
  return (
    <Tooltip label={`${label} (b)`}>
      <ActionIcon aria-label={label} onClick={onOpen} className={css['bell'] ?? ''} data-tour="bell">
        <IconBell size={17} aria-hidden />
        {unread > 0 && (
          <span className={css['count']} aria-hidden>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  );
}
