import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Commit } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { EnvironmentBadge, ToneBadge } from '../../ui/Badges.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { HashLabel } from '../../ui/HashLabel.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { VersionMenu } from './VersionMenu.tsx';

export const versionColumns: readonly DataColumn<Commit>[] = [
  { id: 'hash', header: t('Version'), width: 115, cell: (commit) => <HashLabel hash={commit.hash} /> },
  {
    id: 'message',
    header: t('What changed'),
    width: 180,
    grow: true,
    cell: (commit) => (
      <Text size="sm" className="clip" title={commit.message}>
        {commit.message.split('\n')[0]}
      </Text>
    ),
  },
  {
    id: 'environments',
    header: t('Published to'),
    width: 165,
    cell: (commit) => (
      <Group gap={4} wrap="nowrap">
        {commit.environments.map((environment) => (
          <EnvironmentBadge key={environment} environment={environment} />
        ))}
      </Group>
    ),
  },
  {
    id: 'description',
    header: t('Description at publication'),
    width: 180,
    cell: (commit) => (
      <Text size="sm" c="dimmed" className="clip" title={commit.description ?? ''}>
        {commit.description ?? ''}
      </Text>
    ),
  },
  { id: 'valid', header: t('Graph'), width: 96, cell: (commit) => (commit.valid ? <ToneBadge tone="done" icon={IconCheck}>{t('Valid')}</ToneBadge> : <ToneBadge tone="warn" icon={IconAlertTriangle}>{t('Faults')}</ToneBadge>) },
  {
    id: 'author',
    header: t('Author'),
    width: 100,
    cell: (commit) => (
      <Text size="sm" className="clip" title={commit.author.email}>
        {commit.author.name}
      </Text>
    ),
  },
  { id: 'createdAt', header: t('Saved'), width: 95, cell: (commit) => <TimeAgo at={commit.createdAt} /> },
  { id: 'actions', header: '', width: 48, align: 'right', cell: (commit) => <VersionMenu commit={commit} /> },
];
