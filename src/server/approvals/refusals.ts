import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { nextApproval } from '../state-machines/approval.ts';
import type { Doubt } from '../access/port.ts';
import type { ApprovalRow } from './approval-rows.ts';

type Refusal = Extract<ReturnType<typeof nextApproval>, { refusal: unknown }>['refusal'];

/** Why a request stays as it is, in words. */
export function refusal(code: Refusal | Doubt, row: ApprovalRow): Fault {
  switch (code) {
    case 'ALREADY_DECIDED':
      return new Fault(
        code,
        `approval request ${row.id} is already ${row.status}, by ${row.decided_by ?? 'nobody'}: it cannot be decided again`,
        { extra: { decision: row.status, decidedBy: row.decided_by } },
      );
    case 'APPROVAL_EXPIRED':
      return new Fault(code, `approval request ${row.id} expired at ${iso(row.expires_at)}: ask for it again`);
    case 'SECOND_PERSON_NEEDED':
      return new Fault(
        code,
        `${row.requested_by} asked for this, so another person must decide; you can withdraw your own request`,
      );
    case 'newer':
      return new Fault(
        'SECOND_PERSON_NEEDED',
        `your account, or what lets you decide, is newer than request ${row.id}: it has to be asked for again, or somebody else decides`,
      );
    case 'made':
      return new Fault(
        'SECOND_PERSON_NEEDED',
        `${row.requested_by} asked for this, and lately made your account or gave you a password or role: somebody else must decide`,
      );
    case 'FORBIDDEN':
      return new Fault(code, `only ${row.requested_by}, who asked for it, can withdraw the request; you can reject it`);
  }
}
