import type { Body } from '../../contract/routes.ts';
import { call } from './client.ts';
import { readList } from './read.ts';

/** Waits that are named; `totalItems` counts all. */
const NAMED = 3;

/** What tasks of a job wait for now, the first of them. */
export const waitsQuery = (jobId: string) =>
  readList(['waits', 'of-job', jobId], 'waits.list', { query: { jobId, page: 0, size: NAMED } });

/** `payload`: JSON text. Throws `ApiError` JOB_FINISHED, TOO_MANY_SIGNALS, BODY_TOO_LARGE. */
export const sendSignal = (jobId: string, name: string, replica: number, payload: string) =>
  call('jobs.signal', { params: { jobId, name }, query: { replica }, json: payload });

/** Throws `ApiError` JOB_FINISHED. */
export const createSignalLink = (jobId: string, name: string, body: Body<'jobs.signalLink'>) =>
  call('jobs.signalLink', { params: { jobId, name }, body });
/** Throws `ApiError` ALREADY_DECIDED. */
export const createApprovalLink = (id: string, body: Body<'approvals.link'>) =>
  call('approvals.link', { params: { id }, body });
