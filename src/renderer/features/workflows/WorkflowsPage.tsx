import { Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconRoute, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Environment } from '../../../contract/vocabulary.ts';
import { ACTIVITY_WORKFLOWS } from '../../../contract/workflow-activity.ts';
import { t } from '../../../lib/language.ts';
import { TEMPLATE_ENTRIES, type TemplateId } from '../../../lib/workflow-templates/catalogue.ts';
import { activityQuery } from '../../api/workflow-activity.ts';
import { workflowsQuery } from '../../api/workflows.ts';
import { useShortcut } from '../../keyboard/use-shortcut.ts';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { ActivityContext } from './activity/ActivityCells.tsx';
import { CreateWorkflow } from './create/CreateWorkflow.tsx';
import { whyNoCreate } from '../../stores/permissions.ts';
import { useRights } from '../../stores/role.ts';
import { CommandLine } from '../../ui/CommandLine.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { paged } from '../../ui/table/pages.ts';
import { workflowColumns } from './list/columns.tsx';
import { ProjectFilter } from '../settings/ProjectFilter.tsx';
import { useProjects } from '../../stores/projects.ts';
import type { WorkflowsSearch } from './workflows-search.ts';
import { bindChecked } from '../../ui/bind.ts';
import type { SearchChange } from '../../ui/search-params.ts';

const route = getRouteApi('/workflows');
const SIZE = 50;
const SORT = 'updatedAt,desc';

/** All workflows, and what each environment points to. */
export function WorkflowsPage(): ReactNode {
  const search: WorkflowsSearch & { env?: Environment } = route.useSearch();
  const navigate = route.useNavigate();
  const rights = useRights();
  const params = {
    page: search.page ?? 0,
    size: search.size ?? SIZE,
    sort: search.sort ?? SORT,
    q: search.q,
    archived: search.archived,
    project: search.project,
  };
  const query = useQuery(workflowsQuery(params));
  const show = (change: SearchChange<WorkflowsSearch>) =>
    void navigate({ search: (now: WorkflowsSearch) => clean({ ...now, ...change }), replace: true });

  const [typed, setTyped] = useState(search.q ?? '');
  const filter = useDebouncedCallback((q: string) => show({ q, page: 0 }), 250);
  const clear = () => {
    setTyped('');
    show({ q: '', project: undefined, page: 0 });
  };
  useShortcut('n', t('New workflow'), whyNoCreate(rights) === null ? () => show({ create: true }) : null);
  const { env } = search;
  const ids = query.data?.items.slice(0, ACTIVITY_WORKFLOWS).map(({ id }) => id) ?? [];
  const { data: lately } = useQuery(activityQuery({ workflowId: ids, environment: env }));
  const activity = useMemo(() => new Map(lately?.items.map((one) => [one.workflowId, one])), [lately]);
  const withProject = useProjects().length > 0;
  const columns = useMemo(() => workflowColumns(withProject), [withProject]);
  const create = (
    <ReasonButton
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      reason={whyNoCreate(rights)}
      onClick={() => show({ create: true })}
    >
      {t('New workflow')}
    </ReasonButton>
  );

  return (
    <Page fill>
      <PageHeader
        title={t('Workflows')}
        subtitle={t('A workflow has one endpoint per environment. Publish a version to call it.')}
        actions={create}
      />
      <Group gap="sm">
        <TextInput
          data-filter
          aria-label={t('Search workflows by ID or name')}
          placeholder={t('Search by ID or name')}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            filter(event.currentTarget.value);
          }}
          w={320}
        />
        <ProjectFilter value={search.project} onChange={(project) => show({ project, page: 0 })} />
        <Checkbox
          label={t('Include archived')}
          {...bindChecked(search.archived === true, (on) => show({ archived: on, page: 0 }))}
        />
      </Group>
      <ActivityContext value={activity}>
        <DataTable
          label={t('Workflows')}
          columns={columns}
          rowId={(workflow) => workflow.id}
          what={t('Could not load workflows')}
          {...paged(query, params, show)}
          sort={{ value: params.sort, onSort: (sort) => show({ sort, page: 0 }) }}
          onOpen={(workflow) => void navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow.id } })}
          rowTone={(workflow) => (workflow.archivedAt === null ? undefined : 'muted')}
          storageKey="workflows"
          fill
          empty={
            search.q || search.project ? (
              <EmptyState
                icon={IconSearch}
                title={
                  search.q
                    ? t('No workflows match “{q}”', { q: search.q })
                    : t('No workflows in project {project}', { project: search.project ?? '' })
                }
                action={
                  <ReasonButton variant="default" reason={null} onClick={clear}>
                    {t('Clear filter')}
                  </ReasonButton>
                }
              >
                {t('Search matches any part of the ID or name.')}
              </EmptyState>
            ) : (
              <EmptyState icon={IconRoute} title={t('No workflows yet')} action={create}>
                <Text size="sm">
                  {t(
                    'A workflow receives JSON events over HTTP, runs them through its nodes and returns the output. Create one here, drop a workflow file on this window, or import one from a terminal:',
                  )}
                </Text>
                <CommandLine
                  label={t('Import a workflow')}
                  command="npm run -s yardmaster -- workflow import FILE.workflow.json"
                />
                {whyNoCreate(rights) === null && (
                  <Suggestions onChoose={(template) => show({ create: true, template })} />
                )}
              </EmptyState>
            )
          }
        />
      </ActivityContext>
      <CreateWorkflow
        opened={search.create === true}
        refusal={whyNoCreate(rights)}
        template={search.template}
        onClose={() => show({ create: false, template: undefined })}
        onCreated={(workflowId) => void navigate({ to: '/workflows/$workflowId', params: { workflowId } })}
      />
    </Page>
  );
}

const SUGGESTED = ['call-api', 'approve-amount', 'report'] as const;

/** Templates, where there is nothing else to look at. */
function Suggestions({ onChoose }: { onChoose(template: TemplateId): void }) {
  return (
    <Group gap="xs" justify="center" mt="sm">
      <span className="dim">{t('Or start from a template:')}</span>
      {SUGGESTED.map((id) => (
        <Button key={id} variant="default" size="compact-sm" onClick={() => onChoose(id)}>
          {TEMPLATE_ENTRIES[id].name}
        </Button>
      ))}
    </Group>
  );
}

/** What is as usual is not written into the address. */
function clean(search: SearchChange<WorkflowsSearch>): WorkflowsSearch {
  return Object.fromEntries(
    Object.entries(search).filter(
      ([key, value]) =>
        value !== undefined &&
        value !== '' &&
        value !== false &&
        !(key === 'page' && value === 0) &&
        !(key === 'sort' && value === SORT) &&
        !(key === 'size' && value === SIZE),
    ),
  );
}
