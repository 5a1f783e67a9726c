import type { Command } from 'commander';
import { apiCommand } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { integer, option } from '../../options.ts';

interface InputFlags {
  replica?: number;
  node?: string;
}

/** `yardmaster jobs input`: what a job was given, as it came: what `jobs rerun --inputs` takes. */
export function inputCommand(group: Command, io: ProcessIo): void {
  const input = apiCommand(
    group,
    io,
    'input <job>',
    'show the inputs of a job: an array with one input per replica',
    async (session, { replica, node }: InputFlags, id) => {
      const found = await session.api.call('jobs.input', { params: { jobId: id }, query: { replica, node } });
      session.show(found, () => [JSON.stringify(found, null, 2)]);
    },
  );
  option(input, io, '--replica <n>', 'only the input of this replica, starting at 0', {
    parse: integer(0, Number.MAX_SAFE_INTEGER),
  });
  option(input, io, '--node <node>', 'only the input of this node');
}
