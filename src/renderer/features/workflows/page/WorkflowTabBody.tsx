import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Workflow } from '../../../../contract/workflows.ts';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import type { EditorSession } from '../draft/session.ts';
import { environmentToTry } from '../endpoint.ts';
import { PublishSkeleton } from '../publish/PublishSkeleton.tsx';
import type { WorkflowSearch, WorkflowTab } from '../workflow-search.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

const EditorTab = lazy(async () => ({
  default: (await import('../editor/EditorTab.tsx')).EditorTab,
}));
const VersionsTab = lazy(async () => ({
  default: (await import('../versions/VersionsTab.tsx')).VersionsTab,
}));
const PublishTab = lazy(async () => ({
  default: (await import('../publish/PublishTab.tsx')).PublishTab,
}));
const TryTab = lazy(async () => ({ default: (await import('../try/TryTab.tsx')).TryTab }));
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
        />
      );
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
      return <PublishTab workflow={workflow} search={search} show={show} />;
    case 'try':
      return (
        <TryTab
          workflow={workflow}
          environment={environment}
          onEnvironment={(next) => show({ environment: next }, true)}
          onPublish={() => go({ tab: 'publish', environment })}
        />
      );
    case 'keys':
      return <KeysTab workflow={workflow} />;
  }
}
