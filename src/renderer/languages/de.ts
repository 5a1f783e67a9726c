import type { Catalogue } from '../../lib/language.ts';
import { alerts } from './de/alerts.ts';
import { approvals } from './de/approvals.ts';
import { builtIn } from './de/built-in.ts';
import { cluster } from './de/cluster.ts';
import { connections } from './de/connections.ts';
import { dashboard } from './de/dashboard.ts';
import { dashboardEdit } from './de/dashboard-edit.ts';
import { dashboards } from './de/dashboards.ts';
import { errors } from './de/errors.ts';
import { failures } from './de/failures.ts';
import { fleet } from './de/fleet.ts';
import { frame } from './de/frame.ts';
import { graph } from './de/graph.ts';
import { help } from './de/help.ts';
import { incident } from './de/incident.ts';
import { job } from './de/job.ts';
import { jobActions } from './de/job-actions.ts';
import { jobCompare } from './de/job-compare.ts';
import { jobGraph } from './de/job-graph.ts';
import { jobPanel } from './de/job-panel.ts';
import { jobRerun } from './de/job-rerun.ts';
import { jobTasks } from './de/job-tasks.ts';
import { jobTimeline } from './de/job-timeline.ts';
import { jobViews } from './de/job-views.ts';
import { jobWhy } from './de/job-why.ts';
import { jobQuery } from './de/job-query.ts';
import { jobs } from './de/jobs.ts';
import { limits } from './de/limits.ts';
import { logHits } from './de/log-hits.ts';
import { logQuery } from './de/log-query.ts';
import { logView } from './de/log-view.ts';
import { logs } from './de/logs.ts';
import { notFound } from './de/not-found.ts';
import { notices } from './de/notices.ts';
import { openedFiles } from './de/opened-files.ts';
import { operations } from './de/operations.ts';
import { overview } from './de/overview.ts';
import { passkeys } from './de/passkeys.ts';
import { people } from './de/people.ts';
import { projects } from './de/projects.ts';
import { rateLimits } from './de/rate-limits.ts';
import { savedViews } from './de/saved-views.ts';
import { retention } from './de/retention.ts';
import { schedules } from './de/schedules.ts';
import { settingGroups } from './de/setting-groups.ts';
import { settings } from './de/settings.ts';
import { signIn } from './de/sign-in.ts';
import { tour } from './de/tour.ts';
import { ui } from './de/ui.ts';
import { webhooks } from './de/webhooks.ts';
import { workerAlert } from './de/worker-alert.ts';
import { workerWords } from './de/worker-words.ts';
import { workers } from './de/workers.ts';
import { workflow } from './de/workflow.ts';
import { workflowActivity } from './de/workflow-activity.ts';
import { workflowActions } from './de/workflow-actions.ts';
import { workflowCanvas } from './de/workflow-canvas.ts';
import { workflowCreate } from './de/workflow-create.ts';
import { workflowDebug } from './de/workflow-debug.ts';
import { workflowDiff } from './de/workflow-diff.ts';
import { workflowDraftRun } from './de/workflow-draft-run.ts';
import { workflowEditor } from './de/workflow-editor.ts';
import { workflowImport } from './de/workflow-import.ts';
import { workflowInput } from './de/workflow-input.ts';
import { workflowKeys } from './de/workflow-keys.ts';
import { workflowMerge } from './de/workflow-merge.ts';
import { workflowNode } from './de/workflow-node.ts';
import { workflowPublish } from './de/workflow-publish.ts';
import { workflowShadow } from './de/workflow-shadow.ts';
import { workflowTests } from './de/workflow-tests.ts';
import { workflowText } from './de/workflow-text.ts';
import { workflowTry } from './de/workflow-try.ts';
import { workflowVersions } from './de/workflow-versions.ts';
import { workflows } from './de/workflows.ts';

/** German. The words that are kept from English, and the form of address, are in `docs/translating.md`. */
export const de: Catalogue = {
  ...alerts,
  ...builtIn,
  ...cluster,
  ...connections,
  ...dashboard,
  ...dashboardEdit,
  ...dashboards,
  ...errors,
  ...failures,
  ...fleet,
  ...frame,
  ...graph,
  ...help,
  ...incident,
  ...job,
  ...jobActions,
  ...jobCompare,
  ...jobGraph,
  ...jobPanel,
  ...jobRerun,
  ...jobTasks,
  ...jobTimeline,
  ...jobViews,
  ...jobWhy,
  ...jobQuery,
  ...jobs,
  ...limits,
  ...logHits,
  ...logQuery,
  ...logView,
  ...logs,
  ...notFound,
  ...notices,
  ...openedFiles,
  ...approvals,
  ...operations,
  ...overview,
  ...passkeys,
  ...people,
  ...projects,
  ...rateLimits,
  ...savedViews,
  ...retention,
  ...schedules,
  ...settingGroups,
  ...settings,
  ...signIn,
  ...tour,
  ...ui,
  ...webhooks,
  ...workerAlert,
  ...workerWords,
  ...workers,
  ...workflow,
  ...workflowActivity,
  ...workflowActions,
  ...workflowCanvas,
  ...workflowCreate,
  ...workflowDebug,
  ...workflowDiff,
  ...workflowDraftRun,
  ...workflowEditor,
  ...workflowImport,
  ...workflowInput,
  ...workflowKeys,
  ...workflowMerge,
  ...workflowNode,
  ...workflowPublish,
  ...workflowShadow,
  ...workflowTests,
  ...workflowText,
  ...workflowTry,
  ...workflowVersions,
  ...workflows,
};
