import type { WorkflowActivity } from '../../../../contract/workflow-activity.ts';
import { type BadgeStatus, badgeStatus } from '../../../ui/status.ts';

/** What the list of workflows says of a workflow's latest job: the same as the list of jobs. */
export function lastJobStatus(job: NonNullable<WorkflowActivity['lastJob']>): BadgeStatus {
  const { status, displayStatus, finishedAt, killedAt, taskCounters } = job;
  if (finishedAt === undefined || killedAt === undefined || taskCounters === undefined) return displayStatus;
  return badgeStatus({ status, finishedAt, killedAt, taskCounters });
}
