import type { Job } from '../../../../contract/jobs.ts';
import type { Task } from '../../../../contract/tasks.ts';
import type { TaskState } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** One thing that happened to the job or one of its tasks. */
export interface HistoryRow {
  readonly key: string;
  readonly at: string;
  readonly taskId: string | null;
  readonly node: string | null;
  readonly replica: number | null;
  readonly from: TaskState | null;
  readonly to: TaskState | null;
  readonly attempt: number | null;
  readonly workerId: string | null;
  readonly what: string | null;
}

/** All that happened, newest first; of the same moment, what came later first. */
export function jobHistory(job: Job, tasks: readonly Task[]): HistoryRow[] {
  const rows: HistoryRow[] = [];
  const ofJob = (at: string | null, what: string) => {
    if (at !== null)
      rows.push({
        key: `job ${what}`,
        at,
        taskId: null,
        node: null,
        replica: null,
        from: null,
        to: null,
        attempt: null,
        workerId: null,
        what,
      });
  };
  ofJob(job.createdAt, t('Job created'));
  for (const task of tasks)
    for (const [i, step] of task.history.entries())
      rows.push({
        key: `${task.id} ${i}`,
        at: step.at,
        taskId: task.id,
        node: task.node,
        replica: task.replica,
        from: step.from,
        to: step.to,
        attempt: step.attempt,
        workerId: step.workerId,
        what: step.reason,
      });
  ofJob(job.killedAt, t('Job killed'));
  ofJob(job.retriedAt, t('Job retried manually'));
  ofJob(job.finishedAt, t('Job finished'));
  return rows
    .map((row, index) => ({ row, index, at: Date.parse(row.at) }))
    .sort((a, b) => b.at - a.at || b.index - a.index)
    .map(({ row }) => row);
}
