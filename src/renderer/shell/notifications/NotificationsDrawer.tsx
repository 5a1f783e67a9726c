import { Button, Drawer, Group, Switch, Tabs } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBell,
  IconCheck,
  IconListCheck,
  IconRocket,
  IconServer2,
  IconSitemap,
  type TablerIcon,
} from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../lib/language.ts';
import { storageLocationText } from '../../stores/desktop.ts';
import { useNotifications } from '../../stores/context.tsx';
import {
  NOTIFICATION_KINDS,
  type StoredNotification,
  type NotificationKind,
  unreadIn,
} from '../../stores/notifications.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import css from './Notifications.module.css';
import { bindChecked } from '../../ui/bind.ts';

const faces = (): Readonly<Record<NotificationKind, { icon: TablerIcon; word: string; help: string }>> => ({
  action: { icon: IconCheck, word: t('Your actions'), help: t('Messages that appear for a few seconds') },
  alert: { icon: IconBell, word: t('Firing alerts'), help: t('When an alert starts firing') },
  operation: { icon: IconListCheck, word: t('Finished bulk operations'), help: t('With their result') },
  publication: {
    icon: IconRocket,
    word: t('Publications by others'),
    help: t('Which version went to which environment'),
  },
  worker: { icon: IconServer2, word: t('Lost workers'), help: t('Workers that stopped responding') },
  failover: { icon: IconSitemap, word: t('Failovers'), help: t('When another master takes over') },
});

/** The bell: what was said, and what happened while one looked elsewhere. */
export function NotificationsDrawer({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="min(460px, 94vw)"
      title={<strong>{t('Notifications')}</strong>}
    >
      <Body onClose={onClose} />
    </Drawer>
  );
}

function Body({ onClose }: { onClose(): void }) {
  const { items, quiet, markRead, clear, hush } = useNotifications((s) => s);
  const [tab, setTab] = useState<'all' | 'kinds'>('all');
  const router = useRouter();
  const look = faces();
  const open = (notification: StoredNotification) => {
    markRead(notification.id);
    if (notification.path === null) return;
    onClose();
    void router.navigate({ href: notification.path });
  };
  return (
    <Tabs value={tab} onChange={(next) => setTab(next as 'all' | 'kinds')}>
      <Tabs.List>
        <Tabs.Tab value="all">{t('All')}</Tabs.Tab>
        <Tabs.Tab value="kinds">{t('Preferences')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="all" pt="xs">
        <Group gap="xs" mb="xs">
          <Button size="compact-xs" variant="default" disabled={unreadIn(items) === 0} onClick={() => markRead()}>
            {t('Mark all as read')}
          </Button>
          <Button size="compact-xs" variant="default" disabled={items.length === 0} onClick={clear}>
            {t('Clear')}
          </Button>
        </Group>
        {items.length === 0 ? (
          <EmptyState icon={IconBell} title={t('No history yet')}>
            {t(
              'Alerts, finished operations, publications by others, lost workers and failovers appear here and are kept {here}.',
              {
                here: storageLocationText(),
              },
            )}
          </EmptyState>
        ) : (
          <ul className={`bare ${css['list']}`} aria-label={t('Notifications, newest first')}>
            {items.map((notification) => {
              const Icon =
                notification.tone === 'fail' || notification.tone === 'warn'
                  ? notification.kind === 'action'
                    ? IconAlertTriangle
                    : look[notification.kind].icon
                  : look[notification.kind].icon;
              return (
                <li key={notification.id}>
                  <button
                    type="button"
                    onClick={() => open(notification)}
                    data-shade={notification.tone}
                    data-unread={!notification.read || undefined}
                  >
                    <Icon size={16} aria-hidden />
                    <span className={css['words']}>
                      <span className={css['title']}>
                        {notification.title}
                        {!notification.read && <span className={css['new']}>{t('new')}</span>}
                      </span>
                      {notification.message !== '' && <span className={css['message']}>{notification.message}</span>}
                      <span className="dim">
                        <TimeAgo at={new Date(notification.at).toISOString()} />
                      </span>
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="kinds" pt="sm">
        {NOTIFICATION_KINDS.map((kind) => (
          <Switch
            key={kind}
            mb="md"
            label={look[kind].word}
            description={look[kind].help}
            {...bindChecked(!quiet.includes(kind), (on) => hush(kind, !on))}
          />
        ))}
      </Tabs.Panel>
    </Tabs>
  );
}
