import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Group, SegmentedControl } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FailureGroup } from '../../../contract/failures.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { failureKeys, failuresQuery } from '../../api/failures.ts';
import { useBulk } from '../operations/use-bulk.tsx';
import { JobViews } from '../../shell/job-views/JobViews.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ListQueryLine } from '../../ui/ListQueryLine.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { columns } from './list/columns.tsx';
import { FailurePanel } from './panel/FailurePanel.tsx';
import { FAILURE_HINTS, FAILURE_LANGUAGE, failureFilters, failuresChange } from './failures-query.ts';
import type { FailuresSearch } from './failures-search.ts';
import { paged } from '../../ui/table/pages.ts';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/failures');
const STATUSES = [
  { value: 'OPEN' as const, label: t('Open##state') },
  { value: 'RESOLVED' as const, label: t('Resolved') },
  { value: 'IGNORED' as const, label: t('Ignored') },
  { value: 'all' as const, label: t('All') },
];
const SORT = 'lastSeenAt,desc';
const failureId = (group: FailureGroup): string => group.id;
const failureTone = (group: FailureGroup) => (group.status === 'OPEN' ? undefined : ('muted' as const));

/** Failures that are alike, as one row: what is broken, since when, how often, and the way to retry all of it. */
export function FailuresPage(): ReactNode {
  const { env, ...search }: FailuresSearch & { env?: Environment } = route.useSearch();
  const environment = search.environment ?? env;
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const bulk = useBulk(() => void client.invalidateQueries({ queryKey: failureKeys.all }));
  const { status = 'OPEN', sort = SORT, page = 0, size = 50 } = search;
  const query = useQuery(
    failuresQuery({
      page,
      size,
      sort,
      status: status === 'all' ? undefined : status,
      workflowId: search.workflow,
      environment,
      node: search.node,
      code: search.code,
      q: search.q,
    }),
  );
  const change = (next: SearchChange<FailuresSearch>, replace = true) =>
    void navigate({ search: (old) => withoutUndefined({ ...old, ...next }), replace });
  const filters = failureFilters(search);
  const narrowed =
    environment !== undefined ||
    Object.entries(filters).some(([field, values]) => field !== 'status' && values.length > 0);
  const groups = query.data?.items ?? [];
  const known = {
    workflow: [...new Set(groups.map(({ workflowId }) => workflowId))],
    node: [...new Set(groups.map(({ node }) => node))],
    code: [...new Set(groups.map(({ code }) => code))],
  };
  return (
    <Page fill>
      <PageHeader title={t('Failures')} count={query.data?.totalItems ?? null} meta={<JobViews />} />
      <Group gap="sm" align="flex-start" role="search" aria-label={t('Filter failures')}>
        <SegmentedControl
          aria-label={t('Status')}
          value={status}
          onChange={(value) =>
            change({
              status: value === 'OPEN' ? undefined : value,
              page: undefined,
            })
          }
          data={STATUSES}
        />
        <ListQueryLine
          language={FAILURE_LANGUAGE}
          filters={filters}
          hints={FAILURE_HINTS}
          known={known}
          placeholder="workflow:orders code:TASK_ERROR environment:prod timed out"
          onChange={(next) => change(failuresChange(next), false)}
        />
      </Group>
      <DataTable
        fill
        label={t('Failures')}
        what={t('Could not load failures')}
        storageKey="failures"
        columns={columns}
        lines={4}
        rowId={failureId}
        rowTone={failureTone}
        current={search.group}
        onOpen={(group) => change({ group: group.id }, false)}
        sort={{ value: sort, onSort: (next) => change({ sort: next === SORT ? undefined : next, page: undefined }) }}
        {...paged(query, { page, size }, (next) => change({ ...next, page: next.page || undefined }))}
        empty={
          <EmptyState icon={IconCircleCheck} title={status === 'OPEN' ? t('No failures') : t('No matching failures')}>
            {narrowed
              ? t('No failures match the filters.')
              : status === 'OPEN'
                ? t('Permanently failed tasks appear here, grouped by cause.')
                : t('Failures with this status appear here.')}
          </EmptyState>
        }
      />
      <FailurePanel groupId={search.group ?? null} onClose={() => change({ group: undefined })} onAsk={bulk.ask} />
      {bulk.dialogs}
    </Page>
  );
}
