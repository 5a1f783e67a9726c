import type { Command } from 'commander';
import type { Body } from '../../../contract/routes.ts';
import type { BulkDryRun } from '../../../contract/operations.ts';
import type { OperationKind } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, type Session } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { filterOf, filterOptions, type FilterFlags } from './filter.ts';
import { requestLines } from '../approvals.ts';
import { follow, operationLines } from './operations.ts';
import { option } from '../../options.ts';
import { pluralize, table } from '../../text-table.ts';

/** What the bulk routes take; which of it fits the kind the master says. */
export type BulkBody = Body<'operations.retry'> & Body<'operations.rerun'>;

export interface BulkFlags extends FilterFlags {
  all?: boolean;
  dryRun?: boolean;
  wait?: boolean;
  snapshot?: string;
}
interface Flags extends BulkFlags {
  includeNonRetryable?: boolean;
}

const WORDS = {
  kill: {
    one: 'kill the open tasks of jobs',
    done: (tasks: number, status: string) => `${pluralize(tasks, 'task')} killed, the job is ${status}`,
  },
  retry: {
    one: 'retry the failed and timed-out tasks of jobs',
    done: (tasks: number, status: string) =>
      `${pluralize(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} ready again, the job is ${status}`,
  },
} as const;

/** `jobs kill` and `jobs retry`: one job at once; several, or those that match a filter, as a bulk operation. */
export function bulkCommands(group: Command, io: ProcessIo): void {
  for (const kind of ['kill', 'retry'] as const) {
    const command = apiCommand(group, io, `${kind} [job...]`, WORDS[kind].one, async (session, flags: Flags, ids) => {
      const target = targetOf(flags, ids);
      const [only] = ids;
      if (
        only !== undefined &&
        ids.length === 1 &&
        flags.dryRun !== true &&
        flags.wait !== true &&
        flags.includeNonRetryable !== true
      )
        return one(session, kind, only);
      const body = { ...target, ...(flags.includeNonRetryable === true ? { includeNonRetryable: true } : {}) };
      return flags.dryRun === true ? dryRun(session, kind, body) : submit(session, kind, body, flags.wait === true);
    });
    filterOptions(command, io);
    bulkOptions(command, io);
    if (kind === 'retry')
      option(command, io, '--include-non-retryable', 'include jobs with errors that a retry does not fix');
  }
}

export function bulkOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--all', 'all jobs, if no filter is set');
  option(command, io, '--dry-run', 'dry run: only count, with the reasons for skipped jobs');
  option(command, io, '--snapshot <id>', 'the jobs that a dry run counted, up to 15 minutes later');
  option(command, io, '--wait', 'wait for the end; exit 1 if jobs were skipped');
}

/** Jobs by their ids, a filter, or the snapshot of a dry run, as the API takes them. Throws USAGE where it is none or several. */
export function targetOf(flags: BulkFlags, ids: readonly string[]): BulkBody {
  const filter = filterOf(flags);
  if (flags.snapshot !== undefined) {
    if (ids.length > 0 || Object.keys(filter).length > 0 || flags.all === true || flags.dryRun === true)
      throw new Fault('USAGE', 'specify --snapshot alone, without jobs, a filter, --all or --dry-run');
    return { snapshot: flags.snapshot };
  }
  const filtered = Object.keys(filter).length > 0 || flags.all === true;
  if (filtered === ids.length > 0)
    throw new Fault(
      'USAGE',
      filtered
        ? 'specify jobs or a filter, not both'
        : `specify jobs, or a filter such as --status FAILED; --all: all jobs`,
    );
  return filtered ? { filter, ...(flags.all === true ? { all: true } : {}) } : { ids: [...ids] };
}

async function one({ api, show }: Session, kind: 'kill' | 'retry', id: string): Promise<void> {
  const done = await api.call(`jobs.${kind}`, { params: { jobId: id } });
  const tasks = 'killedTasks' in done ? done.killedTasks : done.retriedTasks;
  show(done, () => [WORDS[kind].done(tasks, done.status)]);
}

const WOULD = { kill: 'killed', retry: 'retried', rerun: 'rerun as new jobs' } as const;

export async function dryRun({ api, show }: Session, kind: OperationKind, body: BulkBody): Promise<void> {
  const found = await api.call(`operations.${kind}`, { body: { ...body, dryRun: true } });
  if ('operationId' in found || 'requestedBy' in found)
    throw new Fault('INTERNAL', 'the master took a dry run for the operation itself');
  show(found, () => [
    `${found.eligible} of ${pluralize(found.count, 'job')} would be ${WOULD[kind]}`,
    ...(found.needsApproval ? ['so many jobs need the approval of a second person: it starts once it is given'] : []),
    ...versionLines(found),
    ...(found.ineligible.length > 0
      ? table(
          ['skipped because', 'jobs'],
          found.ineligible.map(({ reason, count }) => [reason, count]),
          '',
        )
      : []),
    ...(found.eligible > 0
      ? [`exactly these jobs, within 15 minutes: yardmaster jobs ${kind} --snapshot ${found.snapshot}${choices(body)}`]
      : []),
  ]);
}

/** The options of a dry run that its start needs too. */
const choices = ({ commit, includeCompleted, includeRerun, includeNonRetryable }: BulkBody): string =>
  [
    commit === undefined ? '' : ` --commit ${commit}`,
    includeCompleted === true ? ' --include-completed' : '',
    includeRerun === true ? ' --include-rerun' : '',
    includeNonRetryable === true ? ' --include-non-retryable' : '',
  ].join('');

function versionLines({ versions = [], unchecked = 0 }: BulkDryRun): string[] {
  return [
    ...(versions.length > 0
      ? table(
          ['on version', 'of', 'in', 'jobs', 'already ran on it'],
          versions.map(({ commit, workflowId, environment, jobs, same }) => [
            commit.slice(0, 10),
            workflowId,
            environment,
            jobs,
            same,
          ]),
          '',
        )
      : []),
    ...(unchecked > 0
      ? [
          `the inputs of ${pluralize(unchecked, 'job')} were not checked yet against the changed input schema: they are checked before each rerun`,
        ]
      : []),
  ];
}

export async function submit(session: Session, kind: OperationKind, body: BulkBody, wait: boolean): Promise<void> {
  const accepted = await session.api.call(`operations.${kind}`, { body });
  if ('requestedBy' in accepted) return session.show(accepted, () => requestLines(accepted));
  if (!('operationId' in accepted)) throw new Fault('INTERNAL', 'the master took the operation for a dry run');
  if (!wait)
    return session.show(accepted, () => [
      `operation ${accepted.operationId} started: yardmaster operations show ${accepted.operationId}`,
    ]);
  const ended = await follow(session, accepted.operationId);
  session.show(ended, () => operationLines(ended));
  if (ended.failed > 0 || ended.status !== 'DONE')
    throw new Fault(
      'OPERATION_INCOMPLETE',
      `${ended.failed} of ${pluralize(ended.total, 'job')} ${ended.failed === 1 ? 'was' : 'were'} skipped: yardmaster operations results ${ended.operationId} --failed`,
    );
}
