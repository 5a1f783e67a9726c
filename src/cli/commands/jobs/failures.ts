import type { Command } from 'commander';
import type { FailureDetail, FailureGroup } from '../../../contract/failures.ts';
import type { Operation } from '../../../contract/operations.ts';
import type { Page } from '../../../contract/shapes.ts';
import { ENVIRONMENTS, FAILURE_STATUSES } from '../../../contract/vocabulary.ts';
import { apiCommand, paging, pathSegment, type PageFlags } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { dryRun, submit } from './bulk.ts';
import { follow, operationLines } from './operations.ts';
import { list, option } from '../../options.ts';
import { namedValues, pageLine, table } from '../../text-table.ts';

interface ListFlags extends PageFlags {
  status?: string[];
  workflow?: string;
  environment?: string;
  q?: string;
  sort?: string;
}

const MESSAGE_CHARACTERS = 80;

/** `yardmaster failures …`: failures that are alike, as groups. */
export function failuresCommands(root: Command, io: ProcessIo): void {
  const group = root.command('failures').description('failures that are alike, as groups');

  const find = apiCommand<ListFlags>(
    group,
    io,
    'list',
    'list failure groups, seen last first',
    async (session, { page, size, sort, status, workflow, environment, q }) => {
      const found = await session.api.call<Page<FailureGroup>>('GET', '/api/v1/failures', {
        query: { page, size, sort, status, workflowId: workflow, environment, q },
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
  option(find, io, '--workflow <id>', 'of one workflow');
  option(find, io, '--environment <name>', 'seen in one environment', { choices: ENVIRONMENTS });
  option(find, io, '--q <text>', 'with this text in the message, node or code');
  option(find, io, '--sort <field,order>', 'lastSeenAt, count or firstSeenAt, then asc or desc');

  apiCommand(
    group,
    io,
    'show <group>',
    'one group: where it happened, and what sets its jobs apart',
    async (session, _flags, id) => {
      const found = await session.api.call<FailureDetail>('GET', path(id));
      session.show(found, () => [
        ...groupLines(found),
        '',
        ...causeLines(found),
        '',
        ...table(
          ['job', 'status', 'created', 'message'],
          found.jobs.map((job) => [job.id, job.status, job.createdAt, cut(job.message)]),
          'its jobs are gone',
        ),
      ]);
    },
  );

  const DECISIONS = {
    resolve: 'call it mended; a new occurrence opens it again',
    ignore: 'ignore it, new occurrences too',
    reopen: 'open it again',
  } as const;
  for (const [decision, description] of Object.entries(DECISIONS)) {
    apiCommand(group, io, `${decision} <group>`, description, async (session, _flags, id) => {
      const found = await session.api.call<FailureGroup>('POST', `${path(id)}/${decision}`);
      session.show(found, () => groupLines(found));
    });
  }

  const retry = apiCommand<{ wait?: boolean }>(
    group,
    io,
    'retry <group>',
    'retry all jobs of a group, as a bulk operation',
    async (session, { wait }, id) => {
      const submitted = await session.api.call<{ operationId: string }>('POST', `${path(id)}/retry`);
      if (wait !== true) return session.show(submitted, () => [`operation ${submitted.operationId}`]);
      const ended: Operation = await follow(session, submitted.operationId);
      session.show(ended, () => operationLines(ended));
    },
  );
  option(retry, io, '--wait', 'wait for its end');

  const rerun = apiCommand<{ commit?: string; dryRun?: boolean; wait?: boolean }>(
    group,
    io,
    'rerun <group>',
    'run all jobs of a group again as new ones, on the published version',
    async (session, { commit = 'published', ...flags }, id) => {
      const { id: failureGroup } = await session.api.call<FailureDetail>('GET', path(id));
      const body = { filter: { failureGroup }, commit };
      return flags.dryRun === true
        ? dryRun(session, 'rerun', body)
        : submit(session, 'rerun', body, flags.wait === true);
    },
  );
  option(rerun, io, '--commit <hash>', 'this version instead of what the environment of each job points to now');
  option(rerun, io, '--dry-run', 'only count, and say why not');
  option(rerun, io, '--wait', 'wait for its end, and exit 1 where it could not be done with every job');
}

const path = (id: string | undefined): string => `/api/v1/failures/${pathSegment(id as string)}`;

const cut = (message: string): string =>
  message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)}…` : message;

const groupRow = (group: FailureGroup) => [
  group.id,
  group.status === 'OPEN' && group.haveSucceeded === true ? 'OPEN, succeeded since' : group.status,
  group.count,
  group.workflowId,
  group.node,
  group.code,
  cut(group.sameMessage === true ? group.sample : group.message),
  group.lastSeenAt,
];

function groupLines(group: FailureGroup): string[] {
  return namedValues({
    group: group.id,
    status: `${group.status}${group.decidedBy === null ? '' : ` by ${group.decidedBy}, ${group.decidedAt}`}`,
    workflow: group.workflowId,
    node: group.node,
    code: group.code,
    message: group.message,
    newest: group.sample,
    count: group.count,
    ...('standing' in group ? { 'by now': standingText(group as FailureDetail) } : {}),
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
  const percent = (share: number) => `${Math.round(share * 1000) / 10} %`;
  return table(
    ['what sets them apart', 'value', 'of the failures', 'of the successes'],
    causes.map((cause) => [
      cause.kind === 'input' ? `input ${cause.path}` : cause.kind,
      cause.value,
      percent(cause.failures),
      percent(cause.successes),
    ]),
    'nothing sets its jobs apart from the successes',
  );
}
