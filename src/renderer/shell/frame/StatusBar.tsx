import { Menu, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  IconActivity,
  IconAlertTriangle,
  IconBolt,
  IconCheck,
  IconClock,
  IconPlugConnectedX,
  IconRefresh,
  IconServer2,
  IconStack2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import { overviewQuery, settingsQuery } from '../../api/overview.ts';
import { useLive, usePreferences, useStores } from '../../stores/context.tsx';
import { connectionsQuery } from '../../stores/desktop.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { useNow, useUiSettings } from '../../ui/settings.tsx';
import { formatClock, zoneName } from '../../ui/time-text.ts';
import { ClusterBadge } from './ClusterBadge.tsx';
import { noWorkerAccepts, workersUp } from './workers-up.ts';
import css from './Frame.module.css';
import { skewText } from './version-skew.ts';
import { useReach } from '../../stores/role.ts';

/** `operations`: bulk work under way. */
export function StatusBar({ operations }: { operations: ReactNode }) {
  const { data } = useQuery({ ...overviewQuery(), enabled: useReach('master.overview') });
  return (
    <footer className={css['status']} aria-label={t('Status')}>
      <StreamState />
      {data && (
        <>
          <Tooltip label={t('Tasks waiting for a worker')}>
            <span className="numbers">
              <IconStack2 size={14} aria-hidden /> {t('Queue {ready}', { ready: formatCount(data.tasks.ready) })}
            </span>
          </Tooltip>
          <span className="numbers">
            <IconActivity size={14} aria-hidden />{' '}
            {t('{running} running', { running: formatCount(data.tasks.running) })}
          </span>
          {data.workers && (
            <Link to="/workers" className={`numbers ${noWorkerAccepts(data.workers) ? (css['polling'] ?? '') : ''}`}>
              <IconServer2 size={14} aria-hidden /> {workersUp(data.workers)}
            </Link>
          )}
        </>
      )}
      <ClusterBadge />
      {operations}
      <Clock />
      <Version />
    </footer>
  );
}

/** Live, polling or offline, since when; pressing it tries again. */
function StreamState() {
  const mode = useLive((s) => s.mode);
  const since = useLive((s) => s.since);
  const { live } = useStores();
  const look = {
    connecting: { icon: IconRefresh, word: t('Connecting'), hint: t('Opening the live stream') },
    live: { icon: IconBolt, word: t('Live'), hint: t('Updates arrive in real time') },
    polling: {
      icon: IconRefresh,
      word: t('Polling'),
      hint: t('Live stream disconnected; refreshing every 5 s. Click to reconnect'),
    },
    offline: {
      icon: IconPlugConnectedX,
      word: t('Offline'),
      hint: t('The master is not responding. Click to retry'),
    },
  }[mode];
  return (
    <>
      <span role="status" className="visually-hidden">
        {mode === 'live' || mode === 'connecting' ? '' : `${look.word}: ${look.hint}`}
      </span>
      <Tooltip label={look.hint}>
        <button type="button" className={css[mode]} onClick={() => live.retryNow()}>
          <look.icon size={14} aria-hidden />
          <span>{look.word}</span>
          {(mode === 'offline' || mode === 'polling') && <Since at={since} />}
        </button>
      </Tooltip>
    </>
  );
}

function Since({ at }: { at: number }) {
  const { zone } = useUiSettings();
  return <span className="numbers">{t('since {clock}', { clock: formatClock(at, zone) })}</span>;
}

/** The time in the viewer's zone; pressing it changes the zone everywhere. */
function Clock() {
  const zone = usePreferences((p) => p.zone);
  const times = usePreferences((p) => p.times);
  const set = usePreferences((p) => p.set);
  const navigate = useNavigate();
  const form = times === 'relative' ? 'absolute' : 'relative';
  return (
    <Menu position="top-end">
      <Menu.Target>
        <button type="button" className={`${css['push']} numbers`} data-hint={t('Time zone for all times')}>
          <IconClock size={14} aria-hidden />
          <ClockText zone={zone} /> {zoneName(zone)}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Time zone')}</Menu.Label>
        <Menu.Item leftSection={<Chosen on={zone === 'local'} />} onClick={() => set({ zone: 'local' })}>
          {t('Local ({timeZone})', { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
        </Menu.Item>
        <Menu.Item leftSection={<Chosen on={zone === 'utc'} />} onClick={() => set({ zone: 'utc' })}>
          {t('UTC')}
        </Menu.Item>
        {zone !== 'local' && zone !== 'utc' && (
          <Menu.Item leftSection={<Chosen on />}>{zone.replaceAll('_', ' ')}</Menu.Item>
        )}
        <Menu.Item
          leftSection={<Chosen on={false} />}
          onClick={() => void navigate({ to: '/settings', search: { tab: 'appearance' } })}
        >
          {t('Another zone…')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Chosen on={false} />} onClick={() => set({ times: form })}>
          {form === 'absolute' ? t('Show absolute times') : t('Show relative times')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Apart, so that nothing else is drawn each second. */
function ClockText({ zone }: { zone: string }) {
  return formatClock(useNow(), zone);
}

const Chosen = ({ on }: { on: boolean }) =>
  on ? <IconCheck size={14} aria-label={t('selected')} /> : <span className={css['unchosen']} />;

/** Of the master; in the desktop app also what it means for this app. */
function Version() {
  const { data } = useQuery({ ...settingsQuery(), enabled: useReach('settings.get') });
  const skew = skewText(useQuery(connectionsQuery()).data?.find(({ selected }) => selected)?.skew);
  if (!data) return null;
  return (
    <span className={`mono ${skew === null ? '' : (css['polling'] ?? '')}`} data-hint={skew ?? t('Master version')}>
      {skew !== null && <IconAlertTriangle size={13} aria-label={skew} />} {data.version}
    </span>
  );
}
