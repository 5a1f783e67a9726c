import { Menu } from '@mantine/core';
import { IconBolt, IconCheck, IconChevronDown, IconPlugConnectedX, IconRefresh, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { t } from '../../../lib/language.ts';
import { useLive } from '../../stores/context.tsx';
import { askShell, connectionsQuery, desktop } from '../../stores/desktop.ts';
import { sayFailed } from '../../ui/toasts.tsx';
import css from './Frame.module.css';
import switcher from './ConnectionSwitcher.module.css';

const ICONS = { connecting: IconRefresh, live: IconBolt, polling: IconRefresh, offline: IconPlugConnectedX } as const;

/** Which cluster this is, and how it is reached now. In a browser there is only the one that served the page. */
export function ConnectionSwitcher() {
  const mode = useLive((s) => s.mode);
  const navigate = useNavigate();
  const { data: connections = [] } = useQuery(connectionsQuery());
  const Icon = ICONS[mode];
  const selected = connections.find((connection) => connection.selected);
  const name = selected?.name ?? window.location.host;
  const face = (
    <>
      <Icon size={15} className={css[mode]} aria-hidden />
      <span className="clip">{name}</span>
    </>
  );
  if (!desktop()) {
    return (
      <span className={css['connection']} aria-label={t('Master {name}: {mode}', { name, mode })} role="group">
        {face}
      </span>
    );
  }
  const go = (id: string) => askShell('connections:select', { id }).catch((error: unknown) => sayFailed(t('The connection could not be opened'), error));
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button type="button" className={css['connection']} aria-label={t('Connection {name}: {mode}. Switch', { name, mode })}>
          {face}
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Connections')}</Menu.Label>
        {connections.map((connection) => (
          <Menu.Item
            key={connection.id}
            leftSection={<span className={switcher['swatch']} style={{ '--swatch': connection.colour ?? 'transparent' } as CSSProperties} />}
            rightSection={connection.selected ? <IconCheck size={14} aria-label={t('selected')} /> : null}
            onClick={() => !connection.selected && void go(connection.id)}
          >
            {connection.name}
            <div className={switcher['url']}>{connection.url ?? t('not running')}</div>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconSettings size={14} aria-hidden />} onClick={() => void navigate({ to: '/settings', search: { tab: 'connections' } })}>
          {t('Manage connections')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
