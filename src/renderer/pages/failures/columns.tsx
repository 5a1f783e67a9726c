import { Group } from '@mantine/core';
import { IconBan, IconBug, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { FailureGroup } from '../../../contract/api-engine.ts';
import type { FailureStatus } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { EnvironmentBadge, ToneBadge } from '../../ui/Badges.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { Count } from '../../ui/Duration.tsx';
import type { ToneOf } from '../../ui/status.ts';
import { TimeAgo } from '../../ui/Time.tsx';

export const FAILURE_TONES: Readonly<Record<FailureStatus, Pick<ToneOf, 'word' | 'tone' | 'icon'>>> = {
  OPEN: { word: t('Open'), tone: 'fail', icon: IconBug },
  RESOLVED: { word: t('Resolved'), tone: 'done', icon: IconCircleCheck },
  IGNORED: { word: t('Ignored'), tone: 'empty', icon: IconBan },
};

export function FailureBadge({ group }: { group: Pick<FailureGroup, 'status' | 'reopenedAt'> }) {
  const { word, tone, icon } = FAILURE_TONES[group.status];
  return (
    <ToneBadge tone={tone} icon={icon}>
      {group.status === 'OPEN' && group.reopenedAt !== null ? t('Came back') : word}
    </ToneBadge>
  );
}

export const columns: readonly DataColumn<FailureGroup>[] = [
  {
    id: 'message',
    header: t('Failure'),
    width: 240,
    grow: true,
    cell: (group) => (
      <span className="clip" title={group.sample}>
        <span className="mono">{group.code}</span> {group.message}
      </span>
    ),
  },
  { id: 'count', header: t('Count'), width: 84, align: 'right', sortKey: 'count', cell: (group) => <Count value={group.count} /> },
  { id: 'last', header: t('Last seen'), width: 98, sortKey: 'lastSeenAt', cell: (group) => <TimeAgo at={group.lastSeenAt} /> },
  { id: 'first', header: t('First seen'), width: 98, sortKey: 'firstSeenAt', cell: (group) => <TimeAgo at={group.firstSeenAt} /> },
  {
    id: 'workflow',
    header: t('Workflow'),
    width: 130,
    cell: (group) => (
      <Link to="/workflows/$workflowId" params={{ workflowId: group.workflowId }} className="clip">
        {group.workflowId}
      </Link>
    ),
  },
  { id: 'node', header: t('Node'), width: 104, cell: (group) => <span className="clip">{group.node}</span> },
  { id: 'environments', header: t('Environments'), width: 150, cell: (group) => <Group gap={4} wrap="nowrap">{group.environments.map(({ environment }) => environment !== null && <EnvironmentBadge key={environment} environment={environment} />)}</Group> },
  { id: 'status', header: t('Status'), width: 112, cell: (group) => <FailureBadge group={group} /> },
];
