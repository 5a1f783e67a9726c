import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconActivity, IconBolt, IconClock, IconListCheck, IconPlugConnectedX, IconRefresh, IconServer2, IconStack2 } from '@tabler/icons-react';
import { t } from '../../../lib/language.ts';
import { operationsQuery } from '../../api/operations.ts';
import { overviewQuery } from '../../api/overview.ts';
import { useLive, usePreferences, useStores } from '../../stores/context.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { useNow } from '../../ui/settings.tsx';
import { formatAgo, formatClock, zoneName } from '../../ui/time-text.ts';
import { outcomeWords, percentOf } from '../operations/words.ts';
import { noneTakesTasks, workersUp } from '../worker-words/up.ts';
import css from './Frame.module.css';

export function StatusBar() {
  const { data } = useQuery(overviewQuery());
  return (
    <footer className={css['status']} aria-label={t('Status')}>
      <StreamState />
      {data && (
        <>
          <Tooltip label={t('Tasks that wait for a worker')}>
            <span className="numbers">
              <IconStack2 size={14} aria-hidden />{' '}{t('Queue {ready}', { ready: formatCount(data.tasks.ready) })}
            </span>
          </Tooltip>
          <span className="numbers">
            <IconActivity size={14} aria-hidden />{' '}{t('{running} running', { running: formatCount(data.tasks.running) })}
          </span>
          <Link to="/workers" className={`numbers ${noneTakesTasks(data.workers) ? (css['polling'] ?? '') : ''}`}>
            <IconServer2 size={14} aria-hidden /> {workersUp(data.workers)}
          </Link>
        </>
      )}
      <Operations />
      <Clock />
    </footer>
  );
}

/** Bulk work under way, also after its panel was closed. */
function Operations() {
  const { data } = useQuery(operationsQuery({ page: 0, size: 5 }));
  const [first, ...more] = data?.items.filter(({ status }) => status === 'RUNNING') ?? [];
  if (first === undefined) return null;
  return (
    <Link to="/operations" search={{ operation: first.operationId }} className="numbers">
      <IconListCheck size={14} aria-hidden /> {outcomeWords(first)} ({Math.floor(percentOf(first))} %){more.length > 0 && <> {t('and {count} more', { count: more.length })}</>}
    </Link>
  );
}

/** Live, polling or offline, since when; pressing it tries again. */
function StreamState() {
  const mode = useLive((s) => s.mode);
  const since = useLive((s) => s.since);
  const { live } = useStores();
  const look = {
    connecting: { icon: IconRefresh, word: t('Connecting'), hint: t('The live stream is being opened') },
    live: { icon: IconBolt, word: t('Live'), hint: t('Changes arrive as they happen') },
    polling: { icon: IconRefresh, word: t('Polling'), hint: t('The live stream is down; everything is read every 5 s. Press to try the stream now') },
    offline: { icon: IconPlugConnectedX, word: t('Offline'), hint: t('The master does not answer. Press to try again') },
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
  return <span className="numbers">{t('since {value}', { value: formatAgo(at, useNow()).replace('now', 'just now') })}</span>;
}

function Clock() {
  const now = useNow();
  const zone = usePreferences((p) => p.zone);
  const set = usePreferences((p) => p.set);
  return (
    <Tooltip label={zone === 'utc' ? t('Show local time everywhere') : t('Show UTC everywhere')}>
      <button type="button" className={`${css['push']} numbers`} onClick={() => set({ zone: zone === 'utc' ? 'local' : 'utc' })}>
        <IconClock size={14} aria-hidden />
        {formatClock(now, zone)} {zoneName(zone)}
      </button>
    </Tooltip>
  );
}
