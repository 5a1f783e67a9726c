import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../../api-command.ts';
import type { ProcessIo } from '../../process-io.ts';
import { option } from '../../options.ts';
import { namedValues, pageLine, table } from '../../text-table.ts';

/** `yardmaster logs pipeline`: what the log pipeline holds and has counted. */
export function pipelineStatusCommand(logs: Command, io: ProcessIo): void {
  apiCommand(
    logs,
    io,
    'pipeline',
    'show the state of the log pipeline and its counters since start',
    async (session) => {
      const stats = await session.api.call('logs.pipeline');
      session.show(stats, () => namedValues({ ...stats }));
    },
  );
}

/** `yardmaster logs dead-letters …`: lines that the log store refused for good. */
export function deadLettersCommands(logs: Command, io: ProcessIo): void {
  const group = logs
    .command('dead-letters')
    .description('dead letters: log lines that the log store rejected permanently');
  const found = apiCommand(group, io, 'list', 'list them, newest first', async (session, { page, size }: PageFlags) => {
    const letters = await session.api.call('deadLetters.list', { query: { page, size } });
    session.show(letters, () => [
      ...table(
        ['id', 'at', 'status', 'reason', 'line'],
        letters.items.map((one) => [one.id, one.at, one.status, one.reason, one.line.slice(0, 100)]),
        'no dead letters',
      ),
      ...pageLine(letters),
    ]);
  });
  paging(found, io);

  for (const [name, description, done] of [
    ['replay', 'resend them to the log store', 'replayed'],
    ['discard', 'delete them', 'discarded'],
  ] as const) {
    const command = apiCommand(
      group,
      io,
      `${name} [ids...]`,
      `${description}: by ID, or --all`,
      async (session, { all }: { all?: boolean }, ids) => {
        if (ids.length > 0 === (all ?? false)) throw new Fault('USAGE', 'specify the IDs of dead letters, or --all');
        const result = await session.api.call(`deadLetters.${name}`, { body: all ? { all: true } : { ids } });
        session.show(result, () => [`${done} ${Object.values(result)[0]}`]);
      },
    );
    option(command, io, '--all', 'all of them');
  }
}
