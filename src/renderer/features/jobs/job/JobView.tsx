import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../../../contract/jobs.ts';
import { t } from '../../../../lib/language.ts';
import { jobOutputQuery } from '../../../api/jobs.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { checkJobAction } from '../actions/check-job-action.ts';
import { useJobActions } from '../actions/use-job-actions.tsx';
import { TaskPanel } from '../task-panel/TaskPanel.tsx';
import { BundleButton, downloadBundle } from './BundleButton.tsx';
import { SaveAsTest } from './SaveAsTest.tsx';
import { WaitsOfJob } from '../../workflows/WaitsOfJob.tsx';
import { JobWhy } from '../why/JobWhy.tsx';
import { RerunDialog } from '../rerun/RerunDialog.tsx';
import { useCommands, useShortcut } from '../../../keyboard/use-shortcut.ts';
import { useRecorded } from '../../../stores/recorded.ts';
import { whyNot } from '../../../stores/permissions.ts';
import { useReach, useRights, useWhy, useWorkflowPlace } from '../../../stores/role.ts';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { StatusBadge } from '../../../ui/Badges.tsx';
import { badgeStatus } from '../../../ui/status.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Page, PageHeader } from '../../../ui/Page.tsx';
import { SkeletonBlock } from '../../../ui/Skeletons.tsx';
import { StaleBanner } from '../../../ui/StaleBanner.tsx';
import { JobFailureBox } from './DataTab.tsx';
import { JobFacts } from './JobFacts.tsx';
import { JOB_TAB_NAMES, JobTabs } from './JobTabs.tsx';
import { JOB_TABS, type JobSearch, type JobTab } from '../job-view-search.ts';
import type { SearchChange } from '../../../ui/search-params.ts';
import css from './JobPage.module.css';

const route = getRouteApi('/jobs/$jobId');
/** Of a failure with a message of one line: the tabs stay where they are when it comes. */
const FAILURE_HEIGHT = 65;

/** Where the page of a job leads back to. */
export const JOBS_LINK = { to: '/jobs', label: t('Jobs') };

/** One job that is there: its head, its views, and the dialogs that lie over them. */
export function JobView({
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
  const place = useWorkflowPlace(job.workflowId, job.environment);
  const whyOperate = useWhy('jobs.operate', place);
  const rights = useRights();
  const whyNoTest = whyNot(rights, 'workflows.write', place) ?? whyNot(rights, 'payload.read', place);
  const recorded = useRecorded();
  const seesMetrics = useReach('metrics.series');
  const actions = useJobActions();
  const [rerun, setRerun] = useState<{ readonly fromNode?: string | undefined } | null>(
    search.rerun === undefined ? null : { fromNode: search.node },
  );
  const failed = job.taskCounters.failedTasks + job.taskCounters.scheduleTimeout + job.taskCounters.runTimeoutTasks > 0;
  const { data: outcome, isPending: isOutcomeDue } = useQuery({ ...jobOutputQuery(job.id), enabled: failed });

  const change = (next: SearchChange<JobSearch>, replace = true) =>
    void navigate({ search: (old) => withoutUndefined({ ...old, ...next }), replace });
  const tabs = JOB_TABS.filter((one) => (one !== 'compare' || !recorded) && (one !== 'metrics' || seesMetrics));
  const show = (one: JobTab) => change({ tab: one === 'graph' ? undefined : one }, false);
  const openTask = (task: string) => change({ task }, false);
  const can = {
    kill: checkJobAction('kill', job, whyOperate),
    retry: checkJobAction('retry', job, whyOperate),
  };
  useShortcut('r', t('Retry job'), can.retry.ok && search.task === undefined ? () => actions.ask('retry', job) : null);
  useShortcut('R', t('Rerun…'), whyOperate === undefined && search.task === undefined ? () => setRerun({}) : null);
  useShortcut(
    'delete',
    t('Kill this job'),
    can.kill.ok && search.task === undefined ? () => actions.ask('kill', job) : null,
  );
  const whyNoBundle = whyNot(rights, 'payload.read', place);
  useCommands([
    ...(whyNoBundle === null ? [{ label: t('Download incident bundle'), run: () => downloadBundle(job.id) }] : []),
    ...tabs.map((one) => ({ label: t('Job: {tab}', { tab: JOB_TAB_NAMES[one] }), run: () => show(one) })),
  ]);

  return (
    <Page fill>
      <PageHeader
        title={
          <span className={`mono ${css['id']}`} title={job.id}>
            <bdi dir="ltr">{job.id}</bdi>
          </span>
        }
        oneLine
        documentTitle={t('Job {value}', { value: job.id.slice(-12) })}
        back={JOBS_LINK}
        meta={
          <>
            <CopyButton value={job.id} label={t('Copy job ID')} />
            <StatusBadge status={badgeStatus(job)} size="large" />
          </>
        }
        actions={
          <>
            <ActionButton action="retry" may={can.retry} onClick={() => actions.ask('retry', job)} />
            <ReasonButton
              variant="default"
              leftSection={<IconRepeat size={15} aria-hidden />}
              reason={whyOperate ?? null}
              hint={t('Run it again as a new job')}
              onClick={() => setRerun({})}
            >
              {t('Rerun…')}
            </ReasonButton>
            <SaveAsTest job={job} reason={whyNoTest} />
            <BundleButton job={job} reason={whyNoBundle} />
            <ActionButton action="kill" may={can.kill} onClick={() => actions.ask('kill', job)} />
          </>
        }
      />
      {error !== null && <StaleBanner error={error} updatedAt={updatedAt} onRetry={onRetry} />}
      <JobFacts job={job} />
      <JobWhy job={job} onTask={openTask} />
      {job.finishedAt === null && job.taskCounters.runningTasks > 0 && <WaitsOfJob jobId={job.id} onTask={openTask} />}
      {failed && outcome?.error && (
        <JobFailureBox job={job} failure={outcome.error} hasKey={search.task === undefined} onTask={openTask} />
      )}
      {failed && job.finishedAt !== null && isOutcomeDue && <SkeletonBlock height={FAILURE_HEIGHT} />}
      <JobTabs
        job={job}
        stale={error !== null}
        search={search}
        tabs={tabs}
        onChange={change}
        onTask={openTask}
        onCompare={(other) =>
          void navigate({ to: '/jobs/$jobId', params: { jobId: other }, search: { tab: 'compare', other: job.id } })
        }
      />
      <TaskPanel
        taskId={search.task}
        jobId={job.id}
        workflowId={job.workflowId}
        environment={job.environment}
        onClose={() => change({ task: undefined })}
        onRerun={(fromNode) => setRerun({ fromNode })}
      />
      {rerun !== null && (
        <RerunDialog
          job={job}
          fromNode={rerun.fromNode}
          version={search.rerun}
          onClose={() => {
            setRerun(null);
            change({ rerun: undefined });
          }}
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
