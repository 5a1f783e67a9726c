import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconCrown,
  IconPlugConnectedX,
  IconRefresh,
  IconStack2,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Cluster, ClusterMaster, MasterRole } from '../../../../contract/cluster.ts';
import { isBehind, isSilent } from '../../../../lib/cluster.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { formatCount, formatDuration } from '../../../ui/Duration.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import type { Tone } from '../../../ui/status.ts';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import css from './Cluster.module.css';

const ROLES: Readonly<Record<MasterRole, { word: string; hint: string; tone: Tone; icon: TablerIcon }>> = {
  owner: { word: t('Owner'), hint: t('Runs the jobs and writes the journal'), tone: 'done', icon: IconCrown },
  standby: { word: t('Standby'), hint: t('Follows the journal and can take over'), tone: 'run', icon: IconStack2 },
  joining: {
    word: t('Joining'),
    hint: t('Loads the state; it cannot take over yet'),
    tone: 'ready',
    icon: IconRefresh,
  },
  diverged: {
    word: t('Diverged'),
    hint: t('Differs from the journal; it cannot take over and rebuilds itself'),
    tone: 'fail',
    icon: IconAlertTriangle,
  },
};

/** `why`: words for why nobody may hand over. */
export const masterColumns = (
  cluster: Cluster,
  why: string | undefined,
  handOver: (to: ClusterMaster) => void,
): readonly DataColumn<ClusterMaster>[] => [
  {
    id: 'id',
    header: t('Master'),
    width: 116,
    cell: ({ id }) => <IdLabel id={id} kind={t('master ID')} tail={8} />,
  },
  {
    id: 'url',
    header: t('URL'),
    width: 200,
    grow: true,
    cell: ({ url }) => (
      <a href={url} className="clip mono" data-hint={url} target="_blank" rel="noreferrer">
        {url.replace(/^https?:\/\//, '')}
      </a>
    ),
  },
  { id: 'role', header: t('Role'), width: 136, cell: (master) => <Role cluster={cluster} master={master} /> },
  { id: 'version', header: t('Version'), width: 76, cell: ({ version }) => <span className="mono">{version}</span> },
  {
    id: 'seq',
    header: t('Position'),
    width: 96,
    align: 'right',
    cell: ({ seq }) => (
      <span className="numbers" data-hint={t('The last turn of the journal that this master has applied')}>
        {formatCount(seq)}
      </span>
    ),
  },
  {
    id: 'lag',
    header: t('Lag##standby'),
    width: 84,
    align: 'right',
    cell: ({ role, lagMs }) =>
      role === 'owner' ? (
        <span className="dim">–</span>
      ) : (
        <span className={`numbers ${isBehind(lagMs) ? css['behind'] : ''}`}>{formatDuration(lagMs)}</span>
      ),
  },
  { id: 'started', header: t('Started'), width: 98, cell: ({ startedAt }) => <TimeAgo at={startedAt} /> },
  { id: 'seen', header: t('Last seen'), width: 98, cell: ({ lastSeenAt }) => <TimeAgo at={lastSeenAt} /> },
  actionsColumn(80, why, (master) => [
    master.role === 'standby' && {
      label: t('Hand over'),
      icon: IconArrowsExchange,
      why: isSilent(cluster, master) ? t('it does not respond') : undefined,
      run: () => handOver(master),
    },
  ]),
];

function Role({ cluster, master }: { cluster: Cluster; master: ClusterMaster }) {
  if (isSilent(cluster, master))
    return (
      <span data-hint={t('It has given no sign of life for longer than the lease of the owner')}>
        <ToneBadge tone="fail" icon={IconPlugConnectedX}>
          {t('Not responding')}
        </ToneBadge>
      </span>
    );
  const { word, hint, tone, icon } = ROLES[master.role];
  return (
    <span data-hint={hint}>
      <ToneBadge tone={tone} icon={icon}>
        {word}
      </ToneBadge>
    </span>
  );
}
