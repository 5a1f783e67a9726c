import { Fault, invalidAt } from '../../../lib/fault.ts';
import type { Runnable } from '../../workflows/port.ts';
import type { Versions, Origin } from './port.ts';

/**
 * The version that a job is run again on: `wanted` is a hash (or the beginning of one), 'published' for what the job's
 * environment points to now, or null for its own. Where there is none, why not: `reason` is a code for many jobs,
 * `fault` what the caller of one is told.
 */
export function rerunVersion(
  versions: Versions,
  job: Origin,
  wanted: string | null,
): { runnable: Runnable } | { reason: string; fault: Fault } {
  const { id, workflowId, environment, commit, kind } = job;
  if (kind === 'draft' && wanted === null)
    return {
      reason: 'DRAFT',
      fault: invalid(`job ${id} ran an unsaved draft: run the draft again, or give a commit`),
    };
  if (wanted !== 'published') return known(versions, job, wanted ?? commit);
  if (environment === null)
    return { reason: 'NO_ENVIRONMENT', fault: invalid(`job ${id} has no environment: give a commit`) };
  const endpoint = versions.endpoint(workflowId, environment);
  if (endpoint.found === 'published') return { runnable: endpoint.runnable };
  const fault =
    endpoint.found === 'workflow-unknown'
      ? new Fault('WORKFLOW_NOT_FOUND', `workflow ${workflowId} is archived: give a commit, or exclude the workflow`)
      : new Fault(
          'NOT_PUBLISHED',
          `workflow ${workflowId} is not published to ${environment}: publish a version, or give a commit`,
        );
  return { reason: fault.code, fault };
}

function known(
  versions: Versions,
  { workflowId, environment }: Pick<Origin, 'workflowId' | 'environment'>,
  hash: string,
): ReturnType<typeof rerunVersion> {
  try {
    const runnable = versions.runnable(workflowId, hash);
    const fault = environment && versions.neverApproved?.(workflowId, environment, runnable.commit);
    return fault ? { reason: fault.code, fault } : { runnable };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { reason: error.code, fault: error };
  }
}

const invalid = (message: string): Fault => invalidAt('/commit', message);
