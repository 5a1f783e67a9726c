import type { Approval, PublishSubject, WaitSubject } from '../../contract/approvals.ts';
import type { Page } from '../../contract/shapes.ts';
import type { ApprovalKind, ApprovalStatus, Environment } from '../../contract/vocabulary.ts';
import type { Actor } from '../workflows/port.ts';
import type { BulkRequest, SnapshotTarget, Target } from '../jobs/port.ts';
import type { Principal } from '../state-machines/approval.ts';

/** Who asks or decides. */
export interface Person {
  readonly principal: Principal;
  readonly actor: Actor;
}

export interface Decision {
  readonly decision: 'approve' | 'reject';
  readonly comment: string | null;
  /** The version that is published now, where it is another one than at the time of the request. */
  readonly expected?: string | null;
  /** Without a second person. */
  readonly override: boolean;
}

/** What a second person has to agree to: requests, and what becomes of them. They outlive a restart of the master. */
export interface Approvals {
  isProtected(environment: Environment): boolean;
  /** True where a bulk operation over so many jobs needs a second person. */
  isLarge(total: number): boolean;
  /** Asks for a publication; with `hash` null for its end. Throws what publishing would throw, and TOO_MANY_APPROVALS. */
  requestPublish(
    wanted: Omit<PublishSubject, 'current'> & { readonly expected?: string | null | undefined },
    by: Person,
  ): Promise<Approval>;
  /** Asks for a bulk operation where it needs a second person; else the request with its jobs fixed, which may start at once. */
  requestBulk(
    request: BulkRequest<Target | SnapshotTarget>,
    by: Person,
  ): Promise<{ readonly approval: Approval } | { readonly request: BulkRequest<Target | SnapshotTarget> }>;
  /** Asks for a change of settings that weakens what a second person protects; whoever has the machine makes it at once, which is noted as done alone. */
  requestSettings(changes: Readonly<Record<string, unknown>>, by: Person): Promise<Approval>;
  /** What jobs wait for, the oldest first. */
  waiting(most: number): readonly {
    readonly id: string;
    readonly wait: WaitSubject;
    /** Unix ms. */
    readonly since: number;
    /** The time of its reminder has come. */
    readonly reminded: boolean;
  }[];
  /** How many were approved alone since then (unix ms), and how many nobody decided in time. */
  watched(since: number): readonly { readonly reason: 'alone' | 'expired'; readonly count: number }[];
  /** Of what the reader may see: publications of these workflows (null: of all), and bulk operations. */
  list(
    query: { page: number; size: number; status?: ApprovalStatus; kind?: ApprovalKind },
    seen: { readonly workflows: readonly string[] | null; readonly bulk: boolean },
  ): Page<Approval>;
  /** Throws APPROVAL_NOT_FOUND. */
  get(id: string): Approval;
  /** True where that person asked for it. */
  isOf(id: string, person: Principal): boolean;
  jobs(id: string, query: { page: number; size: number }): Page<{ jobId: string }>;
  /** Does what was asked for in the transaction of the approval, or ends the request. */
  decide(id: string, decision: Decision, by: Person): Promise<Approval>;
  withdraw(id: string, by: Person): Promise<Approval>;
  close(): Promise<void>;
}
