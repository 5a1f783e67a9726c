import { IconLayoutDashboard } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DashboardSummary } from '../../../contract/api-dashboards.ts';
import { dashboardsQuery } from '../../api/dashboards.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { TimeAgo } from '../../ui/Time.tsx';

const idOf = ({ id }: DashboardSummary): string => id;
const columns: readonly DataColumn<DashboardSummary>[] = [
  { id: 'title', header: 'Dashboard', width: 220, cell: ({ title }) => <strong className="clip">{title}</strong> },
  { id: 'description', header: 'What it shows', width: 300, grow: true, cell: ({ description }) => <span className="clip" title={description}>{description}</span> },
  { id: 'panels', header: 'Panels', width: 80, align: 'right', cell: ({ panels }) => <span className="numbers">{panels}</span> },
  { id: 'by', header: 'By', width: 130, cell: ({ builtIn, updatedBy }) => (builtIn ? <ToneBadge tone="empty">Built in</ToneBadge> : <span className="clip">{updatedBy}</span>) },
  { id: 'changed', header: 'Changed', width: 110, cell: ({ updatedAt }) => (updatedAt === null ? '' : <TimeAgo at={updatedAt} />) },
];

/** All dashboards: those built in first. */
export function DashboardsPage(): ReactNode {
  const query = useQuery(dashboardsQuery());
  const navigate = useNavigate();
  return (
    <Page fill>
      <PageHeader title="Dashboards" />
      <DataTable fill label="Dashboards" what="The dashboards could not be read" storageKey="dashboards" columns={columns} rows={query.data?.items} rowId={idOf} query={query} onOpen={({ id }) => void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id } })} empty={<EmptyState icon={IconLayoutDashboard} title="No dashboard" />} />
    </Page>
  );
}
