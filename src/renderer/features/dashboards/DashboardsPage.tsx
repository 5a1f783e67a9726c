import { Button } from '@mantine/core';
import { IconChartDots, IconLayoutDashboard, IconPlus, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { DashboardSummary } from '../../../contract/dashboards.ts';
import { t } from '../../../lib/language.ts';
import { dashboardsQuery } from '../../api/dashboards.ts';
import { translatedSummary } from './panels/built-in-labels.ts';
import { emptyDashboard } from './edit/layout.ts';
import { NewDashboard } from './edit/NewDashboard.tsx';
import { useImport } from './edit/use-import.ts';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { useWhy } from '../../stores/role.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { TimeAgo } from '../../ui/Time.tsx';
import { useDelete } from './list/use-delete.ts';

const dashboardId = ({ id }: DashboardSummary): string => id;
const columns: readonly DataColumn<DashboardSummary>[] = [
  { id: 'title', header: t('Dashboard'), width: 220, cell: ({ title }) => <strong className="clip">{title}</strong> },
  { id: 'description', header: t('Description'), width: 300, grow: true, cell: ({ description }) => description },
  { id: 'panels', header: t('Panels'), width: 80, align: 'right', cell: ({ panels }) => panels },
  {
    id: 'by',
    header: t('Created by'),
    width: 130,
    cell: ({ builtIn, updatedBy }) => (builtIn ? <ToneBadge tone="empty">{t('Built in')}</ToneBadge> : updatedBy),
  },
  {
    id: 'changed',
    header: t('Last modified'),
    width: 110,
    cell: ({ updatedAt }) => (updatedAt === null ? '' : <TimeAgo at={updatedAt} />),
  },
  { id: 'actions', header: '', width: 50, pin: 'end', cell: (row) => <Delete dashboard={row} /> },
];

function Delete({ dashboard: { id, title, builtIn } }: { dashboard: DashboardSummary }): ReactNode {
  const whyOperate = useWhy('dashboards.write', 'anywhere');
  const remove = useDelete();
  return builtIn ? null : (
    <RowAction
      label={t('Delete {title}', { title })}
      why={whyOperate}
      danger
      icon={IconTrash}
      onClick={() => void remove(id)}
    />
  );
}

/** All dashboards: those built in first. */
export function DashboardsPage(): ReactNode {
  const query = useQuery(dashboardsQuery());
  const rows = useMemo(() => query.data?.items.map(translatedSummary), [query.data]);
  const navigate = useNavigate();
  const whyOperate = useWhy('dashboards.write', 'anywhere');
  const canOperate = whyOperate === undefined;
  const [making, setMaking] = useState(false);
  useShortcut('n', t('New dashboard'), canOperate ? () => setMaking(true) : null);
  const { imported, choose, forget } = useImport();
  const why = whyOperate;
  return (
    <Page fill>
      <PageHeader
        title={t('Dashboards')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconChartDots size={14} aria-hidden />}
              onClick={() => void navigate({ to: '/dashboards/explore' })}
            >
              {t('Explore metrics')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconUpload size={14} aria-hidden />}
              disabled={!canOperate}
              title={why}
              onClick={choose}
            >
              {t('Import…')}
            </Button>
            <Button
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={!canOperate}
              title={why}
              onClick={() => setMaking(true)}
            >
              {t('New dashboard')}
            </Button>
          </>
        }
      />
      <DataTable
        fill
        label={t('Dashboards')}
        what={t('Could not load dashboards')}
        storageKey="dashboards"
        columns={columns}
        rows={rows}
        rowId={dashboardId}
        query={query}
        onOpen={({ id }) => void navigate({ to: '/dashboards/$dashboardId', params: { dashboardId: id } })}
        empty={<EmptyState icon={IconLayoutDashboard} title={t('No dashboards')} />}
      />
      {making && (
        <NewDashboard
          heading={t('New dashboard')}
          definition={emptyDashboard('')}
          title=""
          onClose={() => setMaking(false)}
        />
      )}
      {imported && (
        <NewDashboard heading={t('Import dashboard')} definition={imported} title={imported.title} onClose={forget} />
      )}
    </Page>
  );
}
