import { isOneOf } from '../../../lib/is-one-of.ts';
import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Tabs, Text } from '@mantine/core';
import { IconCode, IconHistory, IconKey, IconPlayerPlay, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Workflow } from '../../../contract/workflows.ts';
import { t } from '../../../lib/language.ts';
import { workflowQuery } from '../../api/workflows.ts';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { ArchiveWorkflow } from './actions/ArchiveWorkflow.tsx';
import { EnvironmentPointers } from './actions/EnvironmentPointers.tsx';
import { RenameWorkflow } from './actions/RenameWorkflow.tsx';
import { WorkflowLimits } from './actions/WorkflowLimits.tsx';
import { createDrafts } from './draft/drafts.ts';
import { createEditorSession, type EditorSession } from './draft/session.ts';
import { LeaveGuard } from './editor/LeaveGuard.tsx';
import { PublishSkeleton } from './publish/PublishSkeleton.tsx';
import { triedIn } from './endpoint.ts';
import { ToneBadge } from '../../ui/Badges.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { SkeletonBlock } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { WORKFLOW_TABS, type WorkflowSearch, type WorkflowTab } from './workflow-search.ts';
import classes from './actions/Workflow.module.css';

const EditorTab = lazy(async () => ({
  default: (await import('./editor/EditorTab.tsx')).EditorTab,
}));
const VersionsTab = lazy(async () => ({
  default: (await import('./versions/VersionsTab.tsx')).VersionsTab,
}));
const PublishTab = lazy(async () => ({
  default: (await import('./publish/PublishTab.tsx')).PublishTab,
}));
const TryTab = lazy(async () => ({ default: (await import('./try/TryTab.tsx')).TryTab }));
const KeysTab = lazy(async () => ({ default: (await import('./keys/KeysTab.tsx')).KeysTab }));

const TABS: readonly { readonly tab: WorkflowTab; readonly label: string; readonly icon: typeof IconCode }[] = [
  { tab: 'editor', label: t('Builder'), icon: IconCode },
  { tab: 'versions', label: t('Versions'), icon: IconHistory },
  { tab: 'publish', label: t('Publish'), icon: IconUpload },
  { tab: 'try', label: t('Try it'), icon: IconPlayerPlay },
  { tab: 'keys', label: t('Keys'), icon: IconKey },
];

const route = getRouteApi('/workflows/$workflowId');

/** One workflow: its text, versions, publication, a place to try it, and its keys. */
export function WorkflowPage(): ReactNode {
  const { workflowId } = route.useParams();
  return <WorkflowView key={workflowId} workflowId={workflowId} />;
}

function WorkflowView({ workflowId }: { workflowId: string }): ReactNode {
  const search = route.useSearch();
  const query = useQuery(workflowQuery(workflowId));
  const [session] = useState(() => createEditorSession(workflowId, createDrafts(window.localStorage), Date.now));
  const workflow = query.data;
  const tab = search.tab ?? 'editor';
  const navigate = route.useNavigate();
  const go = (next: WorkflowTab) => navigate({ search: next === 'editor' ? {} : { tab: next } });
  // Who works by keys goes on from the tab: what had the focus is not there any more.
  const tabs = useRef<HTMLDivElement>(null);
  const keyed = useRef(false);
  const focusTab = () => tabs.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  useEffect(() => {
    if (keyed.current) focusTab();
    keyed.current = false;
  }, [tab]);
  const byKey = (next: WorkflowTab) => {
    if (next === tab) return focusTab();
    keyed.current = true;
    void go(next);
  };
  useShortcut('w e', t('Workflow editor'), () => byKey('editor'));
  useShortcut('w v', t('Workflow versions'), () => byKey('versions'));
  useShortcut('w p', t('Publish workflow'), () => byKey('publish'));
  useShortcut('w t', t('Try workflow'), () => byKey('try'));
  useShortcut('w k', t('Workflow keys'), () => byKey('keys'));

  if (query.isError && !workflow) {
    const unknown = query.error instanceof ApiError && query.error.code === 'WORKFLOW_NOT_FOUND';
    return (
      <Page>
        <PageHeader title={workflowId} back={{ to: '/workflows', label: t('Workflows') }} />
        {unknown ? (
          <EmptyState title={t('Workflow not found')} action={<Link to="/workflows">{t('Go to workflows')}</Link>}>
            {t('Check the ID, or find the workflow in the list.')}
          </EmptyState>
        ) : (
          <ErrorState
            error={query.error}
            what={t('Could not load the workflow')}
            onRetry={() => void query.refetch()}
          />
        )}
      </Page>
    );
  }
  return (
    <Page fill={tab === 'editor' || (tab === 'versions' && !search.version && !search.from)}>
      <PageHeader
        title={workflow?.name ?? workflowId}
        documentTitle={workflow?.name ?? workflowId}
        back={{ to: '/workflows', label: t('Workflows') }}
        meta={
          workflow && (
            <>
              <code>{workflow.id}</code>
              {workflow.archivedAt === null ? (
                <EnvironmentPointers pointers={workflow.environments} aged />
              ) : (
                <ToneBadge tone="empty">{t('Archived')}</ToneBadge>
              )}
            </>
          )
        }
        subtitle={
          workflow?.description ? (
            <Text size="sm" lineClamp={1} title={workflow.description}>
              {workflow.description}
            </Text>
          ) : undefined
        }
        actions={
          workflow && (
            <>
              <WorkflowLimits workflow={workflow} />
              <RenameWorkflow workflow={workflow} />
              <ArchiveWorkflow workflow={workflow} />
            </>
          )
        }
      />
      {query.isError && (
        <StaleLine error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      <LeaveGuard session={session} workflowId={workflowId} />
      <Tabs
        value={tab}
        onChange={(next) => isOneOf(WORKFLOW_TABS, next) && void go(next)}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
      >
        <Tabs.List ref={tabs}>
          {TABS.map(({ tab: value, label, icon: Icon }) => (
            <Tabs.Tab key={value} value={value} leftSection={<Icon size={16} aria-hidden="true" />}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes['panel'] ?? ''}>
          <Suspense fallback={<TabSkeleton tab={tab} />}>
            {workflow ? (
              <Tab workflow={workflow} session={session} tab={tab} search={search} />
            ) : (
              <TabSkeleton tab={tab} />
            )}
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const TabSkeleton = ({ tab }: { tab: WorkflowTab }): ReactNode =>
  tab === 'publish' ? <PublishSkeleton /> : <SkeletonBlock height={420} />;

function Tab({
  workflow,
  session,
  tab,
  search,
}: {
  workflow: Workflow;
  session: EditorSession;
  tab: WorkflowTab;
  search: WorkflowSearch;
}): ReactNode {
  const navigate = route.useNavigate();
  const show = (change: { [K in keyof WorkflowSearch]?: WorkflowSearch[K] | undefined }, replace = false) =>
    void navigate({
      search: (now: WorkflowSearch) => withoutUndefined({ ...now, ...change }),
      replace,
    });
  const go = (next: WorkflowSearch) => void navigate({ search: next });
  const environment = search.environment ?? triedIn(workflow);

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
