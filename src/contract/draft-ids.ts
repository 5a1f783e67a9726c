/**
 * A draft run is a job of a definition that was not saved. It belongs to a shadow of its workflow, whose id no workflow can
 * have: so lists, counts, failures, limits and metrics of the workflow never meet it.
 */

const SUFFIX = '~draft';

/** The id under which draft runs of a workflow are kept. */
export const draftIdForWorkflow = (workflowId: string): string => `${workflowId}${SUFFIX}`;

export const isDraftId = (workflowId: string): boolean => workflowId.endsWith(SUFFIX);

/** The workflow that an id belongs to, whether it is that of its drafts or its own. */
export const workflowIdForDraft = (workflowId: string): string =>
  isDraftId(workflowId) ? workflowId.slice(0, -SUFFIX.length) : workflowId;

/** For SQL: what the ids of drafts look like. */
export const DRAFT_GLOB = `*${SUFFIX}`;
