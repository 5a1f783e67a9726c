import { InvalidArgumentError, type Command } from 'commander';
import { LOG_LEVELS } from '../../../contract/vocabulary.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option, time } from '../../options.ts';

export interface FilterFlags {
  job?: string;
  task?: string;
  worker?: string;
  level?: string;
  source?: string;
  from?: string;
  to?: string;
}

/** What the commands of logs look at. */
export function filterOptions(command: Command, io: ProcessIo): void {
  scopeOptions(command, io);
  option(command, io, '--from <time>', 'at or after: a time, or an age such as 15m, 2h, 7d', {
    parse: (text) => time(text),
  });
  option(command, io, '--to <time>', 'before', { parse: (text) => time(text) });
}

export function scopeOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--job <id>', 'only this job');
  option(command, io, '--task <id>', 'only this task');
  option(command, io, '--worker <id>', 'only this worker');
  option(command, io, '--level <level>', `only this level (${LOG_LEVELS.join(', ')})`, { parse: levelOf });
  option(command, io, '--source <name>', 'only this source');
}

function levelOf(text: string): string {
  const level = LOG_LEVELS.find((one) => one === text.toUpperCase());
  if (level === undefined) throw new InvalidArgumentError(`Expected one of ${LOG_LEVELS.join(', ')}.`);
  return level;
}

export const filters = ({ job, task, worker, level, source, from, to }: FilterFlags, query: string | undefined) => ({
  query,
  job_id: job,
  task_id: task,
  worker_id: worker,
  level,
  source,
  from,
  to,
});
