import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, type Session } from '../../api-command.ts';
import { readJson } from '../../workflow-file.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { bulkOptions, dryRun, submit, targetOf, type BulkFlags } from './bulk.ts';
import { filterOptions } from './filter.ts';

interface RerunFlags extends BulkFlags {
  inputs?: string;
  commit?: string;
  fromNode?: string;
  includeCompleted?: boolean;
  includeRerun?: boolean;
}

/** `yardmaster jobs rerun` and `jobs retry-task`. */
export function rerunCommands(group: Command, io: ProcessIo): void {
  const rerun = apiCommand(
    group,
    io,
    'rerun [job...]',
    'rerun a job as a new one, whole or from a node; or many jobs',
    async (session, flags: RerunFlags, ids) => {
      const { inputs, commit, fromNode, includeCompleted, includeRerun } = flags;
      const target = targetOf(flags, ids);
      const [only] = ids;
      if (
        only !== undefined &&
        ids.length === 1 &&
        ![flags.dryRun, flags.wait, includeCompleted, includeRerun].includes(true)
      )
        return one(session, io, only, flags);
      if (inputs !== undefined || fromNode !== undefined)
        throw new Fault('USAGE', '--inputs and --from-node work with a single job only');
      const body = {
        ...target,
        ...(commit === undefined ? {} : { commit }),
        ...(includeCompleted === true ? { includeCompleted } : {}),
        ...(includeRerun === true ? { includeRerun } : {}),
      };
      return flags.dryRun === true
        ? dryRun(session, 'rerun', body)
        : submit(session, 'rerun', body, flags.wait === true);
    },
  );
  filterOptions(rerun, io);
  bulkOptions(rerun, io);
  option(rerun, io, '--include-completed', 'with several jobs: include jobs without failures');
  option(rerun, io, '--include-rerun', 'with several jobs: include jobs that were already rerun');
  option(
    rerun,
    io,
    '--inputs <file>',
    'new inputs as an array ("-": standard input); with --from-node the inputs of that node, one per replica',
  );
  option(rerun, io, '--commit <hash>', 'use another version: a hash, or "published" for the currently published one');
  option(rerun, io, '--from-node <node>', 'start from this node; finished results that do not depend on it are reused');

  apiCommand(group, io, 'retry-task <task>', 'retry a failed or timed-out task', async (session, _flags, id) => {
    const task = await session.api.call('tasks.retry', { params: { taskId: id } });
    session.show(task, () => [`task ${task.id} (${task.node}) is ${task.state}, attempt ${task.attempt}`]);
  });
}

async function one(
  session: Session,
  io: ProcessIo,
  id: string,
  { inputs, commit, fromNode }: RerunFlags,
): Promise<void> {
  const fields = [
    ...(inputs === undefined ? [] : [`"inputs":${JSON.stringify(await readJson(inputs, io))}`]),
    ...(commit === undefined ? [] : [`"commit":${JSON.stringify(commit)}`]),
    ...(fromNode === undefined ? [] : [`"fromNode":${JSON.stringify(fromNode)}`]),
  ];
  const made = await session.api.call('jobs.rerun', { params: { jobId: id }, json: `{${fields.join(',')}}` });
  session.show(made, () => [`job ${made.jobId} is a rerun of job ${made.rerunOf}`]);
}
