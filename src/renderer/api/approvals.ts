import type { Body } from '../../contract/routes.ts';
import type { ApprovalStatus } from '../../contract/vocabulary.ts';
import { call } from './client.ts';
import type { Paging } from './paging.ts';
import { read, readList } from './read.ts';

export const approvalKeys = { all: ['approvals'] as const };

export const approvalsQuery = (params: Paging & { status?: ApprovalStatus | undefined }) =>
  readList(['approvals', 'list', params], 'approvals.list', { query: params });
/** How many are open: for the frame. */
export const openApprovalsQuery = () => approvalsQuery({ page: 0, size: 1, status: 'open' });
export const approvalQuery = (id: string) => read(['approvals', 'one', id], 'approvals.get', { params: { id } });
export const approvalJobsQuery = (id: string, params: Paging) =>
  readList(['approvals', 'jobs', id, params], 'approvals.jobs', { params: { id }, query: params });

/** Throws `ApiError` ENVIRONMENT_MOVED with `problem.current`, ALREADY_DECIDED, SECOND_PERSON_NEEDED. */
export const decideApproval = (id: string, body: Body<'approvals.decide'>) =>
  call('approvals.decide', { params: { id }, body });
export const withdrawApproval = (id: string) => call('approvals.withdraw', { params: { id } });
