import { Menu } from '@mantine/core';
import {
  IconBolt,
  IconCheck,
  IconChevronDown,
  IconPlugConnectedX,
  IconRefresh,
  IconSettings,
  IconTopologyStar3,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';
import { useLive } from '../../stores/context.tsx';
import { callShell, connectionsQuery, desktop } from '../../stores/desktop.ts';
import { fleetQuery } from '../../stores/fleet.ts';
import { useNow, useUiSettings } from '../../ui/settings.tsx';
import { formatAgo, formatClock } from '../../ui/time-text.ts';
import { toastFailure } from '../../ui/toasts.tsx';
import css from './Frame.module.css';
import { connectionPlace } from './connection-place.ts';
import { tunnelWord } from './tunnel-text.ts';
import { skewText } from './version-skew.ts';
import switcher from './ConnectionSwitcher.module.css';

const ICONS = { connecting: IconRefresh, live: IconBolt, polling: IconRefresh, offline: IconPlugConnectedX } as const;

/** Which cluster this is, and how fresh what it shows is. In a browser there is only the one that served the page. */
export function ConnectionSwitcher() {
  const mode = useLive((s) => s.mode);
  const since = useLive((s) => s.since);
  const { zone } = useUiSettings();
  const navigate = useNavigate();
  const { data: connections = [] } = useQuery(connectionsQuery());
  const Icon = ICONS[mode];
  const selected = connections.find((connection) => connection.selected);
  const name = selected?.name ?? window.location.host;
  const fresh = {
    connecting: t('connecting'),
    live: t('live'),
    polling: t('polling since {clock}', { clock: formatClock(since, zone) }),
    offline: t('offline since {clock}', { clock: formatClock(since, zone) }),
  }[mode];
  const face = (
    <>
      <Icon size={15} className={css[mode]} aria-hidden />
      <span className="clip">{name}</span>
      {(mode === 'offline' || mode === 'polling') && (
        <span className={`${switcher['fresh']} ${css[mode]}`}>{fresh}</span>
      )}
    </>
  );
  if (!desktop()) {
    return (
      <span
        className={css['connection']}
        aria-label={t('Master {name}: {mode}', { name, mode: fresh })}
        role="group"
        data-tour="connection"
      >
        {face}
      </span>
    );
  }
  const go = (id: string) =>
    callShell('connections:select', { id }).catch(toastFailure(t('Could not switch the connection')));
  return (
    <Menu position="bottom-start" width={340}>
      <Menu.Target>
        <button
          type="button"
          className={css['connection']}
          aria-label={t('Connection {name}: {mode}. Switch connection', { name, mode: fresh })}
          data-tour="connection"
        >
          {face}
          <IconChevronDown size={14} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Connections')}</Menu.Label>
        {connections.map((connection) => (
          <Menu.Item
            key={connection.id}
            leftSection={
              <span className={switcher['swatch']} style={{ '--swatch': connection.colour ?? 'transparent' }} />
            }
            rightSection={connection.selected ? <IconCheck size={14} aria-label={t('selected')} /> : null}
            onClick={() => !connection.selected && void go(connection.id)}
          >
            {connection.name}
            {connection.production && <strong className={switcher['mark']}> {t('production')}</strong>}
            {connection.readOnly && <span className={switcher['mark']}> {t('read-only')}</span>}
            <div className={switcher['url']}>{connectionPlace(connection)}</div>
            <Freshness connection={connection} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTopologyStar3 size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/fleet' })}
        >
          {t('All clusters at a glance')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSettings size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/settings', search: { tab: 'connections' } })}
        >
          {t('Manage connections')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asked while the menu is open: whether it answers, when it was last heard of, its version. */
function Freshness({ connection }: { connection: Connection }) {
  const { data } = useQuery(fleetQuery(connection.id));
  const now = useNow();
  const skew = skewText(connection.skew);
  const { tunnel } = connection;
  // What is wrong with its tunnel says more than that its master does not answer.
  if (tunnel !== null && tunnel.state !== 'open')
    return (
      <div
        className={`${switcher['state']} ${css[tunnel.state === 'waiting' || tunnel.state === 'failed' ? 'offline' : 'polling']}`}
      >
        {tunnelWord(tunnel)}
      </div>
    );
  if (!data) return <div className={switcher['url']}>{t('connecting…')}</div>;
  const up = data.latest.state === 'up';
  const heard = data.good ? t('last response {ago}', { ago: formatAgo(data.good.at, now) }) : t('no response yet');
  return (
    <>
      <div className={`${switcher['state']} ${up ? css['live'] : css['offline']}`}>
        {up
          ? t('online, version {version}', { version: data.latest.version ?? '–' })
          : data.latest.state === 'refused'
            ? t('token rejected')
            : t('not responding, {heard}', { heard })}
      </div>
      {skew !== null && <div className={`${switcher['state']} ${css['polling']}`}>{skew}</div>}
    </>
  );
}
