import { ActionIcon, Button, Select } from '@mantine/core';
import { IconRefresh, IconZoomOut } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { Dashboard, Panel } from '../../../contract/api-dashboards.ts';
import { dashboardQuery } from '../../api/dashboards.ts';
import css from '../../parts/dashboard/Dashboard.module.css';
import { bodyHeight, placed } from '../../parts/dashboard/grid.ts';
import { PanelCard } from '../../parts/dashboard/PanelCard.tsx';
import { durationOf, RANGES, type RangeName, type Span } from '../../parts/dashboard/range.ts';
import { useMarks } from '../../parts/dashboard/use-marks.ts';
import type { PanelView } from '../../parts/dashboard/use-panel.ts';
import { Variables } from '../../parts/dashboard/Variables.tsx';
import { useRole } from '../../stores/role.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { formatInstant } from '../../ui/time-text.ts';
import { useUiSettings } from '../../ui/settings.tsx';
import { DashboardMenu } from './DashboardMenu.tsx';
import { Editing } from './Editing.tsx';
import { type DashboardSearch, REFRESHES, type Refresh } from './search.ts';

const route = getRouteApi('/dashboards/$dashboardId');
const RANGE_WORDS: Readonly<Record<RangeName, string>> = { '15m': 'Last 15 minutes', '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' };

/** One dashboard: its panels over one time and one choice of variables, all of it in the URL. */
export function DashboardPage(): ReactNode {
  const { dashboardId } = route.useParams();
  const query = useQuery(dashboardQuery(dashboardId));
  if (query.error && !query.data)
    return (
      <Page>
        <PageHeader title="Dashboard" back={{ to: '/dashboards', label: 'Dashboards' }} />
        <ErrorState what="The dashboard could not be read" error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  if (!query.data)
    return (
      <Page>
        <PageHeader title="Dashboard" back={{ to: '/dashboards', label: 'Dashboards' }} />
        <SkeletonBlock height={420} />
      </Page>
    );
  return <Shown dashboard={query.data} />;
}

function Shown({ dashboard }: { dashboard: Dashboard }): ReactNode {
  const { definition, id } = dashboard;
  const { canOperate } = useRole();
  const search: DashboardSearch = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { zone } = useUiSettings();
  const change = (next: Partial<Record<keyof DashboardSearch, unknown>>) => void navigate({ search: (old) => Object.fromEntries(Object.entries({ ...old, ...next }).filter(([, value]) => value !== undefined)) as never, replace: true });

  const fixed = search.from !== undefined && search.to !== undefined;
  const varsText = JSON.stringify(search.vars);
  const first = useMemo(() => Object.fromEntries(definition.variables.map(({ name, value }) => [name, value])), [definition]);
  const refresh: Refresh = search.refresh ?? nearest(definition.time.refreshSeconds);
  const view = useMemo((): PanelView => {
    const span: Span = fixed ? { from: Date.parse(search.from as string), to: Date.parse(search.to as string) } : { last: search.range ? RANGES[search.range] : (durationOf(definition.time.last) ?? RANGES['1h']) };
    return { span, chosen: { ...first, ...search.vars }, refreshMs: fixed || refresh === 'off' ? 0 : (durationOf(refresh) ?? 0) };
  }, [search.from, search.to, search.range, varsText, refresh, definition]);
  const marks = useMarks([...new Set(definition.panels.flatMap((panel) => panel.marks ?? []))], view.refreshMs);

  const zoom = (from: number, to: number) => change({ from: new Date(from * 1000).toISOString(), to: new Date(to * 1000).toISOString() });
  const card = (panel: Panel, height: number, full: boolean) => <PanelCard key={panel.id} panel={panel} view={view} marks={marks} height={height} full={full} onFull={(on) => change({ panel: on ? panel.id : undefined })} onZoom={zoom} />;
  const big = definition.panels.find((panel) => panel.id === search.panel);

  const times = (
    <>
      {fixed ? (
        <Button variant="light" leftSection={<IconZoomOut size={15} aria-hidden />} onClick={() => change({ from: undefined, to: undefined })}>
          <span className="numbers">{formatInstant(Date.parse(search.from as string), zone, false)} – {formatInstant(Date.parse(search.to as string), zone, false).slice(-8)}</span>
        </Button>
      ) : (
        <Select aria-label="Time range" w={150} allowDeselect={false} data={Object.entries(RANGE_WORDS).map(([value, label]) => ({ value, label }))} value={search.range ?? nameOf(definition.time.last)} onChange={(range) => change({ range: range ?? undefined })} />
      )}
      <Select aria-label="Refresh" w={100} allowDeselect={false} disabled={fixed} data={REFRESHES.map((value) => ({ value, label: value === 'off' ? 'No refresh' : `Every ${value}` }))} value={fixed ? 'off' : refresh} onChange={(value) => change({ refresh: value ?? undefined })} />
      <ActionIcon variant="default" size={30} aria-label="Read all panels again" onClick={() => void client.invalidateQueries({ queryKey: ['dashboards'], predicate: ({ queryKey }) => queryKey[1] === 'panel' || queryKey[1] === 'logs' })}>
        <IconRefresh size={15} aria-hidden />
      </ActionIcon>
    </>
  );
  const variables = definition.variables.length > 0 && <Variables variables={definition.variables} chosen={view.chosen} onChange={(vars) => change({ vars })} />;
  if (search.edit && canOperate && !dashboard.builtIn)
    return (
      <Page>
        <Editing key={id} dashboard={dashboard} view={view} mode={search.edit} tools={<>{variables}{times}</>} onMode={(edit) => change({ edit })} onZoom={zoom} />
      </Page>
    );

  return (
    <Page>
      <PageHeader
        title={definition.title}
        subtitle={definition.description}
        back={{ to: '/dashboards', label: 'Dashboards' }}
        actions={
          <div className={css['tools']}>
            {times}
            <DashboardMenu dashboard={dashboard} />
          </div>
        }
      />
      {variables && <div className={css['tools']}>{variables}</div>}
      <div className={css['grid']} key={id}>
        {definition.panels.map((panel) => (
          <div key={panel.id} style={placed(panel)}>
            {card(panel, bodyHeight(panel.grid.h), false)}
          </div>
        ))}
      </div>
      {big && (
        <div className={css['full']} role="dialog" aria-label={big.title} onKeyDown={(event) => event.key === 'Escape' && change({ panel: undefined })}>
          {card(big, innerHeight - 90, true)}
        </div>
      )}
    </Page>
  );
}

const nameOf = (last: string): RangeName | null => (last in RANGES ? (last as RangeName) : null);
const nearest = (seconds: number): Refresh => (seconds === 0 ? 'off' : (REFRESHES.find((one) => (durationOf(one) ?? 0) >= seconds * 1000) ?? '5m'));
