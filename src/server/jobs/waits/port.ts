import type { Link, Wait } from '../../../contract/waits.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { ApprovalStatus, WaitKind } from '../../../contract/vocabulary.ts';
import type { AuditNote } from '../../access/port.ts';

/** Who sends a signal or decides: a name for people, and how it is recorded. */
export interface Sender {
  readonly name: string;
  readonly audit?: AuditNote;
}

export interface Signal {
  readonly jobId: string;
  readonly name: string;
  /** Null: the first task of the job that waits for it. */
  readonly replica: number | null;
  /** JSON text. */
  readonly payload: string;
  /** Sent again with the same one, it is one signal. */
  readonly key: string | null;
}

export interface WaitDecision {
  readonly decision: 'approve' | 'reject';
  readonly comment: string | null;
  /** JSON text of what was filled in; null: there is no form. */
  readonly form: string | null;
}

export interface WaitQuery {
  readonly page: number;
  readonly size: number;
  readonly for?: readonly WaitKind[];
  readonly jobId?: string;
  readonly workflowId?: string;
}

/** What a one-time link is for. */
export type LinkPurpose =
  | { readonly kind: 'approval'; readonly approvalId: string }
  | { readonly kind: 'signal'; readonly jobId: string; readonly name: string; readonly replica: number | null };

export interface OpenedLink {
  readonly purpose: LinkPurpose;
  /** Whom it was made for. */
  readonly for: string;
  /** Of this link alone. */
  readonly nonce: string;
}

/** Tasks that wait for a time, a signal or an approval. */
export interface Waits {
  /** Of these workflows alone; null: of all. */
  list(query: WaitQuery, within: readonly string[] | null): Page<Wait>;
  /** Throws JOB_NOT_FOUND, JOB_FINISHED, TOO_MANY_SIGNALS. `repeated`: its key was used before. */
  signal(signal: Signal, by: Sender): Promise<{ readonly delivered: boolean; readonly repeated: boolean }>;
  /** Decides an approval of kind `wait` and lets its task go on, in one transaction. Throws APPROVAL_NOT_FOUND, ALREADY_DECIDED. */
  decide(approvalId: string, decision: WaitDecision, by: Sender): Promise<ApprovalStatus>;
  /** Tasks that wait now, of all kinds. */
  count(): number;
  readonly links: {
    /** `path` is to be put after the address of the console. */
    make(purpose: LinkPurpose, to: string, expiresAt: number): Promise<{ path: string; expiresAt: Link['expiresAt'] }>;
    /** Throws LINK_INVALID. Whether it was used, whoever answers finds out. */
    open(token: string): Promise<OpenedLink>;
  };
}
