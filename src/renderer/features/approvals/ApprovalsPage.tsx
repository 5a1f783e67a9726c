import { SegmentedControl } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Approval } from '../../../contract/approvals.ts';
import { t } from '../../../lib/language.ts';
import { approvalsQuery } from '../../api/approvals.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { paged } from '../../ui/table/pages.ts';
import { TimeAgo } from '../../ui/Time.tsx';
import { ApprovalDrawer } from './ApprovalDrawer.tsx';
import { APPROVAL_TONES, approvalText } from './labels.ts';

const route = getRouteApi('/approvals');
const approvalId = ({ id }: Approval): string => id;

const columns: readonly DataColumn<Approval>[] = [
  {
    id: 'what',
    header: t('Request'),
    width: 260,
    grow: true,
    cell: (approval) => <span className="clip">{approvalText(approval)}</span>,
  },
  {
    id: 'status',
    header: t('Status'),
    width: 130,
    cell: ({ status }) => (
      <ToneBadge tone={APPROVAL_TONES[status].tone} icon={APPROVAL_TONES[status].icon}>
        {APPROVAL_TONES[status].word}
      </ToneBadge>
    ),
  },
  { id: 'by', header: t('Requested by'), width: 140, cell: ({ requestedBy }) => requestedBy },
  {
    id: 'mine',
    header: t('Your decision'),
    width: 130,
    blank: ({ mayDecide }) => mayDecide !== true,
    cell: ({ mayDecide }) => (mayDecide === true ? t('Decide') : '–'),
  },
  { id: 'at', header: t('Requested'), width: 110, cell: ({ requestedAt }) => <TimeAgo at={requestedAt} /> },
  {
    id: 'decided',
    header: t('Decided by'),
    width: 140,
    blank: ({ decidedBy }) => decidedBy === null,
    cell: ({ decidedBy }) => decidedBy ?? '–',
  },
];

/** On the page, what the reader may decide comes first. */
function mineFirst<Q extends { readonly data: { readonly items: readonly Approval[] } | undefined }>(query: Q): Q {
  if (!query.data) return query;
  const { items } = query.data;
  const mine = items.filter(({ mayDecide }) => mayDecide === true);
  return {
    ...query,
    data: { ...query.data, items: [...mine, ...items.filter(({ mayDecide }) => mayDecide !== true)] },
  };
}

/** What waits for a second person, and what became of earlier requests. */
export function ApprovalsPage(): ReactNode {
  const search = route.useSearch();
  const { page = 0, size = 50, status = 'open' } = search;
  const navigate = route.useNavigate();
  const query = useQuery(approvalsQuery({ page, size, status }));
  return (
    <Page fill>
      <PageHeader
        title={t('Approvals')}
        meta={
          <SegmentedControl
            aria-label={t('Status')}
            value={status}
            onChange={(value) =>
              void navigate({ search: ({ page: _page, ...rest }) => ({ ...rest, status: value as typeof status }) })
            }
            data={Object.entries(APPROVAL_TONES).map(([value, { word }]) => ({ value, label: word }))}
          />
        }
      />
      <DataTable
        fill
        label={t('Approvals')}
        what={t('Could not load the approval requests')}
        storageKey="approvals"
        columns={columns}
        rowId={approvalId}
        current={search.approval}
        onOpen={({ id }) => void navigate({ search: { ...search, approval: id } })}
        {...paged(mineFirst(query), { page, size }, (change) => void navigate({ search: { ...search, ...change } }))}
        empty={
          <EmptyState icon={IconChecks} title={t('No requests')}>
            {t(
              'Publishing to protected environments, large bulk operations and changes to protection wait here until a second person approves them. So do jobs at a node that waits for an approval.',
            )}
          </EmptyState>
        }
      />
      <ApprovalDrawer
        approvalId={search.approval ?? null}
        onClose={() => void navigate({ search: ({ approval: _approval, ...rest }) => rest })}
      />
    </Page>
  );
}
