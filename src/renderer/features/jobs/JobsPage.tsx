import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t, tn } from '../../../lib/language.ts';
import { type JobAction, checkJobAction } from './actions/check-job-action.ts';
import { useJobActions } from './actions/use-job-actions.tsx';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { JobViews } from '../../shell/job-views/JobViews.tsx';
import { useJobRows } from './list/use-job-rows.ts';
import { useBulk } from '../operations/use-bulk.tsx';
import { ViewMenu } from '../../shell/saved-views/ViewMenu.tsx';
import { useRole } from '../../stores/role.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { inOrder } from './list/columns.tsx';
import { ColumnMenu } from './list/ColumnMenu.tsx';
import { ExportMenu } from './list/ExportMenu.tsx';
import { Filters } from './list/Filters.tsx';
import css from './list/JobsPage.module.css';
import { useColumns } from './list/kept-columns.ts';
import { NoJobs } from './list/NoJobs.tsx';
import { filtersFromParams, listParams } from './list/params.ts';
import { type JobsSearch, parseJobsSearch } from './jobs-search.ts';
import { SelectionBar } from './list/SelectionBar.tsx';

const route = getRouteApi('/jobs');
const jobId = (job: Job): string => job.id;
/** Jobs that are remembered besides those that are selected. */
const MOST_KNOWN = 10_000;
const jobTone = (job: Job) =>
  job.status === 'FAILED' || job.status === 'MIXED' || job.status === 'TIMEOUT' ? ('danger' as const) : undefined;

/** Every job there is: found, watched, killed, retried. All of the view is in the URL. */
export function JobsPage(): ReactNode {
  const given: JobsSearch & { env?: Environment } = route.useSearch();
  const { env, search } = useMemo(() => (({ env, ...search }) => ({ env, search }))(given), [given]);
  const navigate = route.useNavigate();
  const { canOperate, whyOperate } = useRole();
  const minute = useMinute();
  const [shownColumns, keepColumns] = useColumns(search);
  const view = JSON.stringify({ ...search, env, hide: undefined, order: undefined, row: undefined });
  const params = useMemo(
    () => listParams({ ...search, ...(env && { environment: search.environment ?? env }) }, minute),
    [view, minute],
  );
  const actions = useJobActions();

  // Rows keep their places while someone points at them or has chosen some.
  const [pointing, setPointing] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Every job that matches; another view, or a row that is taken away, ends it.
  const [allOf, setAllOf] = useState<string | null>(null);
  const filters = filtersFromParams(params);
  const matching = JSON.stringify({ ...filtersFromParams(listParams(search, 0)), env });
  const all = allOf === matching;
  const clear = () => (setSelected(new Set()), setAllOf(null));
  const bulk = useBulk(clear);
  // Who comes back finds the place again.
  const onPlace = (row: number) =>
    row !== (search.row ?? 0) &&
    void navigate({
      search: (old) => clean({ ...old, row: row === 0 ? undefined : row }),
      replace: true,
      resetScroll: false,
    });
  const rows = useJobRows(params, { base: view, held: pointing || selected.size > 0, start: search.row ?? 0, onPlace });

  // What was selected and went out of sight is remembered as it was seen last.
  const known = useRef(new Map<string, Job>());
  for (const job of rows.jobs()) known.current.set(job.id, job);
  if (known.current.size > MOST_KNOWN)
    for (const id of known.current.keys()) if (!selected.has(id)) known.current.delete(id);
  const chosen = [...selected].flatMap((id) => known.current.get(id) ?? []);

  const change = useCallback(
    (next: Partial<Record<keyof JobsSearch, unknown>>) =>
      void navigate({ search: (old) => clean({ ...old, row: undefined, ...next }), replace: true }),
    [navigate],
  );
  const order = shownColumns.order.join(' ');
  const columns = useMemo(() => inOrder(order.split(' ')), [order]);

  /** One job is killed or retried by itself; everything else goes to the master as one operation. */
  function ask(action: JobAction | 'rerun', jobs: readonly Job[]): void {
    const narrowed = Object.keys(filters).length > 0;
    if (all)
      bulk.ask({
        kind: action,
        target: narrowed ? { filter: filters } : { filter: {}, all: true },
        which: narrowed ? t('that match the filters') : t('in total'),
      });
    else if (selected.size > 1) bulk.ask({ kind: action, target: { ids: [...selected] }, which: t('selected') });
    else if (action !== 'rerun') actions.ask(action, jobs[0]);
    else if (jobs[0]) bulk.ask({ kind: action, target: { ids: [jobs[0].id] }, which: t('selected') });
  }

  const table = useRef<HTMLDivElement>(null);
  /** To the selected jobs, or to the one that the keyboard is at. False: there is nothing that it could be done to. */
  function act(action: JobAction | 'rerun'): boolean {
    const id = table.current?.contains(document.activeElement)
      ? table.current.querySelector('[data-active]')?.getAttribute('data-row-id')
      : undefined;
    const one = id === null || id === undefined ? undefined : known.current.get(id);
    const on = chosen.length > 0 ? chosen : one ? [one] : [];
    if (!all && !on.some((job) => (action === 'rerun' ? canOperate : checkJobAction(action, job, canOperate).ok)))
      return false;
    ask(action, on);
    return true;
  }
  // In a table they hold also where keys without Ctrl are switched off.
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !['r', 'R', 'Delete'].includes(event.key) ||
      event.target instanceof HTMLInputElement
    )
      return;
    if (act(event.key === 'r' ? 'retry' : event.key === 'R' ? 'rerun' : 'kill')) event.preventDefault();
  }
  useShortcut('r', t('Retry the selected jobs, or the job of the current row'), () => act('retry'));
  useShortcut('R', t('Rerun them'), () => act('rerun'));
  useShortcut('delete', t('Kill them'), () => act('kill'));

  useShortcut('escape', t('Clear the selection'), selected.size > 0 || all ? clear : null);

  // Scrolling draws this page again with each hundred rows that are read: what stands above the table stays as it is then.
  const hidden = shownColumns.hide.join(' ');
  const tools = useMemo(
    () => (
      <>
        <ViewMenu
          page="jobs"
          search={{ ...search, ...shownColumns, row: undefined }}
          onOpen={(view) => void navigate({ search: parseJobsSearch(view) })}
        />
        <ExportMenu filters={filters} count={rows.found} />
        <ColumnMenu
          columns={shownColumns}
          onChange={(next) => {
            keepColumns(next);
            if (search.hide || search.order)
              void navigate({
                search: (old) => clean({ ...old, hide: undefined, order: undefined }),
                replace: true,
                resetScroll: false,
              });
          }}
        />
      </>
    ),
    [search, params, rows.found, order, hidden],
  );
  const bar = useMemo(() => <Filters search={search} onChange={change} />, [search, change]);

  return (
    <Page fill>
      <PageHeader
        title={t('Jobs')}
        meta={
          <>
            {rows.found !== undefined && <span className="dim numbers">{formatCount(rows.found + rows.news)}</span>}
            <JobViews />
          </>
        }
        actions={
          // One takes the place of the other, so that nothing below them moves.
          selected.size > 0 || all ? (
            <SelectionBar
              chosen={chosen}
              count={selected.size}
              all={all}
              total={rows.total + rows.news}
              canOperate={canOperate}
              whyOperate={whyOperate}
              onAsk={(action) => ask(action, chosen)}
              onRerun={() => ask('rerun', chosen)}
              onAll={() => setAllOf(matching)}
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
        {rows.news > 0 && (
          <Button
            className={css['news']}
            size="compact-sm"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={rows.takeNews}
          >
            {tn('{count} new row', '{count} new rows', rows.news)}
          </Button>
        )}
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
            everything: { on: all, toggle: () => (all || selected.size > 0 ? clear() : setAllOf(matching)) },
          }}
          onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } })}
          sort={{
            value: search.sort ?? 'createdAt,desc',
            onSort: (sort) => change({ sort: sort === 'createdAt,desc' ? undefined : sort }),
          }}
          empty={<NoJobs search={search} environment={env} onClear={() => void navigate({ search: {} })} />}
        />
      </div>
      {actions.dialogs}
      {bulk.dialogs}
    </Page>
  );
}

/** The minute that relative time filters count from. */
function useMinute(): number {
  const [minute, setMinute] = useState(() => Math.floor(Date.now() / 60_000));
  useEffect(() => {
    const timer = setInterval(() => setMinute(Math.floor(Date.now() / 60_000)), 10_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}

const clean = (search: object): JobsSearch => withoutUndefined(search);
