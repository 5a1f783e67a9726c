import type { Command } from 'commander';
import type { Approval, WaitSubject } from '../../contract/approvals.ts';
import type { ApprovalStatus } from '../../contract/vocabulary.ts';
import { apiCommand, paging, type PageFlags } from '../api-command.ts';
import { linkBody, linkOptions, readJsonFlag } from './jobs/signal.ts';
import { option } from '../options.ts';
import type { ProcessIo } from '../process-io.ts';
import { namedValues, pageLine, pluralize, shortHash, table } from '../text-table.ts';

interface DecisionFlags {
  comment?: string;
  form?: string;
  expected?: string;
  override?: boolean;
}

/** `yardmaster approvals …`: what a second person has to agree to. */
export function approvalsCommands(root: Command, io: ProcessIo): void {
  const group = root.command('approvals').description('requests that need a second person');

  const list = apiCommand(
    group,
    io,
    'list',
    'list requests for approval, newest first',
    async (session, { page, size, status }: PageFlags & { status?: ApprovalStatus }) => {
      const found = await session.api.call('approvals.list', { query: { page, size, status: status ?? 'open' } });
      session.show(found, () => [
        ...table(
          ['id', 'status', 'what', 'by', 'requested', 'expires'],
          found.items.map((one) => [one.id, one.status, what(one), one.requestedBy, one.requestedAt, one.expiresAt]),
          'no requests',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(list, io), io, '--status <status>', 'open (default), approved, rejected, withdrawn or expired');

  apiCommand(group, io, 'show <id>', 'show a request for approval', async (session, _flags, id) => {
    const found = await session.api.call('approvals.get', { params: { id } });
    session.show(found, () => approvalLines(found));
  });

  const approve = apiCommand(
    group,
    io,
    'approve <id>',
    'approve it, and do what was asked for',
    async (session, { comment, expected, override, form }: DecisionFlags, id) => {
      const found = await session.api.call('approvals.decide', {
        params: { id },
        body: {
          decision: 'approve',
          ...(comment === undefined ? {} : { comment }),
          ...(expected === undefined ? {} : { expected: expected === 'none' ? null : expected }),
          ...(override === true ? { override } : {}),
          ...(form === undefined ? {} : { form: readJsonFlag('--form', form) }),
        },
      });
      session.show(found, () => approvalLines(found));
    },
  );
  option(approve, io, '--comment <text>', 'shown to the requester and in the audit log');
  option(
    approve,
    io,
    '--expected <hash>',
    'the version that is published now, if it changed since the request; "none": nothing is',
  );
  option(approve, io, '--form <json>', 'what the request asks to be filled in, as JSON');
  option(
    approve,
    io,
    '--override',
    'approve alone, as an admin, with the reason as --comment; a setting must allow it',
  );

  const reject = apiCommand(
    group,
    io,
    'reject <id>',
    'reject it: nothing is changed',
    async (session, { comment }: DecisionFlags, id) => {
      const found = await session.api.call('approvals.decide', {
        params: { id },
        body: { decision: 'reject', ...(comment === undefined ? {} : { comment }) },
      });
      session.show(found, () => approvalLines(found));
    },
  );
  option(reject, io, '--comment <text>', 'shown to the requester and in the audit log');

  const link = apiCommand(
    group,
    io,
    'link <id>',
    'make a one-time link for somebody without an account',
    async (session, flags: { for?: string; expires?: number }, id) => {
      const body = linkBody(flags);
      const made = await session.api.call('approvals.link', { params: { id }, body });
      session.show(made, () => [made.url, `works once, until ${made.expiresAt}`]);
    },
  );
  linkOptions(link, io);

  apiCommand(group, io, 'withdraw <id>', 'take back your own request', async (session, _flags, id) => {
    const found = await session.api.call('approvals.withdraw', { params: { id } });
    session.show(found, () => approvalLines(found));
  });
}

/** What a command says that got a request for approval in the place of what it asked for. */
export const requestLines = (approval: Approval): string[] => [
  `nothing was changed yet: ${what(approval)} needs the approval of a second person`,
  `request ${approval.id} is open until ${approval.expiresAt}: yardmaster approvals approve ${approval.id}`,
];

function what({ publish, bulk, settings, wait }: Approval): string {
  if (wait) return `${wait.workflowId}: ${wait.title}`;
  if (settings) return `change ${Object.keys(settings.changes).join(', ')}`;
  if (publish)
    return publish.hash === null
      ? `unpublish ${publish.workflowId} from ${publish.environment}`
      : `publish ${shortHash(publish.hash)} of ${publish.workflowId} to ${publish.environment}`;
  return bulk ? `${bulk.action} ${pluralize(bulk.total, 'job')}` : '';
}

const approversText = ({ approvers }: WaitSubject): string =>
  approvers === null
    ? 'whoever may operate the jobs'
    : [...approvers.roles.map((role) => `role ${role}`), ...approvers.people].join(', ');

function approvalLines(approval: Approval): string[] {
  const {
    id,
    status,
    publish,
    bulk,
    settings,
    wait,
    requestedBy,
    requestedAt,
    expiresAt,
    decidedBy,
    decidedAt,
    comment,
  } = approval;
  return namedValues({
    request: id,
    status: approval.override ? `${status} by an admin alone` : status,
    what: what(approval),
    ...(publish ? { replaces: publish.current ?? 'nothing', version: publish.hash ?? 'none' } : {}),
    ...(bulk ? { filter: bulk.filter === null ? 'jobs by ID' : JSON.stringify(bulk.filter) } : {}),
    ...(wait ? { job: wait.jobId, node: wait.node, approvers: approversText(wait) } : {}),
    ...(wait?.form ? { form: JSON.stringify(wait.form) } : {}),
    ...(settings ? { now: JSON.stringify(settings.current), wanted: JSON.stringify(settings.changes) } : {}),
    by: requestedBy,
    requested: requestedAt,
    expires: expiresAt,
    ...(decidedBy === null ? {} : { decided: `${decidedAt ?? ''} by ${decidedBy}` }),
    ...(comment === null ? {} : { comment }),
    ...(approval.operation === null ? {} : { operation: approval.operation }),
  });
}
