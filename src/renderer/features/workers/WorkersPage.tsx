import { Chip, Group } from '@mantine/core';
import { IconAlertTriangle, IconPlus, IconServer2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview, WorkerTotals } from '../../../contract/master.ts';
import { WORKER_STATES } from '../../../contract/vocabulary.ts';
import type { Worker } from '../../../contract/workers.ts';
import { t } from '../../../lib/language.ts';
import { overviewQuery } from '../../api/overview.ts';
import { workersQuery } from '../../api/workers.ts';
import { silentText } from './silent-workers.ts';
import { useCommands, useShortcut } from '../../keyboard/use-shortcut.ts';
import { useWhyNotAdministrator } from '../../stores/role.ts';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatCount } from '../../ui/Duration.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Finder } from '../../ui/Finder.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { WORKER_TONES } from '../../ui/status.ts';
import { paged } from '../../ui/table/pages.ts';
import { AddWorker } from './add/AddWorker.tsx';
import { WORKER_COLUMNS } from './list/columns.tsx';
import { ThroughputOf } from './list/ThroughputCell.tsx';
import { useWorkerActions, WorkerActionsOf } from './list/worker-actions.tsx';
import { isPast } from './worker-end.ts';
import type { WorkersSearch } from './workers-search.ts';
import { WorkerPanel } from './panel/WorkerPanel.tsx';
import css from './list/Workers.module.css';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/workers');
type Change = SearchChange<WorkersSearch>;
/** Heartbeats are no changes: the stream does not carry each, so the list is read again at this pace whatever the stream does. */
const REFRESH_MS = 5000;
/** Where the overview counts them. */
const COUNTED = { Operational: 'operational', Unstable: 'unstable', Maxed: 'maxed', Down: 'down' } as const;
/** Of all that the overview counts, so that the page is not drawn again as jobs go by. */
const workerTotals = ({ workers }: Pick<Overview, 'workers'>) => workers;
const workerId = (worker: Worker) => worker.id;
const workerTone = (worker: Worker) =>
  worker.state === 'Down' ? (isPast(worker) ? ('muted' as const) : ('danger' as const)) : undefined;

export function WorkersPage(): ReactNode {
  return (
    <WorkerActionsOf>
      <List />
    </WorkerActionsOf>
  );
}

function List(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20, sort = 'createdAt,desc', state, q = '', past } = search;
  const shown = past === true ? undefined : false;
  const query = useQuery({
    ...workersQuery({ page, size, sort, state, q: q || undefined, past: shown }),
    refetchInterval: REFRESH_MS,
  });
  const set = (change: Change) =>
    // The router's type of a search that is changed in part is too narrow.
    void navigate({ search: { ...search, page: undefined, ...change } as WorkersSearch, replace: true });
  const whyNot = useWhyNotAdministrator() ?? null;
  const setAdding = (add: boolean) =>
    void navigate({
      search: ({ add: _add, ...rest }) => (add ? { ...rest, add: true as const } : rest),
      replace: true,
    });
  useShortcut('n', t('Add worker'), whyNot === null ? () => setAdding(true) : null);
  const add = (
    <ReasonButton leftSection={<IconPlus size={16} aria-hidden />} reason={whyNot} onClick={() => setAdding(true)}>
      {t('Add worker')}
    </ReasonButton>
  );
  const totals = useQuery({ ...overviewQuery(), refetchInterval: REFRESH_MS, select: workerTotals }).data ?? null;
  const { drain, reason } = useWorkerActions();
  useCommands(
    (reason === null ? (query.data?.items ?? []) : [])
      .filter((worker) => worker.state !== 'Down' || worker.drained)
      .map((worker) => ({
        label: worker.drained
          ? t('Resume worker {worker}', { worker: `${worker.url} …${worker.id.slice(-6)}` })
          : t('Drain worker {worker}', { worker: `${worker.url} …${worker.id.slice(-6)}` }),
        run: () => drain(worker),
      })),
  );
  return (
    <Page fill>
      <PageHeader
        title={t('Workers')}
        meta={query.data && <span className="dim numbers">{formatCount(query.data.totalItems)}</span>}
        actions={
          <>
            <Finder
              value={q}
              label={t('Search workers')}
              placeholder={t('ID, URL, label, handler')}
              onChange={(next) => set({ q: next || undefined })}
            />
            {add}
          </>
        }
      />
      <Alert totals={totals} onShow={() => set({ state: ['Unstable', 'Down'] })} />
      <Chip.Group multiple value={state ?? []} onChange={(value) => set({ state: value })}>
        <Group gap={6} role="group" aria-label={t('Worker states')}>
          {WORKER_STATES.map((word) => (
            <Chip key={word} value={word} size="xs" variant="outline">
              {WORKER_TONES[word].word}
              {totals && <span className={`numbers ${css['count']}`}>{formatCount(totals[COUNTED[word]])}</span>}
            </Chip>
          ))}
          <Chip
            size="xs"
            variant="outline"
            checked={past === true}
            onChange={(checked) => set({ past: checked ? true : undefined })}
          >
            {t('Stopped and replaced')}
          </Chip>
        </Group>
      </Chip.Group>
      <ThroughputOf>
        <DataTable
          fill
          label={t('Workers')}
          what={t('Could not load workers')}
          columns={WORKER_COLUMNS}
          lines={2}
          stateless
          rowId={workerId}
          rowTone={workerTone}
          sort={{ value: sort, onSort: (value) => set({ sort: value }) }}
          {...paged(query, { page, size }, set)}
          storageKey="workers"
          current={search.worker}
          onOpen={(worker) => void navigate({ search: { ...search, worker: worker.id } })}
          empty={
            <NoWorkers
              filtered={state !== undefined || q !== ''}
              onAll={() => set({ state: undefined, q: undefined })}
              add={add}
            />
          }
        />
      </ThroughputOf>
      <AddWorker
        opened={search.add === true && whyNot === null}
        onClose={() => setAdding(false)}
        onOpenWorker={(worker) => void navigate({ search: ({ add: _add, ...rest }) => ({ ...rest, worker }) })}
      />
      <WorkerPanel
        workerId={search.worker ?? null}
        onClose={() => void navigate({ search: ({ worker: _worker, ...rest }) => rest })}
      />
    </Page>
  );
}

/** Workers that do not answer, over all pages. */
function Alert({ totals: workers, onShow }: { totals: WorkerTotals | null; onShow(): void }) {
  const words = workers && silentText(workers.down, workers.unstable);
  return (
    <div role="status" className={words ? undefined : 'visually-hidden'}>
      {words && (
        <div className={css['alert']} data-shade={workers.down > 0 ? 'fail' : 'warn'}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{t('{words}. Tasks of a worker that is down are rescheduled on other workers.', { words })}</span>
          <a href="/workers?state=Unstable&state=Down" onClick={(event) => (event.preventDefault(), onShow())}>
            {t('View')}
          </a>
        </div>
      )}
    </div>
  );
}

function NoWorkers({ filtered, onAll, add }: { filtered: boolean; onAll(): void; add: ReactNode }) {
  if (filtered) {
    return (
      <EmptyState icon={IconServer2} title={t('No matching workers')}>
        <a href="/workers" onClick={(event) => (event.preventDefault(), onAll())}>
          {t('Show all workers')}
        </a>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconServer2} title={t('No workers registered')} action={add}>
      {t('The master starts local workers with the option --workers. Workers on other machines connect with a token.')}
    </EmptyState>
  );
}
