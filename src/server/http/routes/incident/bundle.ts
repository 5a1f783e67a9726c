import type { Job } from '../../../../contract/jobs.ts';
import { Fault } from '../../../../lib/fault.ts';
import type { Json } from '../../core/response-redaction.ts';
import type { Services } from '../../core/services.ts';
import type { RedactText } from './redact-bundle.ts';

export type IncidentServices = Pick<
  Services,
  | 'jobs'
  | 'workflows'
  | 'workers'
  | 'logs'
  | 'metrics'
  | 'limits'
  | 'clock'
  | 'secrets'
  | 'settings'
  | 'redactionThread'
>;

export interface IncidentRequest {
  readonly job: Job;
  /** False: inputs and outputs are left out. */
  readonly payloads: boolean;
  readonly cluster: string;
  readonly actor: string;
  /** False for a job that whoever asks may not take away: related ones may be of other projects. */
  readonly shows: (jobId: string) => Promise<boolean>;
  readonly sees: Sees;
}

/** What of that which stands around the jobs whoever asks may see. */
export interface Sees {
  /** Workers, and metrics of whatever there is, belong to no project. */
  readonly workers: boolean;
  readonly metrics: boolean;
  versions(workflowId: string): boolean;
  /** What failed jobs were given, value by value. */
  inputs(workflowId: string): boolean;
  /** Without the task of another project that called it. */
  job(job: Job): Promise<Job>;
  /** JSON lines of tasks without the jobs of other projects that they called. */
  tasks(lines: string): Promise<string>;
}

export interface BundleFile {
  readonly name: string;
  readonly json: Json;
}

/** What the bundle of one bundle keeps count of. */
export interface IncidentBundle {
  readonly services: IncidentServices;
  readonly request: IncidentRequest;
  readonly redact: RedactText;
  readonly signal: AbortSignal;
  tasksLeft: number;
  linesLeft: number;
  readonly workers: Set<string>;
  readonly groups: Set<string>;
  /** Sentences, each once. */
  readonly leftOut: Set<string>;
}

/** What is no more there, or not known, is left out; a fault of the master itself ends the bundle. */
export async function readOrDefault<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (
      error instanceof Fault &&
      (error.code.endsWith('_NOT_FOUND') || error.code === 'VALIDATION_FAILED' || error.code.startsWith('METRICS_'))
    )
      return otherwise;
    throw error;
  }
}
