import type { Command } from 'commander';
import type { Task } from '../../contract/api.ts';
import { apiCommand, segment } from '../command.ts';
import { readJson } from '../files.ts';
import type { Io } from '../io.ts';
import { option } from '../options.ts';

interface RerunFlags {
  inputs?: string;
  commit?: string;
  fromNode?: string;
}

/** `yardmaster jobs rerun` and `jobs retry-task`. */
export function rerunCommands(group: Command, io: Io): void {
  const rerun = apiCommand<RerunFlags>(group, io, 'rerun <job>', 'run a job again as a new one, whole or from one of its nodes', async (session, { inputs, commit, fromNode }, id) => {
    const fields = [
      ...(inputs === undefined ? [] : [`"inputs":${JSON.stringify(await readJson(inputs, io))}`]),
      ...(commit === undefined ? [] : [`"commit":${JSON.stringify(commit)}`]),
      ...(fromNode === undefined ? [] : [`"fromNode":${JSON.stringify(fromNode)}`]),
    ];
    const made = await session.api.call<{ jobId: string; rerunOf: string }>('POST', `/api/v1/jobs/${segment(id as string)}/rerun`, { body: `{${fields.join(',')}}` });
    session.show(made, () => [`job ${made.jobId} runs job ${made.rerunOf} again`]);
  });
  option(rerun, io, '--inputs <file>', 'an array of inputs instead of those of before ("-": standard input); with --from-node those of that node, one for each replica');
  option(rerun, io, '--commit <hash>', 'another version: a hash, or "published" for what the environment points to now');
  option(rerun, io, '--from-node <node>', 'begin with this node; what finished and does not depend on it is reused');

  apiCommand(group, io, 'retry-task <task>', 'run one failed or timed-out task again', async (session, _flags, id) => {
    const task = await session.api.call<Task>('POST', `/api/v1/tasks/${segment(id as string)}/retry`);
    session.show(task, () => [`task ${task.id} (${task.node}) is ${task.state}, attempt ${task.attempt}`]);
  });
}
