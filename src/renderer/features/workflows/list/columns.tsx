import { Anchor, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { LastRunCell, P95Cell, SuccessCell } from '../activity/ActivityCells.tsx';
import { ArchiveWorkflow } from '../actions/ArchiveWorkflow.tsx';
import { EnvironmentPointers } from '../actions/EnvironmentPointers.tsx';
import { placeOf } from '../../../stores/permissions.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import type { DataColumn } from '../../../ui/DataTable.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';

/** `withProject`: there is more than one. */
export const workflowColumns = (withProject: boolean): readonly DataColumn<Workflow>[] => [
  {
    id: 'id',
    header: t('ID'),
    width: 124,
    grow: 240,
    sortKey: 'id',
    cell: (workflow) => (
      <Anchor
        component={Link}
        to="/workflows/$workflowId"
        params={{ workflowId: workflow.id } as never}
        size="sm"
        fw={600}
        truncate="end"
        data-clip
      >
        {workflow.id}
      </Anchor>
    ),
  },
  {
    id: 'name',
    header: t('Name'),
    width: 136,
    grow: 460,
    sortKey: 'name',
    cell: (workflow) => (
      <Group gap={8} wrap="nowrap" w="100%">
        <Text size="sm" className="clip" dir="auto" flex="none" maw={workflow.description ? '65%' : '100%'}>
          {workflow.name}
        </Text>
        {workflow.archivedAt !== null && <ToneBadge tone="empty">{t('Archived')}</ToneBadge>}
        {workflow.description && (
          <Text size="xs" c="dimmed" className="clip" dir="auto">
            {workflow.description}
          </Text>
        )}
      </Group>
    ),
  },
  ...(withProject
    ? [
        {
          id: 'project',
          header: t('Project'),
          width: 110,
          cell: (workflow: Workflow) => (
            <Text size="sm" className="clip" title={placeOf(workflow).project}>
              {placeOf(workflow).project}
            </Text>
          ),
        },
      ]
    : []),
  {
    id: 'success',
    header: t('Success rate, 24 h'),
    width: 136,
    cell: (workflow) => <SuccessCell workflowId={workflow.id} />,
  },
  { id: 'p95', header: t('p95'), width: 70, align: 'right', cell: (workflow) => <P95Cell workflowId={workflow.id} /> },
  { id: 'lastRun', header: t('Last run'), width: 212, cell: (workflow) => <LastRunCell workflowId={workflow.id} /> },
  {
    id: 'environments',
    header: t('Environments'),
    width: 226,
    cell: (workflow) => <EnvironmentPointers pointers={workflow.environments} />,
  },
  {
    id: 'updatedAt',
    header: t('Updated'),
    width: 86,
    sortKey: 'updatedAt',
    cell: (workflow) => <TimeAgo at={workflow.updatedAt} />,
  },
  {
    id: 'actions',
    header: '',
    width: 42,
    align: 'right',
    pin: 'end',
    cell: (workflow) => <ArchiveWorkflow workflow={workflow} compact />,
  },
];
