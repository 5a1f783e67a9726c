import type { Environment, JobKind } from '../../../contract/vocabulary.ts';
import type { Fault } from '../../../lib/fault.ts';
import type { Endpoint, Runnable } from '../../workflows/port.ts';

/** What there is to run: commits, and what environments point to. */
export interface Versions {
  runnable(workflowId: string, hashOrPrefix: string): Runnable;
  endpoint(workflowId: string, environment: Environment): Endpoint;
  /** Why a version may not run in an environment; null: it may. Default: all may. */
  neverApproved?(workflowId: string, environment: Environment, hash: string): Fault | null;
}

/** What of a job decides on which version it may be run again. */
export interface Origin {
  readonly id: string;
  readonly workflowId: string;
  readonly environment: Environment | null;
  readonly commit: string;
  readonly kind: JobKind;
}
