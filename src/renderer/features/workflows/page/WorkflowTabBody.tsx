import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import type { EditorSession } from '../draft/session.ts';
import { environmentToTry } from '../endpoint.ts';
import { PublishSkeleton } from '../publish/PublishSkeleton.tsx';
import type { WorkflowSearch, WorkflowTab } from '../workflow-search.ts';
import { keyed, type SearchChange } from '../../../ui/search-params.ts';

const EditorTab = lazy(async () => ({
  default: (await import('../editor/EditorTab.tsx')).EditorTab,
}));
const DebugBar = lazy(async () => ({ default: (await import('../debug/DebugBar.tsx')).DebugBar }));
const RunsTab = lazy(async () => ({ default: (await import('../activity/RunsTab.tsx')).RunsTab }));
const MetricsTab = lazy(async () => ({ default: (await import('../activity/MetricsTab.tsx')).MetricsTab }));
const VersionsTab = lazy(async () => ({
  default: (await import('../versions/VersionsTab.tsx')).VersionsTab,
}));
const PublishTab = lazy(async () => ({
  default: (await import('../publish/PublishTab.tsx')).PublishTab,
}));
const ScheduleList = lazy(async () => ({
  default: (await import('../../schedules/ScheduleList.tsx')).ScheduleList,
}));
const TryTab = lazy(async () => ({ default: (await import('../try/TryTab.tsx')).TryTab }));
const TestsTab = lazy(async () => ({ default: (await import('../tests/TestsTab.tsx')).TestsTab }));
const WebhooksTab = lazy(async () => ({
  default: (await import('../webhooks/WebhooksTab.tsx')).WebhooksTab,
}));
const KeysTab = lazy(async () => ({ default: (await import('../keys/KeysTab.tsx')).KeysTab }));

const route = getRouteApi('/workflows/$workflowId');

interface WorkflowTabBodyProps {
  /** Undefined until it is read. */
  readonly workflow: Workflow | undefined;
  readonly session: EditorSession;
  readonly tab: WorkflowTab;
  readonly search: WorkflowSearch;
}

/** What a tab of a workflow shows; the code of each comes when it is opened. */
export function WorkflowTabBody({ workflow, ...rest }: WorkflowTabBodyProps): ReactNode {
  const skeleton = rest.tab === 'publish' ? <PublishSkeleton /> : <SkeletonBlock height={420} />;
  return <Suspense fallback={skeleton}>{workflow ? <Tab workflow={workflow} {...rest} /> : skeleton}</Suspense>;
}

function Tab({ workflow, session, tab, search }: WorkflowTabBodyProps & { workflow: Workflow }): ReactNode {
  const navigate = route.useNavigate();
  const show = (change: SearchChange<WorkflowSearch>, replace = false) =>
    void navigate({
      search: (now: WorkflowSearch) => withoutUndefined({ ...now, ...change }),
      replace,
    });
  const go = (next: WorkflowSearch) => void navigate({ search: next });
  const environment = search.environment ?? environmentToTry(workflow);
  const { env }: { env?: Environment } = route.useSearch();
  const { debug } = search;
  const publishDebugged = (to: Environment, version: string) =>
    go({ tab: 'publish', environment: to, version, ...keyed('debug', debug) });

  switch (tab) {
    case 'editor':
      return (
        <EditorTab
          workflow={workflow}
          session={session}
          view={search.edit ?? 'canvas'}
          onView={(edit) => show({ edit: edit === 'canvas' ? undefined : edit }, true)}
          node={search.node}
          onNode={(node) => show({ node }, true)}
          debug={search.debug}
          onPublish={publishDebugged}
          onDebugged={() => show({ debug: undefined }, true)}
          showsCoverage={search.coverage === 'on'}
          onCoverage={(on) => show({ coverage: on ? 'on' : undefined }, true)}
        />
      );
    case 'runs':
      return (
        <RunsTab
          workflow={workflow}
          environment={env}
          place={{ page: search.page ?? 0, size: search.size ?? 50 }}
          onPlace={(change) => show(change, true)}
        />
      );
    case 'metrics':
      return <MetricsTab workflow={workflow} environment={env} />;
    case 'versions':
      return (
        <VersionsTab
          workflow={workflow}
          session={session}
          search={search}
          show={show}
          onEdit={() => go({})}
          onPublish={(version) => go({ tab: 'publish', environment: 'dev', version })}
        />
      );
    case 'publish':
      return (
        <>
          {debug !== undefined && (
            <DebugBar
              workflow={workflow}
              session={session}
              taskId={debug}
              onSave={null}
              onEdit={() => go({ debug })}
              onPublish={publishDebugged}
              onClose={() => {
                session.endDebugging();
                show({ debug: undefined }, true);
              }}
            />
          )}
          <PublishTab workflow={workflow} search={search} show={show} />
        </>
      );
    case 'schedules':
      return (
        <ScheduleList
          workflowId={workflow.id}
          place={{ page: search.page ?? 0, size: search.size ?? 20 }}
          opened={search.schedule}
          onPlace={(change) => show(change, true)}
          onOpen={(schedule) => show({ schedule: schedule ?? undefined }, true)}
        />
      );
    case 'try':
      return (
        <TryTab
          workflow={workflow}
          environment={environment}
          onEnvironment={(next) => show({ environment: next }, true)}
          onPublish={() => go({ tab: 'publish', environment })}
        />
      );
    case 'tests':
      return <TestsTab workflow={workflow} />;
    case 'keys':
      return <KeysTab workflow={workflow} />;
    case 'webhooks':
      return <WebhooksTab workflow={workflow} />;
  }
}
