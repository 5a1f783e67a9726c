import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconTag } from '@tabler/icons-react';
import type { Commit } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadges, ToneBadge } from '../../../ui/Badges.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import type { Lanes } from './lanes.ts';
import classes from './Versions.module.css';
import { VersionMenu } from './VersionMenu.tsx';
import { type ReactNode, useEffect } from 'react';

export interface HistoryRow {
  readonly commit: Commit;
  readonly lanes: Lanes;
  readonly current: boolean;
  /** Set on the last row that is known where there are more. */
  readonly onSeen: (() => void) | null;
}

/** `lanes`: how many there are side by side. */
export const versionColumns = (lanes: number): readonly DataColumn<HistoryRow>[] => [
  {
    id: 'lanes',
    header: '',
    width: lanesWidth(lanes),
    minWidth: 40,
    cell: ({ lanes: own, current, onSeen }) => <LaneCell lanes={own} current={current} onSeen={onSeen} />,
  },
  {
    id: 'hash',
    header: t('Version'),
    width: 150,
    pin: 'start',
    cell: ({ commit }) => <HashLabel hash={commit.hash} number={commit.number} />,
  },
  {
    id: 'message',
    header: t('Version message'),
    width: 220,
    grow: true,
    cell: ({ commit }) => (
      <Group component="span" gap={8} wrap="nowrap" miw={0}>
        <Text size="sm" className="clip" title={commit.message} span>
          {commit.message.split('\n')[0]}
        </Text>
        {commit.tags?.map((tag) => (
          <ToneBadge key={tag} tone="sched" icon={IconTag}>
            {tag}
          </ToneBadge>
        ))}
        {commit.restores !== null && (
          <ToneBadge tone="sched" icon={IconHistory}>
            {t('as {hash}', { hash: commit.restores.slice(0, 8) })}
          </ToneBadge>
        )}
        {!commit.valid && (
          <ToneBadge tone="warn" icon={IconAlertTriangle}>
            {t('Problems')}
          </ToneBadge>
        )}
      </Group>
    ),
  },
  {
    id: 'environments',
    header: t('Published in'),
    width: 136,
    cell: ({ commit }) => <EnvironmentBadges of={commit.environments} />,
  },
  {
    id: 'description',
    header: t('Publish note'),
    width: 186,
    cell: ({ commit }) => (
      <Text size="sm" c="dimmed" className="clip" title={commit.description ?? ''}>
        {commit.description ?? ''}
      </Text>
    ),
  },
  {
    id: 'author',
    header: t('Author'),
    width: 90,
    cell: ({ commit }) => (
      <Text size="sm" className="clip" title={commit.author.email}>
        {commit.author.name}
      </Text>
    ),
  },
  { id: 'createdAt', header: t('Saved'), width: 95, cell: ({ commit }) => <TimeAgo at={commit.createdAt} /> },
  {
    id: 'actions',
    header: '',
    width: 48,
    align: 'right',
    pin: 'end',
    cell: ({ commit }) => <VersionMenu commit={commit} />,
  },
];

const STEP = 14;
/** Lanes that are drawn apart; what lies further right is drawn on the last. */
const MOST = 6;
/** Pixels of a column with so many lanes. */
const lanesWidth = (lanes: number): number => 26 + Math.min(Math.max(lanes, 1), MOST) * STEP;
const x = (lane: number): number => 9 + Math.min(lane, MOST - 1) * STEP;
/** A pixel over the edges, where the line between rows is. */
const UP = -1;

/** The lines of one version. `onSeen`: it is drawn and is the last that is known, so that more may be asked for. */
function LaneCell({
  lanes,
  current,
  onSeen,
}: {
  lanes: Lanes;
  current: boolean;
  onSeen: (() => void) | null;
}): ReactNode {
  useEffect(() => onSeen?.(), [onSeen]);
  const { lane, above, below, past, joining } = lanes;
  return (
    <svg className={classes.lanes} width={x(MOST - 1) + 9} aria-hidden="true">
      {past.map((at) => (
        <line key={at} x1={x(at)} x2={x(at)} y1={UP} y2="100%" data-main={at === 0 || undefined} />
      ))}
      {joining.map((at) => (
        <line key={at} x1={x(at)} x2={x(lane)} y1={UP} y2="50%" />
      ))}
      {above && <line x1={x(lane)} x2={x(lane)} y1={UP} y2="50%" data-main={lane === 0 || undefined} />}
      {below && <line x1={x(lane)} x2={x(lane)} y1="50%" y2="100%" data-main={lane === 0 || undefined} />}
      <circle
        cx={x(lane)}
        cy="50%"
        r={current ? 5.5 : 4}
        data-main={lane === 0 || undefined}
        data-current={current || undefined}
      />
    </svg>
  );
}
