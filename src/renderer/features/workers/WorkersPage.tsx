import { Chip, Group } from '@mantine/core';
import { IconAlertTriangle, IconServer2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { WORKER_STATES } from '../../../contract/vocabulary.ts';
import type { Worker } from '../../../contract/workers.ts';
import { t } from '../../../lib/language.ts';
import { overviewQuery } from '../../api/overview.ts';
import { workersQuery } from '../../api/workers.ts';
import { silentText } from './silent-workers.ts';
import { useMasterUrl } from '../../stores/desktop.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { WORKER_TONES } from '../../ui/status.ts';
import { paged } from '../../ui/table/pages.ts';
import { WORKER_COLUMNS } from './list/columns.tsx';
import type { WorkersSearch } from './workers-search.ts';
import { WorkerPanel } from './panel/WorkerPanel.tsx';
import css from './list/Workers.module.css';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/workers');
type Change = SearchChange<WorkersSearch>;
/** Heartbeats are no changes: the stream does not carry each, so the list is read again at this pace whatever the stream does. */
const REFRESH_MS = 5000;
const workerId = (worker: Worker) => worker.id;
const workerTone = (worker: Worker) => (worker.state === 'Down' ? ('danger' as const) : undefined);

export function WorkersPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20, sort = 'createdAt,desc', state } = search;
  const query = useQuery({ ...workersQuery({ page, size, sort, state }), refetchInterval: REFRESH_MS });
  const set = (change: Change) =>
    // The router's type of a search that is changed in part is too narrow.
    void navigate({ search: { ...search, page: undefined, ...change } as WorkersSearch, replace: true });
  return (
    <Page fill>
      <PageHeader
        title={t('Workers')}
        meta={query.data && <span className="dim numbers">{query.data.totalItems}</span>}
      />
      <Alert onShow={() => set({ state: ['Unstable', 'Down'] })} />
      <Chip.Group multiple value={state ?? []} onChange={(value) => set({ state: value })}>
        <Group gap={6} role="group" aria-label={t('Worker states')}>
          {WORKER_STATES.map((word) => (
            <Chip key={word} value={word} size="xs" variant="outline">
              {WORKER_TONES[word].word}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <DataTable
        fill
        label={t('Workers')}
        what={t('Could not load workers')}
        columns={WORKER_COLUMNS}
        lines={2}
        rowId={workerId}
        rowTone={workerTone}
        sort={{ value: sort, onSort: (value) => set({ sort: value }) }}
        {...paged(query, { page, size }, set)}
        storageKey="workers"
        current={search.worker}
        onOpen={(worker) => void navigate({ search: { ...search, worker: worker.id } })}
        empty={<NoWorkers filtered={state !== undefined} onAll={() => set({ state: undefined })} />}
      />
      <WorkerPanel
        workerId={search.worker ?? null}
        onClose={() => void navigate({ search: ({ worker: _worker, ...rest }) => rest })}
      />
    </Page>
  );
}

/** Workers that do not answer, over all pages. */
function Alert({ onShow }: { onShow(): void }) {
  const { data } = useQuery({ ...overviewQuery(), refetchInterval: REFRESH_MS });
  const workers = data?.workers;
  const words = workers && silentText(workers.down, workers.unstable);
  return (
    <div role="status" className={words ? undefined : 'visually-hidden'}>
      {words && (
        <div className={css['alert']} data-shade={workers.down > 0 ? 'fail' : 'warn'}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{t('{words}. Tasks of a worker that is down are rescheduled on other workers.', { words })}</span>
          <a
            href="/workers?state=%5B%22Unstable%22%2C%22Down%22%5D"
            onClick={(event) => (event.preventDefault(), onShow())}
          >
            {t('View')}
          </a>
        </div>
      )}
    </div>
  );
}

function NoWorkers({ filtered, onAll }: { filtered: boolean; onAll(): void }) {
  const origin = useMasterUrl();
  if (filtered) {
    return (
      <EmptyState icon={IconServer2} title={t('No workers in these states')}>
        <a href="/workers" onClick={(event) => (event.preventDefault(), onAll())}>
          {t('Show all workers')}
        </a>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconServer2} title={t('No workers registered')}>
      <p>
        {t(
          'The master starts local workers with the option --workers. To add a worker on another machine, use a token with the role worker:',
        )}
      </p>
      <CommandLine
        label={t('Start a worker')}
        command={`YARDMASTER_WORKER_TOKEN=… yardmaster worker --master ${origin} --capacity 8`}
      />
    </EmptyState>
  );
}
