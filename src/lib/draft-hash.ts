import { createHash } from 'node:crypto';

/** What is run without being saved lies beside the saved definitions, under a key that no blob has. */
export const DRAFT_PREFIX = 'draft:';

/** By what the text of a draft is known; `workflowId`: under which its jobs run. */
export const draftHash = (workflowId: string, text: string): string =>
  createHash('sha1').update(`${workflowId}\0`).update(text).digest('hex');
