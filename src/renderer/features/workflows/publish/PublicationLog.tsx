import { Text } from '@mantine/core';
import { IconArrowBackUp, IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { EnvironmentPointer, Publication, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { impactQuery } from '../../../api/dashboards.ts';
import { publicationsQuery } from '../../../api/workflows.ts';
import { EnvironmentBadge, ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { ImpactCell } from './ImpactCell.tsx';
import { whyNoRollBack } from './rules.ts';
import { paged } from '../../../ui/table/pages.ts';
import { useRights } from '../../../stores/role.ts';
import { versionName } from '../version-name.ts';

const columns: readonly DataColumn<Publication>[] = [
  { id: 'publishedAt', header: t('Time'), width: 100, cell: (entry) => <TimeAgo at={entry.publishedAt} /> },
  {
    id: 'environment',
    header: t('Environment'),
    width: 102,
    cell: (entry) => <EnvironmentBadge environment={entry.environment} />,
  },
  {
    id: 'hash',
    header: t('Version'),
    width: 118,
    cell: (entry) =>
      entry.hash === null ? (
        <ToneBadge tone="empty">{t('Unpublished')}</ToneBadge>
      ) : (
        <HashLabel hash={entry.hash} number={entry.number} />
      ),
  },
  {
    id: 'previousHash',
    header: t('Previous version'),
    width: 146,
    cell: (entry) =>
      entry.previousHash === null ? (
        <span className="dim">{t('Not published')}</span>
      ) : (
        <HashLabel hash={entry.previousHash} number={entry.previousNumber} />
      ),
  },
  {
    id: 'description',
    header: t('Description'),
    width: 118,
    grow: true,
    cell: (entry) => (
      <Text size="sm" className="two-lines" title={entry.description ?? ''}>
        {entry.description ?? ''}
      </Text>
    ),
  },
  {
    id: 'publishedBy',
    header: t('Published by'),
    width: 94,
    cell: ({ publishedBy, approvedBy }) =>
      approvedBy === undefined ? (
        publishedBy
      ) : (
        <>
          {publishedBy}
          <div className="dim">{t('approved by {name}', { name: approvedBy })}</div>
        </>
      ),
  },
];

export interface PublicationLogProps {
  readonly workflow: Workflow;
  readonly pointers: readonly EnvironmentPointer[];
  readonly page: number;
  readonly size: number;
  onPlace(change: { page: number; size?: number }): void;
  readonly onRollBack: (entry: Publication) => void;
}

/** Every publication, newest first, each with the way back to it. */
export function PublicationLog({
  workflow,
  pointers,
  page,
  size,
  onPlace,
  onRollBack,
}: PublicationLogProps): ReactNode {
  const rights = useRights();
  const query = useQuery(publicationsQuery(workflow.id, { page, size }));
  const impacts = useQuery(impactQuery(workflow.id, { page, size }));
  const byId = useMemo(
    () => new Map((impacts.data?.items ?? []).map((impact) => [impact.publication.id, impact])),
    [impacts.data],
  );
  const all = useMemo(
    (): readonly DataColumn<Publication>[] => [
      ...columns,
      {
        id: 'impact',
        header: t('Impact'),
        width: 230,
        cell: (entry) => <ImpactCell workflowId={workflow.id} impact={byId.get(entry.id)} />,
      },
      {
        id: 'actions',
        header: '',
        width: 136,
        align: 'right',
        pin: 'end',
        cell: (entry) => (
          <ReasonButton
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowBackUp size={13} aria-hidden="true" />}
            reason={whyNoRollBack(
              rights,
              workflow,
              entry,
              pointers.find((pointer) => pointer.environment === entry.environment)?.hash ?? null,
            )}
            onClick={() => onRollBack(entry)}
            aria-label={t('Roll back to {hash} in {environment}', {
              hash: entry.hash === null ? '–' : versionName({ hash: entry.hash, number: entry.number }),
              environment: entry.environment,
            })}
          >
            {t('Roll back')}
          </ReasonButton>
        ),
      },
    ],
    [pointers, rights, onRollBack, byId, workflow],
  );
  return (
    <section>
      <Text component="h2" size="sm" fw={600} mb={8}>
        {t('Publish history')}
      </Text>
      <DataTable
        label={t('Publish history of {id}', { id: workflow.id })}
        columns={all}
        rowId={(entry) => entry.id}
        what={t('Could not load the publish history')}
        {...paged(query, { page, size }, onPlace)}
        storageKey="publications"
        lines={2}
        maxHeight={420}
        empty={
          <EmptyState icon={IconHistory} title={t('Never published')}>
            {t('Every publication is recorded here with its author. You can roll back to any of them.')}
          </EmptyState>
        }
      />
    </section>
  );
}
