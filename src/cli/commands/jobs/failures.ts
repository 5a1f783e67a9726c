import type { Command } from 'commander';
import type { FailureDetail, FailureGroup } from '../../../contract/failures.ts';
import type { Operation } from '../../../contract/operations.ts';
import {
  type Environment,
  ENVIRONMENTS,
  FAILURE_STATUSES,
  type FailureStatus,
  isInputCause,
} from '../../../contract/vocabulary.ts';
import { apiCommand, paging, type PageFlags } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { dryRun, submit } from './bulk.ts';
import { requestLines } from '../approvals.ts';
import { follow, operationLines } from './operations.ts';
import { list, option } from '../../options.ts';
import { namedValues, pageLine, table } from '../../text-table.ts';

interface ListFlags extends PageFlags {
  status?: FailureStatus[];
  workflow?: string;
  environment?: Environment;
  node?: string;
  code?: string;
  q?: string;
  sort?: string;
}

const MESSAGE_CHARACTERS = 80;

/** `yardmaster failures …`: failures that are alike, as groups. */
export function failuresCommands(root: Command, io: ProcessIo): void {
  const group = root.command('failures').description('failures, grouped by cause');

  const find = apiCommand(
    group,
    io,
    'list',
    'list failure groups, last seen first',
    async (session, { page, size, sort, status, workflow, environment, node, code, q }: ListFlags) => {
      const found = await session.api.call('failures.list', {
        query: { page, size, sort, status, workflowId: workflow, environment, node, code, q },
      });
      session.show(found, () => [
        ...table(
          ['id', 'status', 'count', 'workflow', 'node', 'code', 'message', 'last seen'],
          found.items.map(groupRow),
          'no failures',
        ),
        ...pageLine(found),
      ]);
    },
  );
  paging(find, io);
  option(find, io, '--status <status>', `only these (${FAILURE_STATUSES.join(', ')})`, { parse: list });
  option(find, io, '--workflow <id>', 'only this workflow');
  option(find, io, '--environment <name>', 'only seen in this environment', { choices: ENVIRONMENTS });
  option(find, io, '--node <id>', 'only failures of this node');
  option(find, io, '--code <code>', 'only with this error code, such as TASK_ERROR');
  option(find, io, '--q <text>', 'only with this text in the message, node or code');
  option(find, io, '--sort <field,order>', 'sort by lastSeenAt, count or firstSeenAt, then ,asc or ,desc');

  apiCommand(
    group,
    io,
    'show <group>',
    'show a group: where it happened, and its likely causes',
    async (session, _flags, id) => {
      const found = await session.api.call('failures.get', { params: { id: id } });
      session.show(found, () => [
        ...groupLines(found),
        '',
        ...causeLines(found),
        '',
        ...table(
          ['job', 'status', 'created', 'message'],
          found.jobs.map((job) => [job.id, job.status, job.createdAt, cut(job.message)]),
          'its jobs were deleted',
        ),
      ]);
    },
  );

  const DECISIONS = {
    resolve: 'resolve it; a new occurrence reopens it',
    ignore: 'ignore it, including new occurrences',
    reopen: 'reopen it',
  } as const;
  for (const decision of ['resolve', 'ignore', 'reopen'] as const) {
    apiCommand(group, io, `${decision} <group>`, DECISIONS[decision], async (session, _flags, id) => {
      const found = await session.api.call(`failures.${decision}`, { params: { id: id } });
      session.show(found, () => groupLines(found));
    });
  }

  const retry = apiCommand(
    group,
    io,
    'retry <group>',
    'retry all jobs of a group, as a bulk operation',
    async (session, { wait }: { wait?: boolean }, id) => {
      const submitted = await session.api.call('failures.retry', { params: { id: id } });
      if ('requestedBy' in submitted) return session.show(submitted, () => requestLines(submitted));
      if (wait !== true) return session.show(submitted, () => [`operation ${submitted.operationId}`]);
      const ended: Operation = await follow(session, submitted.operationId);
      session.show(ended, () => operationLines(ended));
    },
  );
  option(retry, io, '--wait', 'wait until it has finished');

  const rerun = apiCommand(
    group,
    io,
    'rerun <group>',
    'rerun all jobs of a group as new jobs, on the published version',
    async (session, { commit = 'published', ...flags }: { commit?: string; dryRun?: boolean; wait?: boolean }, id) => {
      const { id: failureGroup } = await session.api.call('failures.get', { params: { id: id } });
      const body = { filter: { failureGroup }, commit };
      return flags.dryRun === true
        ? dryRun(session, 'rerun', body)
        : submit(session, 'rerun', body, flags.wait === true);
    },
  );
  option(
    rerun,
    io,
    '--commit <hash>',
    "use this version instead of the one currently published in each job's environment",
  );
  option(rerun, io, '--dry-run', 'dry run: only count, with the reasons for skipped jobs');
  option(rerun, io, '--wait', 'wait for the end; exit 1 if jobs were skipped');
}

const cut = (message: string): string =>
  message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)}…` : message;

const groupRow = (group: FailureGroup) => [
  group.id,
  group.status === 'OPEN' && group.haveSucceeded === true ? 'OPEN, recovered' : group.status,
  group.count,
  group.workflowId,
  group.node,
  group.code,
  cut(group.sameMessage === true ? group.sample : group.message),
  group.lastSeenAt,
];

function groupLines(group: FailureGroup | FailureDetail): string[] {
  return namedValues({
    group: group.id,
    status: `${group.status}${group.decidedBy === null ? '' : ` by ${group.decidedBy}, ${group.decidedAt}`}`,
    workflow: group.workflowId,
    node: group.node,
    code: group.code,
    message: group.message,
    newest: group.sample,
    count: group.count,
    ...('standing' in group ? { 'status now': standingText(group) } : {}),
    'first seen': group.firstSeenAt,
    'last seen': group.lastSeenAt,
    ...(group.reopenedAt === null ? {} : { reopened: group.reopenedAt }),
    environments: group.environments.map(({ environment, count }) => `${environment ?? 'none'} ${count}`).join(', '),
    versions: group.commits.map(({ commit, count }) => `${commit.slice(0, 10)} ${count}`).join(', '),
    workers: group.workers.map(({ workerId, count }) => `${workerId} ${count}`).join(', ') || 'none',
  });
}

const standingText = ({ standing: { jobs, succeeded, running, failed } }: FailureDetail): string =>
  `of ${jobs} jobs ${succeeded} succeeded, ${running} run, ${failed} failed`;

function causeLines({ causes }: FailureDetail): string[] {
  const shareText = (share: number, of: number | undefined) =>
    of === undefined ? `${Math.round(share * 1000) / 10}%` : `${Math.round(share * of)} of ${of}`;
  return table(
    ['likely causes', 'value', 'failures', 'successes'],
    causes.map((cause) => [
      isInputCause(cause.kind) ? `${cause.kind} ${cause.path}` : cause.kind,
      cause.value,
      shareText(cause.failures, cause.fewRuns?.failures),
      shareText(cause.successes, cause.fewRuns?.successes),
    ]),
    'no likely cause found',
  );
}
