import { APPROVAL_STATUSES, type ApprovalStatus } from '../../../contract/vocabulary.ts';
import { pageIn, sizeIn, textIn, wordIn } from '../../ui/search-params.ts';

/** View state of the inbox. Without a status: open requests. `approval` opens its drawer. */
export interface ApprovalsSearch {
  page?: number;
  size?: number;
  status?: ApprovalStatus;
  approval?: string;
}

export const parseApprovalsSearch = (input: Record<string, unknown>): ApprovalsSearch => ({
  ...pageIn(input),
  ...sizeIn(input),
  ...wordIn(input, 'status', APPROVAL_STATUSES),
  ...textIn(input, 'approval'),
});
