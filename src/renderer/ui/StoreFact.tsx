import type { ReactNode } from 'react';
import type { StoreInfo } from '../../contract/settings.ts';
import { t, tn } from '../../lib/language.ts';
import { ToneBadge } from './Badges.tsx';
import { formatBytes } from './Duration.tsx';
import { TimeAgo } from './Time.tsx';

const KINDS: Readonly<Record<StoreInfo['kind'], string>> = {
  embedded: t('Embedded'),
  victorialogs: 'VictoriaLogs',
  influxdb: 'InfluxDB',
  'remote-write': t('Prometheus remote write'),
  otlp: 'OTLP',
};
const STATES = {
  ok: { word: t('Connected'), tone: 'done' },
  connecting: { word: t('Connecting'), tone: 'ready' },
  failing: { word: t('Failing'), tone: 'fail' },
} as const;

/** Where logs or metrics are kept or sent, whether that works, and what waits. */
export function StoreFact({ store }: { store: StoreInfo }): ReactNode {
  const { kind, address, state, reason, since } = store;
  const { word, tone } = STATES[state];
  return (
    <>
      {KINDS[kind]} {(address !== null || state !== 'ok') && <ToneBadge tone={tone}>{word}</ToneBadge>}
      {address !== null && <div className="mono">{address}</div>}
      {reason !== null && (
        <div>
          {reason}
          {since !== null && (
            <span className="dim">
              {' '}
              <TimeAgo at={since} />
            </span>
          )}
        </div>
      )}
      <StoreQueue store={store} />
    </>
  );
}

/** What is on its way, and what was lost; nothing where all has arrived. */
export function StoreQueue({ store: { kind, queue } }: { store: StoreInfo }): ReactNode {
  if (!queue) return null;
  const size = { size: formatBytes(queue.bytes) };
  const isOfLines = kind === 'victorialogs';
  return (
    <>
      {queue.items > 0 && (
        <div className="dim">
          {isOfLines
            ? tn('{count} line waiting on disk ({size})', '{count} lines waiting on disk ({size})', queue.items, size)
            : kind === 'otlp'
              ? tn(
                  '{count} record waiting in memory ({size})',
                  '{count} records waiting in memory ({size})',
                  queue.items,
                  size,
                )
              : tn(
                  '{count} value waiting on disk ({size})',
                  '{count} values waiting on disk ({size})',
                  queue.items,
                  size,
                )}
        </div>
      )}
      {queue.lost > 0 && (
        <div>
          {isOfLines
            ? tn('{count} line lost since the start', '{count} lines lost since the start', queue.lost)
            : kind === 'otlp'
              ? tn('{count} record lost since the start', '{count} records lost since the start', queue.lost)
              : tn('{count} value lost since the start', '{count} values lost since the start', queue.lost)}
          {queue.lostReason !== null && <span className="dim">: {queue.lostReason}</span>}
        </div>
      )}
    </>
  );
}
