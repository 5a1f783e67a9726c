import { Button } from '@mantine/core';
import { IconArrowUp, IconListCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Job } from '../../../contract/api.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import { t, tn } from '../../../lib/language.ts';
import { jobsQuery } from '../../api/jobs.ts';
import { type JobAction, legal } from '../../parts/job-actions/legal.ts';
import { useJobActions } from '../../parts/job-actions/use-job-actions.tsx';
import { steady } from '../../parts/job-table/steady.ts';
import { useBulk } from '../../parts/operations/use-bulk.tsx';
import { ViewMenu } from '../../parts/saved-views/ViewMenu.tsx';
import { useRole } from '../../stores/role.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { columns } from './columns.tsx';
import { ColumnMenu } from './ColumnMenu.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { Filters } from './Filters.tsx';
import css from './JobsPage.module.css';
import { NoJobs } from './NoJobs.tsx';
import { filtersOf, listParams } from './params.ts';
import { HIDDEN_COLUMNS, type JobsSearch, parseJobsSearch } from './search.ts';
import { SelectionBar } from './SelectionBar.tsx';

const route = getRouteApi('/jobs');
const idOf = (job: Job): string => job.id;
const toneOf = (job: Job) => (job.status === 'FAILED' || job.status === 'MIXED' || job.status === 'TIMEOUT' ? ('danger' as const) : undefined);

/** Every job there is: found, watched, killed, retried. All of the view is in the URL. */
export function JobsPage(): ReactNode {
  const { env, ...search }: JobsSearch & { env?: Environment } = route.useSearch();
  const navigate = route.useNavigate();
  const { canOperate, whyOperate } = useRole();
  const minute = useMinute();
  const view = JSON.stringify({ ...search, env, hide: undefined });
  const params = useMemo(() => listParams({ ...search, ...(env && { environment: search.environment ?? env }) }, minute), [view, minute]);
  const query = useQuery(jobsQuery(params));
  const actions = useJobActions();

  // Rows keep their places while someone points at them or has chosen some.
  const [pointing, setPointing] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // Every job that matches, over all pages; another view, or a row that is taken away, ends it.
  const [allOf, setAllOf] = useState<string | null>(null);
  const filters = filtersOf(params);
  const matching = JSON.stringify({ ...filtersOf(listParams(search, 0)), env });
  const all = allOf === matching;
  const clear = () => (setSelected(new Set()), setAllOf(null));
  const select = (next: ReadonlySet<string>) => (setSelected(next), setAllOf(null));
  const bulk = useBulk(clear);
  const shown = useRef<{ view: string; rows: readonly Job[] } | null>(null);
  const [letGo, setLetGo] = useState(0);
  const hold = (pointing || selected.size > 0) && shown.current?.view === view && !query.isPlaceholderData;
  const list = useMemo(() => steady(shown.current?.rows, query.data?.items, idOf, hold), [query.data, hold, letGo]);
  if (list && !query.isPlaceholderData) shown.current = { view, rows: list.rows };

  // What was selected on other pages is remembered with its newest known state.
  const known = useRef(new Map<string, Job>());
  for (const job of list?.rows ?? []) known.current.set(job.id, job);
  const chosen = [...selected].flatMap((id) => known.current.get(id) ?? []);

  const change = (next: Partial<Record<keyof JobsSearch, unknown>>, keepPage = false) => void navigate({ search: (old) => clean({ ...old, ...(keepPage ? {} : { page: undefined }), ...next }), replace: true });
  const shownIds = list?.rows.map(idOf) ?? [];
  const wholePage = shownIds.length > 0 && shownIds.every((id) => selected.has(id));

  /** One job is asked about by itself; several go to the master as one operation. */
  function ask(action: JobAction, jobs: readonly Job[]): void {
    const narrowed = Object.keys(filters).length > 0;
    if (all) bulk.ask({ kind: action, target: narrowed ? { filter: filters } : { filter: {}, all: true }, which: narrowed ? t('that match the filters') : t('in all') });
    else if (selected.size > 1) bulk.ask({ kind: action, target: { ids: [...selected] }, which: t('that you chose') });
    else actions.ask(action, jobs[0]);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'r' && event.key !== 'Delete') || event.target instanceof HTMLInputElement) return;
    const action = event.key === 'r' ? 'retry' : 'kill';
    const id = event.currentTarget.querySelector('[data-active]')?.getAttribute('data-row-id');
    const one = id === null || id === undefined ? undefined : known.current.get(id);
    const on = chosen.length > 0 ? chosen : one ? [one] : [];
    if (!all && !on.some((job) => legal(action, job, canOperate).ok)) return;
    event.preventDefault();
    ask(action, on);
  }

  const page = query.data;
  return (
    <Page fill>
      <PageHeader
        title={t('Jobs')}
        {...(page ? { meta: <span className="dim numbers">{formatCount(page.totalItems)}</span> } : {})}
        actions={
          // One takes the place of the other, so that nothing below them moves.
          selected.size > 0 || all ? (
            <SelectionBar chosen={chosen} count={selected.size} all={all} total={page?.totalItems ?? 0} wholePage={wholePage} canOperate={canOperate} whyOperate={whyOperate} onAsk={(action) => ask(action, chosen)} onAll={() => setAllOf(matching)} onClear={clear} />
          ) : (
            <>
              <Button variant="default" leftSection={<IconListCheck size={15} aria-hidden />} renderRoot={(props) => <Link to="/operations" {...props} />}>
                {t('Operations')}
              </Button>
              <ViewMenu page="jobs" search={search} onOpen={(view) => void navigate({ search: parseJobsSearch(view) })} />
              <ExportMenu filters={filters} count={page?.totalItems} />
              <ColumnMenu hidden={search.hide ?? HIDDEN_COLUMNS} onChange={(hide) => change({ hide }, true)} />
            </>
          )
        }
      />
      <Filters search={search} onChange={change} />
      <div className={css['table']} onPointerEnter={() => setPointing(true)} onPointerLeave={() => setPointing(false)} onKeyDown={onKeyDown}>
        {list !== undefined && list.news > 0 && (
          <Button
            className={css['news']}
            size="compact-sm"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={() => {
              shown.current = null;
              setLetGo((n) => n + 1);
            }}
          >
            {tn('{count} newer row', '{count} newer rows', list.news)}
          </Button>
        )}
        <DataTable
          fill
          label={t('Jobs')}
          what={t('The jobs could not be read')}
          storageKey="jobs"
          columns={columns}
          rows={list?.rows}
          rowId={idOf}
          query={query}
          rowTone={toneOf}
          hidden={search.hide ?? HIDDEN_COLUMNS}
          selection={{ selected: all ? new Set(shownIds) : selected, onChange: select }}
          onOpen={(job) => void navigate({ to: '/jobs/$jobId', params: { jobId: job.id } })}
          sort={{ value: search.sort ?? 'createdAt,desc', onSort: (sort) => change({ sort: sort === 'createdAt,desc' ? undefined : sort }) }}
          {...(page ? { page: { ...page, totalItems: Math.max(page.totalItems, page.page * page.size + (list?.rows.length ?? 0)), onPage: (to: number) => change({ page: to === 0 ? undefined : to }, true), onSize: (size: number) => change({ size }) } } : {})}
          empty={<NoJobs search={search} environment={env} onClear={() => void navigate({ search: search.hide ? { hide: search.hide } : {} })} />}
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

const clean = (search: object): JobsSearch => Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as JobsSearch;
