import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import type { Dashboard, Panel } from '../../../contract/dashboards.ts';
import { t } from '../../../lib/language.ts';
import { dashboardQuery } from '../../api/dashboards.ts';
import css from './panels/Dashboard.module.css';
import { translatedDefinition } from './panels/built-in-labels.ts';
import { bodyHeight, gridPosition } from './panels/grid.ts';
import { LevelStrip } from './panels/LevelStrip.tsx';
import { PanelCard } from './panels/PanelCard.tsx';
import { useChartAnnotations } from './use-annotations.ts';
import type { PanelView } from './panels/use-panel.ts';
import { Variables } from './panels/Variables.tsx';
import { useWhy } from '../../stores/role.ts';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { DashboardMenu } from './list/DashboardMenu.tsx';
import type { DashboardSearch } from './dashboard-search.ts';
import { timeOf, TimeTools } from './panels/TimeTools.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { FullPanel } from './panels/FullPanel.tsx';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/dashboards/$dashboardId');
const DashboardEditor = lazy(() =>
  import('./edit/DashboardEditor.tsx').then((file) => ({ default: file.DashboardEditor })),
);

/** One dashboard: its panels over one time and one choice of variables, all of it in the URL. */
export function DashboardPage(): ReactNode {
  const { dashboardId } = route.useParams();
  const query = useQuery(dashboardQuery(dashboardId));
  if (!query.data)
    return (
      <Page>
        <PageHeader title={t('Dashboard')} back={{ to: '/dashboards', label: t('Dashboards') }} />
        <Loading query={query} what={t('Could not load the dashboard')} height={420} />
      </Page>
    );
  return <Shown dashboard={query.data} />;
}

function Shown({ dashboard }: { dashboard: Dashboard }): ReactNode {
  const { id } = dashboard;
  const definition = useMemo(() => translatedDefinition(dashboard), [dashboard]);
  const canOperate = useWhy('dashboards.write', 'anywhere') === undefined;
  const search: DashboardSearch = route.useSearch();
  const navigate = route.useNavigate();
  const change = (next: SearchChange<DashboardSearch>) =>
    void navigate({ search: (old) => withoutUndefined({ ...old, ...next }), replace: true });

  const tags = useMemo(
    () => Object.fromEntries(definition.variables.map(({ name, tag }) => [name, tag])),
    [definition],
  );
  const hasLevels = definition.panels.some(({ queries }) =>
    queries.some((query) => query.source === 'logs' && query.field === 'level'),
  );
  const varsText = JSON.stringify(search.vars);
  const first = useMemo(
    () => Object.fromEntries(definition.variables.map(({ name, value }) => [name, value])),
    [definition],
  );
  const view = useMemo(
    (): PanelView => ({ ...timeOf(search, definition.time), chosen: { ...first, ...search.vars } }),
    [search.from, search.to, search.range, varsText, search.refresh, definition],
  );
  const marks = useChartAnnotations(
    [...new Set(definition.panels.flatMap((panel) => panel.marks ?? []))],
    view.refreshMs,
  );

  const zoom = (from: number, to: number) =>
    change({ from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() });
  const card = (panel: Panel, height: number, full: boolean) => (
    <PanelCard
      key={panel.id}
      panel={panel}
      view={view}
      marks={marks}
      height={height}
      full={full}
      onFull={(on) => change({ panel: on ? panel.id : undefined })}
      onZoom={zoom}
    />
  );
  const big = definition.panels.find((panel) => panel.id === search.panel);
  const times = <TimeTools search={search} first={definition.time} onChange={change} />;
  const variables = definition.variables.length > 0 && (
    <Variables variables={definition.variables} chosen={view.chosen} onChange={(vars) => change({ vars })} />
  );
  if (search.edit && canOperate && !dashboard.builtIn)
    return (
      <Page>
        <Suspense fallback={null}>
          <DashboardEditor
            key={id}
            dashboard={dashboard}
            view={view}
            mode={search.edit}
            tools={
              <>
                {variables}
                {times}
              </>
            }
            onMode={(edit) => change({ edit })}
            onZoom={zoom}
          />
        </Suspense>
      </Page>
    );

  return (
    <Page>
      <PageHeader
        title={definition.title}
        subtitle={definition.description}
        back={{ to: '/dashboards', label: t('Dashboards') }}
        actions={
          <Group gap={8}>
            {times}
            <DashboardMenu dashboard={dashboard} />
          </Group>
        }
      />
      {variables && <Group gap={8}>{variables}</Group>}
      <div className={css['grid']} key={id}>
        {definition.panels.map((panel) => (
          <div key={panel.id} style={gridPosition(panel)}>
            {card(panel, bodyHeight(panel.grid.h), false)}
          </div>
        ))}
      </div>
      {!hasLevels && <LevelStrip view={view} tags={tags} onZoom={zoom} />}
      {big && (
        <FullPanel panel={big} onClose={() => change({ panel: undefined })}>
          {card(big, innerHeight - 90, true)}
        </FullPanel>
      )}
    </Page>
  );
}
