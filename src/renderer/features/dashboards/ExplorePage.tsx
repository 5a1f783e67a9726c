import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Button, Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconLayoutGridAdd } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Panel, PanelQuery } from '../../../contract/dashboards.ts';
import css from './panels/Dashboard.module.css';
import { t } from '../../../lib/language.ts';
import { PanelCard } from './panels/PanelCard.tsx';
import { rangeEnds, rangeLength, stepForLength } from './panels/range.ts';
import type { PanelView } from './panels/use-panel.ts';
import edit from './edit/Edit.module.css';
import { MetricFields } from './edit/QueryForm.tsx';
import { useWhy } from '../../stores/role.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { AddToDashboard } from './explore/AddToDashboard.tsx';
import type { ExploreSearch } from './explore-search.ts';
import { queryCommands } from './explore/query-text.ts';
import { unitForQuery } from './unit-for-query.ts';
import { timeOf, TimeTools } from './panels/TimeTools.tsx';
import { FullPanel } from './panels/FullPanel.tsx';
import type { SearchChange } from '../../ui/search-params.ts';

type MetricQuery = Extract<PanelQuery, { source: 'metrics' }>;
const route = getRouteApi('/dashboards/explore');
const FIRST = { last: '1h', refreshSeconds: 15 };
const TYPING_MS = 300;
const NO_MARKS: never[] = [];

/** Any metric as a chart and a table: what is asked is in the address. */
export function ExplorePage(): ReactNode {
  const search: ExploreSearch = route.useSearch();
  const navigate = route.useNavigate();
  const whyOperate = useWhy('dashboards.write', 'anywhere');
  const canOperate = whyOperate === undefined;
  const [adding, setAdding] = useState(false);
  const change = (next: SearchChange<ExploreSearch>) =>
    void navigate({ search: (old) => withoutUndefined({ ...old, ...next }), replace: true });
  const { measurement = 'task_metrics', field = 'timer_run_ms', aggregate = 'mean', groupBy, filters } = search;
  const query: MetricQuery = withoutUndefined({ source: 'metrics', measurement, field, aggregate, groupBy, filters });
  const [asked] = useDebouncedValue(query, TYPING_MS);
  const askedText = JSON.stringify(asked);
  const view = useMemo(
    (): PanelView => ({ ...timeOf(search, FIRST), chosen: {} }),
    [search.from, search.to, search.range, search.refresh],
  );
  const panel = useMemo(
    (): Panel => ({
      id: 'chart',
      title: `${asked.field}, ${asked.aggregate}`,
      kind: 'timeseries',
      grid: { x: 0, y: 0, w: 12, h: 8 },
      unit: unitForQuery(asked),
      queries: [asked],
    }),
    [askedText],
  );
  const table = useMemo(
    (): Panel => ({
      ...panel,
      id: 'table',
      title: t('Whole time range'),
      kind: 'table',
      queries: [{ ...asked, legend: `${asked.field}, ${asked.aggregate}` }],
    }),
    [panel],
  );
  const complete = asked.measurement !== '' && asked.field !== '';
  const step = stepForLength(rangeLength(view.span));
  const ends = rangeEnds(view.span, step * 1000, Date.now());
  const commands = complete ? queryCommands(asked, step, ends.from, ends.to, location.origin) : null;
  const card = (one: Panel, height: number, full: boolean) => (
    <PanelCard
      key={one.id}
      panel={one}
      view={view}
      marks={NO_MARKS}
      height={height}
      full={full}
      onFull={(on) => change({ panel: on ? one.id : undefined })}
      onZoom={(from, to) =>
        change({ from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() })
      }
    />
  );
  const big = [panel, table].find(({ id }) => id === search.panel);
  return (
    <Page>
      <PageHeader
        title={t('Explore metrics')}
        back={{ to: '/dashboards', label: t('Dashboards') }}
        actions={
          <Group gap={8}>
            <TimeTools search={search} first={FIRST} onChange={change} />
            <Button
              leftSection={<IconLayoutGridAdd size={15} aria-hidden />}
              disabled={!canOperate || !complete}
              title={whyOperate}
              onClick={() => setAdding(true)}
            >
              {t('Add to dashboard…')}
            </Button>
          </Group>
        }
      />
      <div className={edit['editor']}>
        {complete ? (
          <Stack gap={10} miw={0}>
            {card(panel, 330, false)}
            {card(table, 190, false)}
            {commands && (
              <section className={`card ${css['card']}`} aria-label={t('In a terminal')}>
                <Stack gap="xs" p="sm">
                  <CommandLine label={t('Command line')} command={commands.cli} />
                  <CommandLine label="curl" command={commands.curl} />
                </Stack>
              </section>
            )}
          </Stack>
        ) : (
          <EmptyState title={t('Select a measurement and a field')}>
            {t('Your selection is part of the URL, so you can share it.')}
          </EmptyState>
        )}
        <aside className={`card ${edit['side']}`} aria-label={t('Query')}>
          <h2>{t('Metric')}</h2>
          <MetricFields
            query={query}
            variables={[]}
            legend={false}
            onChange={({ measurement, field, aggregate, groupBy, filters }) =>
              change({ measurement, field, aggregate, groupBy, filters })
            }
          />
        </aside>
      </div>
      {big && (
        <FullPanel panel={big} onClose={() => change({ panel: undefined })}>
          {card(big, innerHeight - 90, true)}
        </FullPanel>
      )}
      {adding && <AddToDashboard panel={panel} onClose={() => setAdding(false)} />}
    </Page>
  );
}
