import { withoutUndefined } from '../../../lib/without-undefined.ts';
import { Button, Group, Tabs } from '@mantine/core';
import { IconRepeat, IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { t } from '../../../lib/language.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { jobOutputQuery, jobQuery } from '../../api/jobs.ts';
import { ActionButton } from './actions/ActionButton.tsx';
import { checkJobAction } from './actions/check-job-action.ts';
import { useJobActions } from './actions/use-job-actions.tsx';
import { TaskPanel } from './task-panel/TaskPanel.tsx';
import { BundleButton } from './job/BundleButton.tsx';
import { JobWhy } from './why/JobWhy.tsx';
import { NodeNames } from '../workflows/NodeName.tsx';
import { RerunDialog } from './rerun/RerunDialog.tsx';
import { useCommands, useShortcut } from '../../keyboard/use-shortcut.ts';
import { useRecorded } from '../../stores/recorded.ts';
import { useRole } from '../../stores/role.ts';
import { ReasonButton } from '../../ui/ReasonButton.tsx';
import { StatusBadge } from '../../ui/Badges.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Page, PageHeader } from '../../ui/Page.tsx';
import { SkeletonBlock, SkeletonLines } from '../../ui/Skeletons.tsx';
import { StaleLine } from '../../ui/StaleLine.tsx';
import { useUiSettings } from '../../ui/settings.tsx';
import { formatInstant } from '../../ui/time-text.ts';
import { CompareTab } from './compare/CompareTab.tsx';
import { DataTab, Failure } from './job/DataTab.tsx';
import { GraphTab } from './graph/GraphTab.tsx';
import { HistoryTab } from './job/HistoryTab.tsx';
import { JobFacts } from './job/JobFacts.tsx';
import css from './job/JobPage.module.css';
import { LogsTab } from './job/LogsTab.tsx';
import { MetricsTab } from './job/MetricsTab.tsx';
import { JOB_TABS, type JobSearch, type JobTab } from './job-search.ts';
import { TasksTab } from './tasks/TasksTab.tsx';
import { TimelineTab } from './timeline/TimelineTab.tsx';

const route = getRouteApi('/jobs/$jobId');
const BACK = { to: '/jobs', label: t('Jobs') };
const NAMES: Readonly<Record<JobTab, string>> = {
  graph: t('Graph'),
  tasks: t('Tasks'),
  timeline: t('Timeline'),
  logs: t('Logs'),
  metrics: t('Metrics'),
  data: t('Input/Output'),
  history: t('History'),
  compare: t('Compare'),
};

/** One job: where it stands, what went wrong, and the buttons that mend it. */
export function JobPage(): ReactNode {
  const { jobId } = route.useParams();
  const query = useQuery(jobQuery(jobId));
  if (query.data)
    return (
      <NodeNames workflowId={query.data.workflowId} commit={query.data.commit}>
        <Loaded
          key={jobId}
          job={query.data}
          error={query.error}
          updatedAt={query.dataUpdatedAt}
          onRetry={() => void query.refetch()}
        />
      </NodeNames>
    );
  const missing = query.error instanceof ApiError && query.error.code === 'JOB_NOT_FOUND';
  return (
    <Page fill>
      <PageHeader title={<span className="mono">{jobId}</span>} documentTitle={t('Job')} back={BACK} />
      {missing ? (
        <EmptyState icon={IconStack2} title={t('Job not found')} action={<Link to="/jobs">{t('Go to jobs')}</Link>}>
          {t('The ID may be incomplete or from another cluster, or the job was deleted by retention.')}
        </EmptyState>
      ) : query.error ? (
        <ErrorState what={t('Could not load the job')} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <SkeletonLines lines={2} />
          <SkeletonBlock height={360} />
        </>
      )}
    </Page>
  );
}

function Loaded({
  job,
  error,
  updatedAt,
  onRetry,
}: {
  job: Job;
  error: unknown;
  updatedAt: number;
  onRetry(): void;
}): ReactNode {
  const search: JobSearch = route.useSearch();
  const navigate = route.useNavigate();
  const { role, canOperate, whyOperate } = useRole();
  const recorded = useRecorded();
  const actions = useJobActions();
  const [rerun, setRerun] = useState<{ readonly fromNode?: string } | null>(null);
  const failed = job.taskCounters.failedTasks + job.taskCounters.scheduleTimeout + job.taskCounters.runTimeoutTasks > 0;
  const { data: outcome } = useQuery({ ...jobOutputQuery(job.id), enabled: failed });
  const tab = search.tab ?? 'graph';
  const { zone } = useUiSettings();

  const change = (next: Partial<Record<keyof JobSearch, unknown>>, replace = true) =>
    void navigate({ search: (old) => clean({ ...old, ...next }), replace });
  const chosen = search.from !== undefined && search.to !== undefined ? { from: search.from, to: search.to } : null;
  const choose = (stretch: { readonly from: number; readonly to: number } | null) =>
    change({
      from: stretch ? new Date(stretch.from).toISOString() : undefined,
      to: stretch ? new Date(stretch.to).toISOString() : undefined,
    });
  const tabs = JOB_TABS.filter((one) => one !== 'compare' || !recorded);
  const show = (one: string | null) => change({ tab: one === 'graph' ? undefined : one }, false);
  const openTask = (task: string) => change({ task }, false);
  const may = {
    kill: checkJobAction('kill', job, canOperate, whyOperate),
    retry: checkJobAction('retry', job, canOperate, whyOperate),
  };
  useShortcut('r', t('Retry job'), may.retry.ok && search.task === undefined ? () => actions.ask('retry', job) : null);
  useShortcut('R', t('Rerun…'), whyOperate === undefined && search.task === undefined ? () => setRerun({}) : null);
  useShortcut(
    'delete',
    t('Kill this job'),
    may.kill.ok && search.task === undefined ? () => actions.ask('kill', job) : null,
  );
  useCommands(tabs.map((one) => ({ label: t('Job: {tab}', { tab: NAMES[one] }), run: () => show(one) })));

  return (
    <Page fill>
      <PageHeader
        title={<span className="mono">{job.id}</span>}
        documentTitle={t('Job {value}', { value: job.id.slice(-12) })}
        back={BACK}
        meta={
          <>
            <CopyButton value={job.id} label={t('Copy job ID')} />
            <StatusBadge status={job.status} size="large" />
          </>
        }
        actions={
          <>
            <ActionButton action="retry" may={may.retry} onClick={() => actions.ask('retry', job)} />
            <ReasonButton
              variant="default"
              leftSection={<IconRepeat size={15} aria-hidden />}
              reason={whyOperate ?? null}
              hint={t('Run it again as a new job')}
              onClick={() => setRerun({})}
            >
              {t('Rerun…')}
            </ReasonButton>
            <BundleButton job={job} reason={role === 'viewer' ? null : (whyOperate ?? null)} />
            <ActionButton action="kill" may={may.kill} onClick={() => actions.ask('kill', job)} />
          </>
        }
      />
      {error !== null && <StaleLine error={error} updatedAt={updatedAt} onRetry={onRetry} />}
      <JobFacts job={job} />
      <JobWhy job={job} onTask={openTask} />
      {failed && outcome?.error && <Failure job={job} failure={outcome.error} onTask={openTask} />}
      <Tabs className={css['tabs'] ?? ''} value={tab} onChange={(value) => show(value)} keepMounted={false}>
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {NAMES[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {chosen && (tab === 'logs' || tab === 'metrics') && (
          <Group gap={8} mt={8}>
            <span className="dim numbers">
              {t('Only {from} to {value}, selected on the timeline', {
                from: formatInstant(Date.parse(chosen.from), zone),
                value: formatInstant(Date.parse(chosen.to), zone).slice(11),
              })}
            </span>
            <Button size="compact-xs" variant="light" onClick={() => choose(null)}>
              {t('Show whole job')}
            </Button>
          </Group>
        )}
        <Tabs.Panel value="graph" className={css['panel'] ?? ''}>
          <GraphTab
            job={job}
            stale={error !== null}
            task={search.task}
            node={search.node}
            onTask={openTask}
            onNode={(node) => change({ tab: 'tasks', node, state: undefined, page: undefined }, false)}
          />
        </Tabs.Panel>
        <Tabs.Panel value="tasks" className={css['panel'] ?? ''}>
          <TasksTab job={job} search={search} onChange={(next) => change(next, next.task === undefined)} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline" className={css['panel'] ?? ''}>
          <TimelineTab
            job={job}
            current={search.task}
            chosen={chosen && { from: Date.parse(chosen.from), to: Date.parse(chosen.to) }}
            onTask={openTask}
            onChoose={choose}
          />
        </Tabs.Panel>
        <Tabs.Panel value="logs" className={css['panel'] ?? ''}>
          <LogsTab job={job} chosen={chosen} />
        </Tabs.Panel>
        <Tabs.Panel value="metrics" className={css['panel'] ?? ''} tabIndex={0}>
          <MetricsTab job={job} chosen={chosen} />
        </Tabs.Panel>
        <Tabs.Panel value="data" className={css['panel'] ?? ''}>
          <DataTab job={job} onTask={openTask} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className={css['panel'] ?? ''}>
          <HistoryTab job={job} onTask={openTask} />
        </Tabs.Panel>
        <Tabs.Panel value="compare" className={css['panel'] ?? ''}>
          <CompareTab
            job={job}
            other={search.other}
            onOther={(other) => change({ other })}
            onSwap={(other) =>
              void navigate({ to: '/jobs/$jobId', params: { jobId: other }, search: { tab: 'compare', other: job.id } })
            }
            onTask={openTask}
          />
        </Tabs.Panel>
      </Tabs>
      <TaskPanel
        taskId={search.task}
        jobId={job.id}
        workflowId={job.workflowId}
        onClose={() => change({ task: undefined })}
        onRerun={(fromNode) => setRerun({ fromNode })}
      />
      {rerun !== null && (
        <RerunDialog
          job={job}
          fromNode={rerun.fromNode}
          onClose={() => setRerun(null)}
          onStarted={(jobId) => {
            setRerun(null);
            void navigate({ to: '/jobs/$jobId', params: { jobId }, search: {} });
          }}
        />
      )}
      {actions.dialogs}
    </Page>
  );
}

const clean = (search: object): JobSearch => withoutUndefined(search);
