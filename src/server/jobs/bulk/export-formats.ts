import type { Job } from '../../../contract/jobs.ts';
import { csvField } from '../../../lib/csv.ts';
import type { ExportFormat } from './port.ts';

/** Text before the first job, of some jobs, and after the last. */
export interface Format {
  readonly head: string;
  jobs(jobs: readonly Job[], first: boolean): string;
  readonly tail: string;
}

/** The columns of the CSV, in this order for good; new ones come at the end. */
export const CSV_COLUMNS = [
  'id',
  'externalId',
  'status',
  'workflowId',
  'environment',
  'commit',
  'kind',
  'readyTasks',
  'scheduledTasks',
  'runningTasks',
  'completedTasks',
  'failedTasks',
  'scheduleTimeout',
  'runTimeoutTasks',
  'replicaRunTimeoutSeconds',
  'inputCount',
  'createdAt',
  'updatedAt',
  'finishedAt',
  'killedAt',
  'durationMs',
  'rerunOf',
  'parentTaskId',
  'labels',
  'retriedAt',
  'triggerKind',
  'triggerId',
  'triggerDueAt',
] as const;

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  csv: { head: `${CSV_COLUMNS.join(',')}\r\n`, jobs: (jobs) => jobs.map(csvLine).join(''), tail: '' },
  json: {
    head: '[',
    jobs: (jobs, first) => jobs.map((job, i) => `${first && i === 0 ? '' : ','}\n${JSON.stringify(job)}`).join(''),
    tail: '\n]\n',
  },
  ndjson: { head: '', jobs: (jobs) => jobs.map((job) => `${JSON.stringify(job)}\n`).join(''), tail: '' },
};

function csvLine(job: Job): string {
  const { taskCounters, labels, trigger, ...rest } = job;
  const values: Readonly<Record<string, unknown>> = {
    ...rest,
    ...taskCounters,
    triggerKind: trigger.kind,
    triggerId: trigger.id ?? null,
    triggerDueAt: trigger.dueAt ?? null,
    labels: Object.keys(labels).length === 0 ? null : JSON.stringify(labels),
  };
  return `${CSV_COLUMNS.map((column) => csvField(values[column])).join(',')}\r\n`;
}
