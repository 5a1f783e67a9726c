import type { ErrorCode } from '../../contract/errors.ts';
import type { ApprovalStatus } from '../../contract/vocabulary.ts';

/** Who asks or decides, as one person is told from another. */
export interface Principal {
  /** The person, or the token; whoever comes with the same is the same. */
  readonly id: string;
  /** Their name in the audit log. */
  readonly name: string;
  /** Who made the token they come with; null: it belongs to a person, or nobody made it. */
  readonly madeBy: string | null;
  /** A service account: many may hold its tokens. */
  readonly isProgram?: boolean;
}

export interface ApprovalFacts {
  readonly status: ApprovalStatus;
  readonly requester: Principal;
  /** Unix ms. */
  readonly expiresAt: number;
}

export type ApprovalEvent =
  | {
      readonly on: 'approve';
      readonly by: Principal;
      /** Without a second person, where that is allowed. */ readonly alone: boolean;
    }
  | { readonly on: 'reject' | 'withdraw'; readonly by: Principal }
  | { readonly on: 'expire' };

type Refusal = Extract<ErrorCode, 'ALREADY_DECIDED' | 'APPROVAL_EXPIRED' | 'SECOND_PERSON_NEEDED' | 'FORBIDDEN'>;

/**
 * True where the two count as one person: the same person or token, a token of the same name, or a token that the other
 * made. Who made a token for somebody else is not that somebody: an admin may decide what their colleagues ask for.
 */
export const isSamePerson = (requester: Principal, other: Principal): boolean =>
  requester.id === other.id ||
  (!isPerson(requester) && !isPerson(other) && requester.name === other.name) ||
  other.madeBy === requester.name;

const isPerson = ({ id }: Principal): boolean => id.startsWith('user:');

/** What becomes of a request, or why nothing does. Every end is for good. */
export function nextApproval(
  { status, requester, expiresAt }: ApprovalFacts,
  event: ApprovalEvent,
  now: number,
): { readonly status: Exclude<ApprovalStatus, 'open'> } | { readonly refusal: Refusal } {
  if (status !== 'open') return { refusal: 'ALREADY_DECIDED' };
  if (event.on === 'expire') return now >= expiresAt ? { status: 'expired' } : { refusal: 'FORBIDDEN' };
  if (now >= expiresAt) return { refusal: 'APPROVAL_EXPIRED' };
  const same = isSamePerson(requester, event.by);
  switch (event.on) {
    case 'approve':
      return same && !event.alone ? { refusal: 'SECOND_PERSON_NEEDED' } : { status: 'approved' };
    case 'reject':
      return same ? { refusal: 'SECOND_PERSON_NEEDED' } : { status: 'rejected' };
    case 'withdraw':
      return same ? { status: 'withdrawn' } : { refusal: 'FORBIDDEN' };
  }
}
