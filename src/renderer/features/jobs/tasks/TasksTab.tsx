import { Button, Group, MultiSelect, Select } from '@mantine/core';
import { IconFilterOff, IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import { TASK_STATES } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { tasksQuery } from '../../../api/jobs.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { taskColumns } from './columns.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TONES } from '../../../ui/status.ts';
import css from '../job/JobPage.module.css';
import type { JobSearch } from '../job-view-search.ts';
import { ListQueryLine } from '../../../ui/ListQueryLine.tsx';
import { TASK_HINTS, TASK_LANGUAGE, taskFilters, tasksChange } from './tasks-query.ts';
import { paged } from '../../../ui/table/pages.ts';
import type { SearchChange } from '../../../ui/search-params.ts';

const taskId = (task: Task): string => task.id;
const taskTone = (task: Task) =>
  task.state === 'FAILED' || task.state.endsWith('TIMEOUT') ? ('danger' as const) : undefined;
const STATES = TASK_STATES.map((state) => ({ value: state, label: TONES.task[state].word }));

/** Every task of the job, by pages; filters are in the URL. */
export function TasksTab({
  job,
  search,
  onChange,
}: {
  job: Job;
  search: JobSearch;
  onChange(next: SearchChange<JobSearch>): void;
}): ReactNode {
  const { page = 0, size = 50, sort = 'readyAt,asc', state, node, replica, worker, code, error } = search;
  const query = useQuery(tasksQuery(job.id, { page, size, sort, state, node, replica, worker, code, q: error }));
  const { data: commit } = useQuery(commitQuery(job.workflowId, job.commit));
  const nodes =
    commit?.definition.nodes
      .filter((node) => node.type !== 'input' && node.type !== 'output')
      .map((node) => ({
        value: node.id,
        label:
          node.name !== undefined && node.name !== '' && node.name !== node.id ? `${node.name} (${node.id})` : node.id,
      })) ?? [];
  const known =
    search.node === undefined || nodes.some((node) => node.value === search.node)
      ? nodes
      : [...nodes, { value: search.node, label: search.node }];
  const filters = taskFilters(search);
  const filtered = Object.values(filters).some((values) => values.length > 0);
  const clear = () => onChange(tasksChange({}));
  const tasks = query.data?.items ?? [];
  const seen = (values: readonly (string | null | undefined)[]) => [
    ...new Set(values.filter((value) => value !== null && value !== undefined)),
  ];
  return (
    <div className={css['tab']}>
      <Group gap={8} align="flex-start" role="search" aria-label={t('Filter tasks')}>
        <MultiSelect
          aria-label={t('State')}
          placeholder={search.state ? '' : t('All states')}
          data={STATES}
          value={search.state ?? []}
          onChange={(state) => onChange({ state: state.length === 0 ? undefined : state, page: undefined })}
          clearable
          clearButtonProps={{ 'aria-label': t('All states') }}
          miw={180}
          maw={460}
        />
        <Select
          aria-label={t('Node')}
          placeholder={t('All nodes')}
          data={known}
          value={search.node ?? null}
          onChange={(node) => onChange({ node: node ?? undefined, page: undefined })}
          clearable
          clearButtonProps={{ 'aria-label': t('All nodes') }}
          searchable
          w={240}
        />
        {filtered && (
          <Button variant="subtle" color="gray" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
        <ListQueryLine
          language={TASK_LANGUAGE}
          filters={filters}
          hints={TASK_HINTS}
          known={{
            node: nodes.map(({ value }) => value),
            worker: seen(tasks.map(({ workerId }) => workerId)),
            code: seen(tasks.map(({ error }) => error?.code)),
          }}
          placeholder="state:failed node:charge worker:4f1c2a9b code:TASK_ERROR timed out"
          onChange={(next) => onChange(tasksChange(next))}
        />
      </Group>
      <DataTable
        fill
        label={t('Tasks')}
        what={t('Could not load tasks')}
        storageKey="tasks"
        columns={taskColumns}
        rowId={taskId}
        rowTone={taskTone}
        current={search.task}
        onOpen={(task) => onChange({ task: task.id })}
        sort={{ value: sort, onSort: (next) => onChange({ sort: next, page: undefined }) }}
        {...paged(query, { page, size }, (next) => onChange({ ...next, page: next.page || undefined }))}
        empty={
          filtered ? (
            <EmptyState
              icon={IconFilterOff}
              title={t('No tasks match these filters')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={IconListDetails}
              title={job.inputCount === 0 ? t('The job received no input') : t('The job has no tasks')}
            >
              {job.inputCount === 0
                ? t('An empty input array creates a job without tasks.')
                : t('No node of its workflow runs on a worker.')}
            </EmptyState>
          )
        }
      />
    </div>
  );
}
