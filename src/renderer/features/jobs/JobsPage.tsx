import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { JobViews } from '../../shell/job-views/JobViews.tsx';
import { useJobRows } from './list/use-job-rows.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { toastFailure } from '../../ui/toasts.tsx';
import { inOrder } from './list/columns.tsx';
import { Filters } from './list/Filters.tsx';
import css from './list/JobsPage.module.css';
import { useColumns } from './list/use-columns.ts';
import { JobsTools } from './list/JobsTools.tsx';
import { NoJobs } from './list/NoJobs.tsx';
import { useCurrentMinute } from './list/use-current-minute.ts';
import { useSelectedJobs } from './list/use-selected-jobs.tsx';
import { filtersFromParams, isFiltered, listParams } from './list/params.ts';
import type { JobsSearch } from './jobs-list-search.ts';
import { SelectionBar } from './list/SelectionBar.tsx';
import { NewRows } from './list/NewRows.tsx';
import type { SearchChange } from '../../ui/search-params.ts';
import { badgeStatus } from '../../ui/status.ts';

const route = getRouteApi('/jobs');

/** What was selected as a whole: the jobs of a view that were created by then. */
interface AllOf {
  readonly view: string;
  readonly minute: number;
  readonly until: string;
}
const jobId = (job: Job): string => job.id;
const jobTone = (job: Job) => {
  const status = badgeStatus(job);
  return status === 'FAILED' || status === 'TIMEOUT' || status === 'MIXED' ? ('danger' as const) : undefined;
};

/** Every job there is: found, watched, killed, retried. All of the view is in the URL. */
export function JobsPage(): ReactNode {
  const given: JobsSearch & { env?: Environment } = route.useSearch();
  const { env, search } = useMemo(() => (({ env, ...search }) => ({ env, search }))(given), [given]);
  const navigate = route.useNavigate();
  const current = useCurrentMinute();
  const [shownColumns, keepColumns] = useColumns(search);
  const view = JSON.stringify({ ...search, env, hide: undefined, order: undefined, row: undefined });
  // Every job that matched at that moment; another view, or a row that is taken away, ends it.
  const [allOf, setAllOf] = useState<AllOf | null>(null);
  const all = allOf?.view === view;
  const minute = all ? allOf.minute : current;
  const until = all ? allOf.until : undefined;
  const params = useMemo(() => {
    const asked = listParams({ ...search, ...(env && { environment: search.environment ?? env }) }, minute);
    // What comes later is not among those that were counted: the list, its count and what is done to it stay the same jobs.
    return until === undefined ? asked : { ...asked, createdTo: until };
  }, [view, minute, until]);
  // Rows keep their places while someone points at them or has chosen some.
  const [pointing, setPointing] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filters = filtersFromParams(params);
  const clear = () => (setSelected(new Set()), setAllOf(null));
  // Who comes back finds the place again.
  const onPlace = (row: number) =>
    row !== (search.row ?? 0) &&
    void navigate({
      search: (old) => withoutUndefined({ ...old, row: row === 0 ? undefined : row }),
      replace: true,
      resetScroll: false,
    });
  const rows = useJobRows(params, {
    base: view,
    held: pointing || selected.size > 0 || all,
    start: search.row ?? 0,
    onPlace,
  });

  const change = useCallback(
    (next: SearchChange<JobsSearch>) =>
      void navigate({ search: (old) => withoutUndefined({ ...old, row: undefined, ...next }), replace: true }),
    [navigate],
  );
  const runQuery = useCallback(
    (next: SearchChange<JobsSearch>) =>
      void navigate({ search: (old) => withoutUndefined({ ...old, row: undefined, ...next }) }),
    [navigate],
  );
  const table = useRef<HTMLDivElement>(null);
  const { chosen, ask, onKeyDown, dialogs } = useSelectedJobs({
    rows,
    selected,
    all,
    filters,
    narrowed: env !== undefined || isFiltered(search),
    clear,
    table,
  });
  const selectAll = () =>
    void rows
      .until()
      .then((at) => setAllOf({ view, minute, until: at }), toastFailure(t('Could not select all matching jobs')));
  const order = shownColumns.order.join(' ');
  const columns = useMemo(() => inOrder(order.split(' ')), [order]);

  const hidden = shownColumns.hide.join(' ');
  // Scrolling draws this page again with each hundred rows that are read: what stands above the table stays as it is then.
  const tools = useMemo(
    () => (
      <JobsTools search={search} columns={shownColumns} onColumns={keepColumns} filters={filters} count={rows.found} />
    ),
    [search, params, rows.found, order, hidden],
  );
  const bar = useMemo(
    () => <Filters search={search} onChange={change} onQuery={runQuery} />,
    [search, change, runQuery],
  );

  return (
    <Page fill>
      <PageHeader
        title={t('Jobs')}
        count={rows.found ?? null}
        meta={<JobViews />}
        actions={
          // One takes the place of the other, so that nothing below them moves.
          selected.size > 0 || all ? (
            <SelectionBar
              chosen={chosen}
              count={selected.size}
              all={all}
              total={rows.total}
              onAsk={(action) => ask(action, chosen)}
              onRerun={() => ask('rerun', chosen)}
              onAll={selectAll}
              onClear={clear}
            />
          ) : (
            tools
          )
        }
      />
      {bar}
      <div
        ref={table}
        className={css['table']}
        onPointerEnter={() => setPointing(true)}
        onPointerLeave={() => setPointing(false)}
        onKeyDown={onKeyDown}
      >
        <NewRows rows={rows} />
        <DataTable
          fill
          label={t('Jobs')}
          what={t('Could not load jobs')}
          storageKey="jobs"
          columns={columns}
          endless={rows}
          rowId={jobId}
          query={rows.query}
          rowTone={jobTone}
          hidden={shownColumns.hide}
          selection={{
            selected,
            onChange: (next) => (all ? clear() : setSelected(next)),
            everything: { on: all, clear, select: () => rows.total > selected.size && selectAll() },
          }}
          onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } })}
          sort={{
            value: search.sort ?? 'createdAt,desc',
            onSort: (sort) => change({ sort: sort === 'createdAt,desc' ? undefined : sort }),
          }}
          empty={<NoJobs search={search} environment={env} onClear={() => void navigate({ search: {} })} />}
        />
      </div>
      {dialogs}
    </Page>
  );
}
