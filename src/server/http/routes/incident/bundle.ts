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
