import { Button, Group, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Dashboard, DashboardDefinition } from '../../../../contract/dashboards.ts';
import { t } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { dashboardKeys, dashboardQuery, updateDashboard } from '../../../api/dashboards.ts';
import { useChartAnnotations } from '../use-annotations.ts';
import type { PanelView } from '../panels/use-panel.ts';
import edit from './Edit.module.css';
import { EditGrid } from './EditGrid.tsx';
import { readDefinition, refusedMarks, sameDefinition, textOfDefinition } from './json-text.ts';
import { compactRows, copyOfPanel, newPanel, placePanel } from './layout.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import { MovedDialog } from './MovedDialog.tsx';
import { NewDashboard } from './NewDashboard.tsx';
import { PanelForm } from './PanelForm.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { PageHeader } from '../../../ui/Page.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';

interface Props {
  readonly dashboard: Dashboard;
  readonly view: PanelView;
  readonly mode: 'form' | 'json';
  /** What the time and the variables are chosen with. */
  readonly tools: ReactNode;
  onMode(mode: 'form' | 'json' | undefined): void;
  onZoom(fromSeconds: number, toSeconds: number): void;
}

/** A dashboard while it is changed. Nothing of it is stored before it is saved. */
export function DashboardEditor({ dashboard, view, mode, tools, onMode, onZoom }: Props): ReactNode {
  const client = useQueryClient();
  // The one that was opened: what the live caches do meanwhile must not change it.
  const [base, setBase] = useState(dashboard);
  const [draft, setDraft] = useState(dashboard.definition);
  const [text, setText] = useState(() => textOfDefinition(dashboard.definition));
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, error, setError, send } = useSending();
  const [theirs, setTheirs] = useState<Dashboard | null>(null);
  const [copying, setCopying] = useState(false);
  // Saved as a copy: what is left behind is not lost. No state, as leaving follows before the next render.
  const left = useRef(false);

  const read = useMemo(() => readDefinition(text), [text]);
  const marks = useMemo(
    () => [...read.marks, ...(error instanceof ApiError ? refusedMarks(text, error.errors) : [])],
    [read, error],
  );
  const dirty = !sameDefinition(draft, base.definition) || read.definition === null;
  const change = (next: DashboardDefinition) => (setDraft(next), setText(textOfDefinition(next)), setError(null));
  const typed = (next: string) => {
    setText(next);
    setError(null);
    const { definition } = readDefinition(next);
    if (definition) setDraft(definition);
  };
  const marked = useChartAnnotations([...new Set(draft.panels.flatMap((one) => one.marks ?? []))], view.refreshMs);
  const setPanels = (panels: DashboardDefinition['panels']) => change({ ...draft, panels });
  const panel = draft.panels.find(({ id }) => id === chosen);

  async function save(version = base.version ?? 1) {
    if (read.definition === null) return;
    await send(async () => {
      const saved = await updateDashboard(base.id, draft, version).catch(async (failure: unknown) => {
        if (failure instanceof ApiError && failure.code === 'DASHBOARD_MOVED')
          setTheirs(await client.fetchQuery({ ...dashboardQuery(base.id), staleTime: 0 }).catch(() => null));
        throw failure;
      });
      setBase(saved);
      setTheirs(null);
      client.setQueryData(dashboardKeys.one(saved.id), saved);
      void client.invalidateQueries({ queryKey: dashboardKeys.all, exact: true });
      toastSuccess(t('Saved {title}', { title: saved.definition.title }));
    });
  }
  const side = useRef<HTMLElement>(null);
  /** A panel's form is what one goes on with, from its title. */
  const choose = (id: string) => {
    setChosen(id);
    requestAnimationFrame(() => side.current?.querySelector('input')?.select());
  };
  const close = () => {
    document.querySelector<HTMLElement>('[data-chosen] [data-edit]')?.focus();
    setChosen(null);
  };
  const add = (made: DashboardDefinition['panels'][number]) => (setPanels([...draft.panels, made]), choose(made.id));

  return (
    <>
      <PageHeader
        title={t('Edit {title}', { title: draft.title })}
        back={{ to: '/dashboards', label: t('Dashboards') }}
        meta={
          <span className="dim">{dirty ? t('Unsaved') : t('Version {version}', { version: base.version ?? '–' })}</span>
        }
        actions={
          <Group gap={8}>
            <SegmentedControl
              aria-label={t('Edit as')}
              value={mode}
              disabled={read.definition === null}
              onChange={onMode}
              data={[
                { value: 'form', label: t('Form') },
                { value: 'json', label: t('JSON') },
              ]}
            />
            <Button variant="default" onClick={() => onMode(undefined)}>
              {dirty ? t('Cancel') : t('Done')}
            </Button>
            <Button loading={busy} disabled={!dirty || read.definition === null} onClick={() => void save()}>
              {t('Save')}
            </Button>
          </Group>
        }
      />
      <ErrorLine error={error} />
      <Group gap={8}>{tools}</Group>
      {mode === 'json' ? (
        <CodeEditor
          label={t('Definition of {title}', { title: base.definition.title })}
          language="json"
          value={text}
          onChange={typed}
          diagnostics={marks}
          onSave={() => void save()}
          minHeight={420}
          maxHeight={Math.max(420, innerHeight - 220)}
        />
      ) : (
        <div className={edit['editor']}>
          {draft.panels.length === 0 ? (
            <EmptyState
              title={t('No panels yet')}
              action={
                <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => add(newPanel(draft.panels))}>
                  {t('Add panel')}
                </Button>
              }
            >
              {t('A panel shows metrics or log lines as a time series, a single value or a table.')}
            </EmptyState>
          ) : (
            <EditGrid
              panels={draft.panels}
              view={view}
              marks={marked}
              chosen={chosen}
              onChoose={choose}
              onPlace={(id, grid) => setPanels(placePanel(draft.panels, id, grid))}
              onCopy={(one) => add(copyOfPanel(draft.panels, one))}
              onRemove={({ id }) => setPanels(compactRows(draft.panels.filter((one) => one.id !== id)))}
              onZoom={onZoom}
            />
          )}
          <aside
            ref={side}
            className={`card ${edit['side']}`}
            aria-label={panel ? t('Panel settings') : t('Dashboard settings')}
          >
            <div className={edit['head']}>
              <h2>{panel ? t('Panel') : t('Dashboard')}</h2>
              {panel && (
                <Button size="compact-sm" variant="subtle" onClick={close}>
                  {t('Close')}
                </Button>
              )}
              <Button
                size="compact-sm"
                variant="light"
                leftSection={<IconPlus size={13} aria-hidden />}
                onClick={() => add(newPanel(draft.panels))}
              >
                {t('Add panel')}
              </Button>
            </div>
            {panel ? (
              <PanelForm
                key={panel.id}
                panel={panel}
                variables={draft.variables.map(({ name }) => name)}
                onChange={(next) => setPanels(draft.panels.map((one) => (one.id === next.id ? next : one)))}
                onPlace={(grid) => setPanels(placePanel(draft.panels, panel.id, grid))}
              />
            ) : (
              <SettingsForm definition={draft} onChange={change} />
            )}
          </aside>
        </div>
      )}
      {theirs && (
        <MovedDialog
          theirs={theirs}
          onClose={() => setTheirs(null)}
          onCopy={() => (setTheirs(null), setCopying(true))}
          onOverwrite={() => void save(theirs.version ?? 1)}
        />
      )}
      {copying && (
        <NewDashboard
          heading={t('Save as copy')}
          definition={draft}
          title={t('{title} (copy)', { title: draft.title })}
          onClose={() => setCopying(false)}
          onMade={() => void (left.current = true)}
        />
      )}
      <LeaveDialog isDirty={() => dirty && !left.current} title={draft.title} />
    </>
  );
}
