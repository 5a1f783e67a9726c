import type { Approval, BulkSubject, PublishSubject, SettingsSubject } from '../../contract/approvals.ts';
import type { Limits } from '../../contract/limits.ts';
import type { OtherSettings } from '../../contract/settings.ts';
import { every, type Clock } from '../../lib/clock.ts';
import { Fault, invalidAt } from '../../lib/fault.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import type { Access } from '../access/port.ts';
import type { Feed } from '../feed/port.ts';
import type { BulkPurpose, Operations } from '../jobs/port.ts';
import { isSamePerson, nextApproval, type ApprovalEvent } from '../state-machines/approval.ts';
import type { Settings } from '../settings/port.ts';
import type { Store, WriteHandle } from '../store/port.ts';
import { putRow, readPage } from '../store/rows.ts';
import type { Actor, Workflows } from '../workflows/port.ts';
import {
  APPROVAL_BY_ID,
  approvalView,
  COUNT_OPEN,
  DELETE_OLD,
  END,
  ENDED_BADLY,
  factsOf,
  INSERTED,
  OVERDUE,
  WAITING,
  waitOf,
  type ApprovalRow,
} from './approval-rows.ts';
import { createApply } from './apply-approved.ts';
import type { Approvals, Person } from './port.ts';
import { refusal } from './refusals.ts';

export interface ApprovalsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits: Readonly<
    Pick<Limits, 'approvalSeconds' | 'approvalsOpen' | 'approvalRetentionDays' | 'approverSettleHours'>
  >;
  readonly settings: Readonly<Pick<OtherSettings, 'protectedEnvironments' | 'bulkApprovalOver' | 'approvalOverride'>>;
  readonly overrides: Pick<Settings, 'patch' | 'inForce'>;
  readonly feed: Pick<Feed, 'publish'>;
  readonly access: Pick<Access, 'doubtAbout'>;
  readonly audit: Pick<Access['audit'], 'record'>;
  readonly workflows: Pick<Workflows, 'publish' | 'unpublish' | 'runnable' | 'environments'>;
  readonly operations: Operations;
  onError(error: unknown): void;
}

const LOOK_MS = 15_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MASTER: Actor = { name: 'master', role: null, address: null };

export function createApprovals({
  store,
  clock,
  limits,
  settings,
  overrides,
  feed,
  access,
  audit,
  workflows,
  operations,
  onError,
}: ApprovalsDeps): Approvals {
  const { read } = store;
  const isLarge = (total: number): boolean => settings.bulkApprovalOver !== null && total > settings.bulkApprovalOver;

  function rowOf(id: string, from: Pick<WriteHandle, 'query'> = read): ApprovalRow {
    const row = from.query<ApprovalRow>(APPROVAL_BY_ID).get(id);
    if (!row) throw new Fault('APPROVAL_NOT_FOUND', `approval request ${id} not found`);
    return row;
  }

  function requestBy({ principal, actor }: Person) {
    const now = clock.now();
    return {
      id: uuidv7(now),
      requested_by: actor.name,
      requester: JSON.stringify(principal),
      requested_at: now,
      expires_at: now + limits.approvalSeconds * 1000,
    };
  }

  /** Writes the request with what it keeps, audited. */
  async function ask(
    asked: Pick<ApprovalRow, 'kind' | 'workflow_id' | 'subject' | 'request' | 'snapshot'>,
    { principal, actor }: Person,
  ): Promise<Approval> {
    const row: ApprovalRow = { ...INSERTED, ...asked, ...requestBy({ principal, actor }), status: 'open' };
    const refused = await store.write((db) => {
      const open = db.query<{ n: number }>(COUNT_OPEN).get()?.n ?? 0;
      if (open >= limits.approvalsOpen)
        return new Fault(
          'TOO_MANY_APPROVALS',
          `${open} approval requests are already open: decide or withdraw some, or raise the limit approvalsOpen`,
        );
      putRow(db, 'approval', { ...row });
      if (row.snapshot !== null) operations.holdSnapshot(db, row.snapshot, row.expires_at);
      audit.record(db, actor, {
        action: 'approval.request',
        target: `approval:${row.id}`,
        before: null,
        after: { kind: row.kind, ...(JSON.parse(row.subject) as object) },
      });
      return null;
    });
    if (refused) throw refused;
    feed.publish('approval', row.id);
    return approvalView(row);
  }

  /** Ends a request inside a transaction: a second end of the same one is refused there. `operationId`: what was begun. */
  function end(
    db: WriteHandle,
    id: string,
    event: ApprovalEvent,
    by: { actor: Actor; comment: string | null; alone: boolean; operationId?: string },
  ): Fault | null {
    const row = rowOf(id, db);
    const now = clock.now();
    const facts = factsOf(row);
    const next = nextApproval(facts, event, now);
    if ('refusal' in next) return refusal(next.refusal, row);
    if (event.on === 'approve' && event.alone && !settings.approvalOverride) return notAlone();
    const doubt =
      event.on === 'approve' && !event.alone
        ? access.doubtAbout(db, event.by, {
            requester: facts.requester,
            requestedAt: row.requested_at,
            settleMs: limits.approverSettleHours * HOUR_MS,
          })
        : null;
    if (doubt) return refusal(doubt, row);
    const operationId = by.operationId ?? null;
    db.statement(END).run(next.status, by.actor.name, now, by.comment, Number(by.alone), operationId, id);
    if (row.snapshot !== null) operations.holdSnapshot(db, row.snapshot, null);
    audit.record(db, by.actor, {
      action: `approval.${event.on}`,
      target: `approval:${id}`,
      before: { status: row.status, requestedBy: row.requested_by },
      after: {
        status: next.status,
        requestedBy: row.requested_by,
        decidedBy: by.actor.name,
        comment: by.comment,
        ...(by.alone ? { override: true } : {}),
        ...(operationId === null ? {} : { operationId }),
        kind: row.kind,
        ...(JSON.parse(row.subject) as object),
      },
    });
    return null;
  }

  async function endAlone(id: string, event: ApprovalEvent, actor: Actor, comment: string | null): Promise<Approval> {
    const refused = await store.write((db) => end(db, id, event, { actor, comment, alone: false }));
    if (refused) throw refused;
    feed.publish('approval', id);
    return approvalView(rowOf(id));
  }

  async function currentVersion(workflowId: string, environment: string): Promise<string | null> {
    const pointers = await workflows.environments(workflowId);
    return pointers.find((one) => one.environment === environment)?.hash ?? null;
  }

  const apply = createApply({ overrides, workflows, operations, audit });

  const approvals: Approvals = {
    isProtected: (environment) => settings.protectedEnvironments[environment] !== undefined,
    isLarge,

    async requestPublish({ workflowId, environment, hash: wanted, description, expected }, by) {
      const hash = wanted === null ? null : workflows.runnable(workflowId, wanted).commit;
      const current = await currentVersion(workflowId, environment);
      if (hash === null && current === null)
        throw new Fault('NOT_PUBLISHED', `workflow ${workflowId} is not published to ${environment}`);
      if (expected !== undefined && expected !== current) throw moved(environment, expected, current);
      const subject: PublishSubject = { workflowId, environment, hash, current, description };
      return ask(
        { kind: 'publish', workflow_id: workflowId, subject: JSON.stringify(subject), request: null, snapshot: null },
        by,
      );
    },

    async requestBulk(request, by) {
      if (settings.bulkApprovalOver === null) return { request };
      const { target, ...purpose } = request;
      if ('ids' in target && !isLarge(target.ids.length)) return { request };
      // Whatever is decided, it is about these jobs and no others.
      const snapshot =
        'snapshot' in target ? target.snapshot : (await operations.dryRun({ target, ...purpose })).snapshot;
      const { total, filter } = operations.snapshotTotal(snapshot);
      if (!isLarge(total)) return { request: { target: { snapshot }, ...purpose } };
      const subject: BulkSubject = { action: purpose.kind, total, filter, options: optionsOf(purpose) };
      return {
        approval: await ask(
          {
            kind: 'bulk',
            workflow_id: null,
            subject: JSON.stringify(subject),
            request: JSON.stringify(purpose),
            snapshot,
          },
          by,
        ),
      };
    },

    async requestSettings(changes, by) {
      const subject: SettingsSubject = { changes: { ...changes }, current: overrides.inForce(Object.keys(changes)) };
      const asked = { kind: 'settings', workflow_id: null, request: null, snapshot: null } as const;
      if (by.principal.id !== 'local') return ask({ ...asked, subject: JSON.stringify(subject) }, by);
      const row: ApprovalRow = {
        ...requestBy(by),
        ...{ ...asked, subject: JSON.stringify(subject), status: 'approved', override: 1 },
        ...{ decided_by: by.actor.name, decided_at: clock.now(), comment: null, operation_id: null },
        ...{ task: null, remind_at: null },
      };
      await overrides.patch(subject.changes, by.actor, (db) => {
        putRow(db, 'approval', { ...row });
        audit.record(db, by.actor, {
          action: 'approval.approve',
          target: `approval:${row.id}`,
          before: null,
          after: {
            status: row.status,
            requestedBy: row.requested_by,
            decidedBy: row.decided_by,
            override: true,
            kind: row.kind,
            ...subject,
          },
        });
        return null;
      });
      feed.publish('approval', row.id);
      return approvalView(row);
    },
    waiting: (most) =>
      read
        .query<ApprovalRow>(WAITING)
        .all(most)
        .flatMap((row) => {
          const wait = waitOf(row);
          return wait === null
            ? []
            : [{ id: row.id, wait, since: row.requested_at, reminded: (row.remind_at ?? Infinity) <= clock.now() }];
        }),
    watched: (since) => read.query<{ reason: 'alone' | 'expired'; count: number }>(ENDED_BADLY).all(since),

    list({ status, kind, ...wanted }, seen) {
      const given = Object.entries({ status, kind }).flatMap(([column, value]) =>
        value === undefined ? [] : [{ column, value }],
      );
      const within =
        seen.workflows === null ? 'workflow_id IS NOT NULL' : 'workflow_id IN (SELECT value FROM json_each(?))';
      return readPage<ApprovalRow, Approval>(
        read,
        {
          from: `approval WHERE ${[...given.map(({ column }) => `${column} = ?`), `(${within} OR (? AND workflow_id IS NULL))`].join(' AND ')}`,
          order: 'id DESC',
          values: [
            ...given.map(({ value }) => value),
            ...(seen.workflows === null ? [] : [JSON.stringify(seen.workflows)]),
            Number(seen.bulk),
          ],
        },
        wanted,
        approvalView,
      );
    },
    get: (id) => approvalView(rowOf(id)),
    isOf: (id, person) => isSamePerson(factsOf(rowOf(id)).requester, person),
    jobs(id, wanted) {
      const { snapshot, status } = rowOf(id);
      if (snapshot === null || status !== 'open') return { items: [], ...wanted, totalItems: 0, totalPages: 0 };
      return operations.snapshotJobs(snapshot, wanted);
    },

    async decide(id, { decision, comment, expected, override }, { principal, actor }) {
      const row = rowOf(id);
      if (row.kind === 'wait') throw new Error('approvals of waits are decided by the jobs');
      if (principal.isProgram === true)
        throw new Fault('SECOND_PERSON_NEEDED', `${principal.name} is a service account: a person must decide`);
      if (decision === 'reject') return endAlone(id, { on: 'reject', by: principal }, actor, comment);
      if (override) {
        if (!settings.approvalOverride) throw notAlone();
        if ((comment ?? '').trim() === '')
          throw invalidAt('/comment', 'approving alone needs a reason: send it as comment');
      }
      const event: ApprovalEvent = { on: 'approve', by: principal, alone: override };
      const decided = { actor, comment, alone: override };
      // What would be refused in the end is refused before anything is prepared; the transaction looks again.
      const next = nextApproval(factsOf(row), event, clock.now());
      if ('refusal' in next) throw refusal(next.refusal, row);
      await apply(row, {
        expected,
        approvedBy: actor.name,
        end: (db, operationId) => end(db, id, event, { ...decided, ...(operationId !== undefined && { operationId }) }),
      });
      feed.publish('approval', id);
      return approvalView(rowOf(id));
    },

    withdraw: (id, { principal, actor }) => endAlone(id, { on: 'withdraw', by: principal }, actor, null),
    close: every(LOOK_MS, tidy, onError),
  };
  return approvals;

  /** Ends what nobody decided in time, and forgets what was decided long ago. */
  async function tidy(): Promise<void> {
    for (const { id } of read.query<{ id: string }>(OVERDUE).all(clock.now()))
      // Decided a moment ago, it has ended already.
      await endAlone(id, { on: 'expire' }, MASTER, null).catch((error: unknown) => {
        if (!(error instanceof Fault && error.code === 'ALREADY_DECIDED')) throw error;
      });
    if (limits.approvalRetentionDays === 0) return;
    const until = clock.now() - limits.approvalRetentionDays * DAY_MS;
    await store.write((db) => db.statement(DELETE_OLD).run(until));
  }
}

const notAlone = () => new Fault('FORBIDDEN', 'the setting approvalOverride does not allow anyone to approve alone');

const moved = (environment: string, expected: string | null, current: string | null): Fault =>
  new Fault(
    'ENVIRONMENT_MOVED',
    `expected version ${expected ?? 'none'} in ${environment}, found ${current ?? 'none'}: someone else published. Check the current version, then ask again`,
    { extra: { current } },
  );

function optionsOf(purpose: BulkPurpose): BulkSubject['options'] {
  if (purpose.kind !== 'rerun') return purpose.nonRetryable ? { includeNonRetryable: true } : {};
  const { commit, completed, again } = purpose.choice;
  return { commit, ...(completed ? { includeCompleted: true } : {}), ...(again ? { includeRerun: true } : {}) };
}
