import { Box, Button } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnected } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t, tn } from '../../../lib/language.ts';
import { desktop } from '../../stores/desktop.ts';
import { fleetQuery, useClusters } from '../../stores/fleet.ts';
import { formatCount } from '../../ui/Duration.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Finder } from '../../ui/Finder.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import states from '../../ui/States.module.css';
import { sumFleet } from './fleet-summary.ts';
import { columnsFor, type Row } from './list/columns.tsx';
import css from './list/Fleet.module.css';
import { SearchResults } from './list/SearchResults.tsx';
import { useOpenCluster } from './list/use-open.ts';

const route = getRouteApi('/fleet');

/** Every cluster that this console knows, with its health; and one search over all of them. */
export function FleetPage(): ReactNode {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const clusters = useClusters();
  const looks = useQueries({ queries: clusters.map(({ id }) => fleetQuery(id)) });
  const open = useOpenCluster();
  const rows: Row[] = clusters.map((cluster, i) => ({ id: cluster.id, cluster, seen: looks[i]?.data ?? null }));
  const wrong = rows.flatMap(({ cluster, seen }) =>
    seen !== null && seen.latest.message !== null ? [{ cluster, look: seen.latest, good: seen.good }] : [],
  );
  const again = () => void Promise.all(looks.map((look) => look.refetch()));
  return (
    <Page>
      <PageHeader
        title={t('Fleet')}
        subtitle={rows.length > 1 ? fleetText(rows) : undefined}
        actions={
          <>
            <Finder
              value={q}
              label={t('Search all clusters')}
              placeholder={t('ID, external ID, text')}
              onChange={(next) => void navigate({ search: next === '' ? {} : { q: next }, replace: true })}
            />
            {desktop() && (
              <Button
                variant="default"
                leftSection={<IconPlugConnected size={15} aria-hidden />}
                onClick={() => void navigate({ to: '/settings', search: { tab: 'connections' } })}
              >
                {t('Connections')}
              </Button>
            )}
          </>
        }
      />
      <Box miw={0}>
        <DataTable
          label={t('Clusters')}
          columns={columnsFor()}
          rows={rows}
          rowId={(row) => row.id}
          query={{ isPending: false, isFetching: false, error: null, dataUpdatedAt: 0, refetch: again }}
          what={t('Could not load clusters')}
          onOpen={({ cluster }) => open(cluster, '/')}
          rowTone={({ seen }) => (seen !== null && seen.latest.state !== 'up' ? 'muted' : undefined)}
          empty={<EmptyState title={t('No clusters')} />}
          storageKey="fleet"
        />
      </Box>
      <div role="status" className={css['wrong']}>
        {wrong.map(({ cluster, look, good }) => (
          <div key={cluster.id} className={states['line']} data-shade={look.state === 'refused' ? 'warn' : 'fail'}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>
              <strong>{cluster.name}</strong>: {look.message}. {good && t('Figures are from its last response.')}
            </span>
          </div>
        ))}
      </div>
      {q !== '' && <SearchResults clusters={clusters} text={q} onOpen={open} />}
      {!desktop() && (
        <p className="dim">
          {t(
            'In a browser you see only the cluster that serves this page. The desktop app connects to several clusters, shows them all and searches them together. Tokens stay in the app.',
          )}
        </p>
      )}
    </Page>
  );
}

/** `3 of 5 clusters online, 28 masters, 297 of 300 workers`. */
function fleetText(rows: readonly Row[]): string {
  const { up, masters, workersUp, workers } = sumFleet(rows.map(({ seen }) => seen));
  return [
    t('{up} of {all} clusters online', { up, all: rows.length }),
    ...(masters === null ? [] : [tn('{count} master', '{count} masters', masters)]),
    ...(workersUp === null || workers === null
      ? []
      : [
          tn('{up} of {count} worker online', '{up} of {count} workers online', workers, {
            up: formatCount(workersUp),
          }),
        ]),
  ].join(', ');
}
