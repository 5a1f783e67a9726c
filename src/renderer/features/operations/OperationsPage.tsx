import { IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Operation } from '../../../contract/operations.ts';
import { t } from '../../../lib/language.ts';
import { operationsQuery } from '../../api/operations.ts';
import { OperationDrawer } from './drawer/OperationDrawer.tsx';
import { OPERATION_TONES, outcomeText, VERBS } from './shared/labels.ts';
import { OutcomeBar } from './shared/OutcomeBar.tsx';
import { JobViews } from '../../shell/job-views/JobViews.tsx';
import { ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { IdLabel } from '../../ui/HashLabel.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { Elapsed, TimeAgo } from '../../ui/Time.tsx';
import { rich } from '../../ui/rich.tsx';
import { paged } from '../../ui/table/pages.ts';

const route = getRouteApi('/operations');
const operationId = (operation: Operation): string => operation.operationId;

const columns: readonly DataColumn<Operation>[] = [
  {
    id: 'id',
    header: t('Operation'),
    width: 134,
    cell: (operation) => <IdLabel id={operation.operationId} kind={t('operation ID')} tail={12} />,
  },
  { id: 'kind', header: t('Action'), width: 118, cell: (operation) => VERBS[operation.kind].jobs },
  {
    id: 'status',
    header: t('Status'),
    width: 120,
    cell: ({ status }) => (
      <ToneBadge tone={OPERATION_TONES[status].tone} icon={OPERATION_TONES[status].icon}>
        {OPERATION_TONES[status].word}
      </ToneBadge>
    ),
  },
  {
    id: 'progress',
    header: t('Progress'),
    width: 104,
    cell: (operation) => <OutcomeBar operation={operation} label={outcomeText(operation)} size="md" />,
  },
  {
    id: 'outcome',
    header: t('Result'),
    width: 200,
    grow: true,
    cell: (operation) => <span className="clip numbers">{outcomeText(operation)}</span>,
  },
  { id: 'by', header: t('Created by'), width: 100, cell: (operation) => operation.createdBy },
  { id: 'created', header: t('Started'), width: 100, cell: (operation) => <TimeAgo at={operation.createdAt} /> },
  {
    id: 'took',
    header: t('Duration'),
    width: 90,
    align: 'right',
    cell: (operation) => <Elapsed from={operation.createdAt} to={operation.finishedAt} />,
  },
];

/** Every bulk operation: what it was to do, how far it is, what came of it. */
export function OperationsPage(): ReactNode {
  const search = route.useSearch();
  const { page = 0, size = 50 } = search;
  const navigate = route.useNavigate();
  const query = useQuery(operationsQuery({ page, size }));
  return (
    <Page fill>
      <PageHeader title={t('Operations')} count={query.data?.totalItems ?? null} meta={<JobViews />} />
      <DataTable
        fill
        label={t('Operations')}
        what={t('Could not load operations')}
        storageKey="operations"
        columns={columns}
        rowId={operationId}
        current={search.operation}
        onOpen={(operation) => void navigate({ search: { ...search, operation: operation.operationId } })}
        {...paged(query, { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconStack2} title={t('No operations yet')}>
            {rich(
              'When you kill, retry or rerun several {link} at once, the progress and a report for each job appear here.',
              { link: <Link to="/jobs">{t('jobs')}</Link> },
            )}
          </EmptyState>
        }
      />
      <OperationDrawer
        operationId={search.operation ?? null}
        onClose={() => void navigate({ search: ({ operation: _operation, ...rest }) => rest })}
      />
    </Page>
  );
}
