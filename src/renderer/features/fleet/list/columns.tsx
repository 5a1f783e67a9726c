import {
  IconAlertTriangle,
  IconCircleCheck,
  IconEyeCheck,
  IconPlugConnectedX,
  IconShieldX,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import type { ClusterFigures, ClusterStatus } from '../../../../contract/desktop.ts';
import { skewText } from '../../../shell/frame/version-skew.ts';
import type { Cluster, ClusterHistory } from '../../../stores/fleet.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { formatCount } from '../../../ui/Duration.tsx';
import type { DataColumn } from '../../../ui/table/types.ts';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './Fleet.module.css';

export interface Row {
  readonly id: string;
  readonly cluster: Cluster;
  /** Null: the first answer is still to come. */
  readonly seen: ClusterHistory | null;
}

const faces = (): Readonly<
  Record<ClusterStatus['state'], { tone: 'done' | 'warn' | 'fail'; icon: TablerIcon; word: string }>
> => ({
  up: { tone: 'done', icon: IconCircleCheck, word: t('Online') },
  refused: { tone: 'warn', icon: IconShieldX, word: t('Access denied') },
  down: { tone: 'fail', icon: IconPlugConnectedX, word: t('Not responding') },
});

export function ClusterState({ look }: { look: ClusterStatus }): ReactNode {
  const { tone, icon, word } = faces()[look.state];
  return (
    <span data-hint={look.message ?? t('Responded in {ms} ms', { ms: look.tookMs ?? 0 })}>
      <ToneBadge tone={tone} icon={icon}>
        {word}
      </ToneBadge>
    </span>
  );
}

/** A name of so many letters is never cut. */
const SHORT_NAME = 9;

/** A figure as last heard of; of a cluster that is silent now it is old, and greyed. */
const fact =
  (value: (facts: ClusterFigures) => ReactNode) =>
  ({ seen }: Row): ReactNode => {
    const facts = seen?.good?.look.facts;
    return facts ? (
      <span className={`numbers ${seen?.latest.state === 'up' ? '' : 'dim'}`}>{value(facts)}</span>
    ) : (
      <span className="dim">–</span>
    );
  };
const alarming = (count: number): ReactNode =>
  count > 0 ? <strong className={css['alarm']}>{formatCount(count)}</strong> : '0';

export const columnsFor = (): readonly DataColumn<Row>[] => [
  {
    id: 'cluster',
    header: t('Cluster'),
    width: 164,
    grow: 420,
    cell: ({ cluster }) => (
      <span className={css['cluster']} dir="ltr">
        <span className={css['swatch']} style={{ '--swatch': cluster.colour ?? 'transparent' }} aria-hidden />
        <strong
          className={`clip ${cluster.name.length > SHORT_NAME ? css['name'] : css['shown']}`}
          data-hint={cluster.name}
        >
          <bdi>{cluster.name}</bdi>
        </strong>
        {cluster.production && <ToneBadge tone="fail">{t('production')}</ToneBadge>}
        {cluster.readOnly && <ToneBadge tone="ready">{t('read-only')}</ToneBadge>}
        {cluster.selected && (
          <IconEyeCheck size={15} aria-label={t('current')} data-hint={t('current')} className={css['current']} />
        )}
      </span>
    ),
  },
  {
    id: 'state',
    header: t('State'),
    width: 142,
    cell: ({ seen }) =>
      seen === null ? <span className="dim">{t('connecting…')}</span> : <ClusterState look={seen.latest} />,
  },
  {
    id: 'fresh',
    header: t('Last response'),
    width: 100,
    cell: ({ seen }) => <TimeAgo at={seen?.good ? new Date(seen.good.at).toISOString() : null} absent={t('never')} />,
  },
  {
    id: 'version',
    header: t('Version'),
    width: 96,
    cell: ({ seen, cluster }) => <VersionCell version={seen?.good?.look.version ?? null} cluster={cluster} />,
  },
  { id: 'queued', header: t('Queue'), width: 74, align: 'right', cell: fact(({ queued }) => formatCount(queued)) },
  {
    id: 'running',
    header: t('Running'),
    width: 82,
    align: 'right',
    cell: fact(({ runningTasks }) => formatCount(runningTasks)),
  },
  {
    id: 'failed',
    header: t('Failed, 1 h'),
    width: 96,
    align: 'right',
    cell: fact(({ failedLastHour }) => alarming(failedLastHour)),
  },
  {
    id: 'masters',
    header: t('Masters'),
    width: 84,
    align: 'right',
    cell: fact(({ mastersUp, masters }) => <UpOf up={mastersUp} all={masters} alarms />),
  },
  {
    id: 'workers',
    header: t('Workers'),
    width: 104,
    align: 'right',
    cell: fact(({ workersUp, workers }) => <UpOf up={workersUp} all={workers} alarms={workersUp === 0} />),
  },
  {
    id: 'alerts',
    header: t('Alerts'),
    width: 70,
    align: 'right',
    cell: fact(({ alertsFiring }) => alarming(alertsFiring)),
  },
];

/** `3 of 5`; `alarms`: where some are missing. */
function UpOf({ up, all, alarms }: { up: number | null; all: number | null; alarms: boolean }): ReactNode {
  if (up === null || all === null) return '–';
  const words = up === all ? formatCount(all) : t('{up} of {all}', { up: formatCount(up), all: formatCount(all) });
  return up < all && alarms ? <strong className={css['alarm']}>{words}</strong> : words;
}

function VersionCell({ version, cluster }: { version: string | null; cluster: Cluster }): ReactNode {
  if (version === null) return <span className="dim">–</span>;
  const skew = skewText(cluster.skew);
  if (skew === null) return <span className="mono">{version}</span>;
  return (
    <span data-hint={skew}>
      <ToneBadge tone={cluster.skew === 'unsafe' ? 'fail' : 'warn'} icon={IconAlertTriangle}>
        {version}
        <span className="visually-hidden">. {skew}</span>
      </ToneBadge>
    </span>
  );
}
