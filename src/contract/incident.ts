/**
 * An incident bundle: one file with all that is known of a run (docs/incident-bundle.md). A tar archive under gzip, so
 * that it is written and read as a stream and opened by common tools. Its parts come in the order of `INCIDENT_PATHS`:
 * the manifest is the first, and `end.json` the last, so that a file that was cut is told.
 */
export const INCIDENT_FORMAT = 'yardmaster-incident';
/** Grows when a reader of the version before would go wrong; parts and members that are new do not make it grow. */
export const INCIDENT_VERSION = 1;
export const INCIDENT_ENDING = '.yardmaster-incident';
export const INCIDENT_TYPE = 'application/gzip';

export interface IncidentManifest {
  format: typeof INCIDENT_FORMAT;
  version: number;
  /** ISO 8601. */
  createdAt: string;
  createdBy: string;
  /** Host by which the master was asked. */
  cluster: string;
  /** Version of the master, and of its Node. */
  master: { version: string; node: string };
  /** The job that was asked for, and all that are in it: it, those above it, those below it. */
  jobId: string;
  jobs: string[];
  /** False: inputs and outputs were left out. */
  payloads: boolean;
}

export interface IncidentEnd {
  parts: number;
  bytes: number;
  tasks: number;
  logLines: number;
  /** What is not in it and why, as sentences. */
  leftOut: string[];
}

const number = (n: number): string => String(n).padStart(9, '0');

/** Names of the parts; those with a number come in several pieces. */
export const INCIDENT_PATHS = {
  manifest: 'manifest.json',
  readme: 'README.txt',
  job: (id: string) => `jobs/${id}/job.json`,
  graph: (id: string) => `jobs/${id}/graph.json`,
  output: (id: string) => `jobs/${id}/output.json`,
  /** Lines `[replica, input]`. */
  inputs: (id: string, piece: number) => `jobs/${id}/inputs/${number(piece)}.ndjson`,
  /** Tasks as the API shows them; a payload over 16 KiB is cut there and stands in a part of its own. */
  tasks: (id: string, piece: number) => `jobs/${id}/tasks/${number(piece)}.ndjson`,
  payload: (id: string, taskId: string, of: 'input' | 'output') => `jobs/${id}/payloads/${taskId}.${of}.json`,
  /** Log records, oldest first. */
  logs: (id: string, piece: number) => `jobs/${id}/logs/${number(piece)}.ndjson`,
  /** What `GET /api/v1/metrics` answered for the job. */
  jobMetrics: (id: string) => `jobs/${id}/metrics.json`,
  workflow: (id: string) => `workflows/${id}/workflow.json`,
  publications: (id: string) => `workflows/${id}/publications.json`,
  commit: (id: string, hash: string) => `workflows/${id}/commits/${hash}.json`,
  /** Lists of what the API shows. */
  workers: 'workers.json',
  failures: 'failures.json',
  /** Processors of the workers over the time of the job: what `GET /api/v1/metrics/series` answered. */
  processors: 'metrics/processors.json',
  /** All other measurements of that time, as `GET /api/v1/metrics` shows them. */
  metrics: (measurement: string) => `metrics/all/${measurement}.json`,
  end: 'end.json',
} as const;
