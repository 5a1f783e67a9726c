import type { DraftRun } from '../../contract/drafts.ts';
import { request } from './client.ts';

export interface DraftRunBody {
  readonly definition: unknown;
  readonly inputs: readonly unknown[];
  readonly upTo?: string;
  readonly effects?: 'standIn' | 'run';
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly waitSeconds?: number;
}

const base = (workflowId: string) => `/api/v1/workflows/${encodeURIComponent(workflowId)}/draft-runs`;

/** Runs what is not saved; answers after `waitSeconds` at the latest, whether it has ended or not. Numbers stay to the letter. */
export const createDraftRun = (workflowId: string, body: DraftRunBody, signal?: AbortSignal) =>
  request<DraftRun>(base(workflowId), { method: 'POST', body, signal, lossless: true });
export const readDraftRun = (workflowId: string, jobId: string, signal?: AbortSignal) =>
  request<DraftRun>(`${base(workflowId)}/${encodeURIComponent(jobId)}`, { signal, lossless: true });
