import { isOneOf } from '../../../lib/is-one-of.ts';
import { Tabs, Text } from '@mantine/core';
import {
  IconCalendarTime,
  IconChartLine,
  IconCode,
  IconFlask,
  IconHistory,
  IconKey,
  IconListDetails,
  IconPlayerPlay,
  IconUpload,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ENVIRONMENTS } from '../../../contract/vocabulary.ts';
import { t } from '../../../lib/language.ts';
import { useCommands } from '../../keyboard/use-shortcut.ts';
import { workflowQuery } from '../../api/workflows.ts';
import { ArchiveWorkflow } from './actions/ArchiveWorkflow.tsx';
import { EnvironmentPointers } from './actions/EnvironmentPointers.tsx';
import { MoveWorkflow } from './actions/MoveWorkflow.tsx';
import { RenameWorkflow } from './actions/RenameWorkflow.tsx';
import { WorkflowLimits } from './actions/WorkflowLimits.tsx';
import { createDrafts } from './draft/drafts.ts';
import { createEditorSession } from './draft/session.ts';
import { LeaveGuard } from './editor/LeaveGuard.tsx';
import { ToneBadge } from '../../ui/Badges.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { StaleBanner } from '../../ui/StaleBanner.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { WORKFLOW_TABS, type WorkflowTab } from './workflow-search.ts';
import { useReach } from '../../stores/role.ts';
import { useTabShortcuts } from './page/use-tab-shortcuts.ts';
import { WorkflowTabBody } from './page/WorkflowTabBody.tsx';
import classes from './page/Workflow.module.css';
import { Loading } from '../../ui/Loading.tsx';

const TABS: readonly { readonly tab: WorkflowTab; readonly label: string; readonly icon: typeof IconCode }[] = [
  { tab: 'editor', label: t('Builder'), icon: IconCode },
  { tab: 'runs', label: t('Runs'), icon: IconListDetails },
  { tab: 'metrics', label: t('Metrics'), icon: IconChartLine },
  { tab: 'versions', label: t('Versions'), icon: IconHistory },
  { tab: 'publish', label: t('Publish'), icon: IconUpload },
  { tab: 'schedules', label: t('Schedules'), icon: IconCalendarTime },
  { tab: 'try', label: t('Try it'), icon: IconPlayerPlay },
  { tab: 'tests', label: t('Tests'), icon: IconFlask },
  { tab: 'keys', label: t('Keys'), icon: IconKey },
  { tab: 'webhooks', label: t('Webhooks'), icon: IconWebhook },
];

const route = getRouteApi('/workflows/$workflowId');

/** One workflow: its text, versions, publication, a place to try it, its tests, keys and webhooks. */
export function WorkflowPage(): ReactNode {
  const { workflowId } = route.useParams();
  return <WorkflowView key={workflowId} workflowId={workflowId} />;
}

function WorkflowView({ workflowId }: { workflowId: string }): ReactNode {
  const search = route.useSearch();
  const query = useQuery(workflowQuery(workflowId));
  const [session] = useState(() => createEditorSession(workflowId, createDrafts(window.localStorage), Date.now));
  const workflow = query.data;
  const seesKeys = useReach('keys.list');
  const tab = search.tab ?? 'editor';
  const navigate = route.useNavigate();
  const go = (next: WorkflowTab) => navigate({ search: next === 'editor' ? {} : { tab: next } });
  const tabs = useTabShortcuts(tab, go);
  useCommands(
    ENVIRONMENTS.map((environment) => ({
      label: t('Publish to {environment}…', { environment }),
      run: () => void navigate({ search: { tab: 'publish', environment } }),
    })),
  );

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
          <Loading query={query} what={t('Could not load the workflow')} />
        )}
      </Page>
    );
  }
  return (
    <Page
      fill={tab === 'editor' || tab === 'runs' || (tab === 'versions' && !search.version && !search.from)}
      bleed={tab === 'editor'}
      tight
    >
      <PageHeader
        title={workflow?.name ?? workflowId}
        documentTitle={workflow?.name ?? workflowId}
        back={{ to: '/workflows', label: t('Workflows') }}
        meta={
          workflow &&
          (workflow.archivedAt === null ? (
            <EnvironmentPointers pointers={workflow.environments} aged />
          ) : (
            <ToneBadge tone="empty">{t('Archived')}</ToneBadge>
          ))
        }
        subtitle={
          // The ID is there from the start: the header keeps its height when the rest comes.
          <Text size="sm" lineClamp={1} title={workflow?.description ?? undefined}>
            <code>{workflowId}</code>
            {workflow?.description && (
              <>
                {' · '}
                {workflow.description}
              </>
            )}
          </Text>
        }
        actions={
          workflow && (
            <>
              <MoveWorkflow workflow={workflow} />
              <WorkflowLimits workflow={workflow} />
              <RenameWorkflow workflow={workflow} />
              <ArchiveWorkflow workflow={workflow} />
            </>
          )
        }
      />
      {query.isError && (
        <StaleBanner error={query.error} updatedAt={query.dataUpdatedAt} onRetry={() => void query.refetch()} />
      )}
      <LeaveGuard session={session} workflowId={workflowId} />
      <Tabs
        value={tab}
        onChange={(next) => isOneOf(WORKFLOW_TABS, next) && void go(next)}
        keepMounted={false}
        className={classes['tabs'] ?? ''}
      >
        <Tabs.List ref={tabs}>
          {TABS.filter((one) => one.tab !== 'keys' || one.tab === tab || seesKeys).map(
            ({ tab: value, label, icon: Icon }) => (
              <Tabs.Tab key={value} value={value} leftSection={<Icon size={16} aria-hidden="true" />}>
                {label}
              </Tabs.Tab>
            ),
          )}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes['panel'] ?? ''}>
          <WorkflowTabBody workflow={workflow} session={session} tab={tab} search={search} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
