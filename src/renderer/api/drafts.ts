import type { Accepted } from '../../lib/api-client.ts';
import type { Body } from '../../contract/routes.ts';
import { call } from './client.ts';

export type DraftRunBody = Accepted<Body<'drafts.run'>>;

/** Runs what is not saved; answers after `waitSeconds` at the latest, whether it has ended or not. Numbers stay to the letter. */
export const createDraftRun = (workflowId: string, body: DraftRunBody, signal?: AbortSignal) =>
  call('drafts.run', { params: { id: workflowId }, body, signal, lossless: true });
export const readDraftRun = (workflowId: string, jobId: string, signal?: AbortSignal) =>
  call('drafts.get', { params: { id: workflowId, jobId }, signal, lossless: true });
