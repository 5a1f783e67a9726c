import type { Environment, FailureStatus } from '../../../contract/vocabulary.ts';

/** A task that has finally failed. */
export interface FinalFailure {
  readonly taskId: string;
  readonly node: string;
  readonly code: string;
  readonly message: string;
  readonly workerId: string | null;
  readonly at: number;
  readonly job: {
    readonly seq: number;
    readonly id: string;
    readonly environment: string | null;
    readonly plan: { readonly workflowId: string; readonly commit: string };
  };
}

export interface FailureQuery {
  page: number;
  size: number;
  sort?: string;
  status?: FailureStatus[];
  workflowId?: string;
  /** Only those of these workflows. */
  within?: readonly string[];
  environment?: Environment;
  node?: string;
  code?: string;
  q?: string;
}

export type Decision = keyof typeof DECISIONS;

export const DECISIONS = { resolve: 'RESOLVED', ignore: 'IGNORED', reopen: 'OPEN' } as const satisfies Record<
  string,
  FailureStatus
>;
