import type { Failover } from '../../../../contract/cluster.ts';
import { isUnplanned } from '../../../../lib/cluster.ts';
import { t } from '../../../../lib/language.ts';
import { REASON_WORDS } from '../../../api/cluster-labels.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { Duration, formatCount } from '../../../ui/Duration.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { IdLabel } from '../../../ui/HashLabel.tsx';
import { Instant } from '../../../ui/Time.tsx';

/** Newest first. */
export const FAILOVER_COLUMNS: readonly DataColumn<Failover>[] = [
  { id: 'at', header: t('At'), width: 190, cell: ({ at }) => <Instant at={at} /> },
  {
    id: 'reason',
    header: t('Reason'),
    width: 150,
    grow: true,
    cell: (failover) => (
      <ToneBadge tone={isUnplanned(failover) ? 'warn' : 'empty'}>{REASON_WORDS[failover.reason]}</ToneBadge>
    ),
  },
  { id: 'from', header: t('From'), width: 130, cell: ({ from }) => <Master id={from} /> },
  { id: 'to', header: t('To'), width: 130, cell: ({ to }) => <Master id={to} /> },
  {
    id: 'gap',
    header: t('Without owner'),
    width: 120,
    align: 'right',
    cell: ({ gapMs }) => <Duration ms={gapMs} />,
  },
  {
    id: 'epoch',
    header: t('Epoch'),
    width: 80,
    align: 'right',
    cell: ({ epoch }) => <span className="numbers">{formatCount(epoch)}</span>,
  },
];

const Master = ({ id }: { id: string | null }) =>
  id === null ? <span className="dim">–</span> : <IdLabel id={id} kind={t('master ID')} tail={8} />;
