import type { Command } from 'commander';
import { Fault } from '../../../lib/fault.ts';
import { apiCommand, paging, type PageFlags } from '../../api-command.ts';
import { integer, option } from '../../options.ts';
import type { ProcessIo } from '../../process-io.ts';
import { pageLine, table } from '../../text-table.ts';
import { readJson } from '../../workflow-file.ts';

interface LinkFlags {
  for?: string;
  expires?: number;
}

interface SignalFlags extends LinkFlags {
  payload?: string;
  file?: string;
  replica?: number;
  key?: string;
}

/** `yardmaster jobs signal`, `jobs signal-link` and `jobs waits`. */
export function signalCommands(group: Command, io: ProcessIo): void {
  const signal = apiCommand(
    group,
    io,
    'signal <job> <name>',
    'send a signal to a job that waits for it, now or later',
    async (session, { payload, file, replica, key }: SignalFlags, jobId, name) => {
      if (payload !== undefined && file !== undefined)
        throw new Fault('USAGE', 'give the payload with --payload or with --file, not both');
      const json =
        file !== undefined
          ? JSON.stringify(await readJson(file, io))
          : payload === undefined
            ? 'null'
            : JSON.stringify(readJsonFlag('--payload', payload));
      const sent = await session.api.call('jobs.signal', {
        params: { jobId, name },
        query: { replica },
        json,
        ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
      });
      session.show(sent, () => [
        sent.delivered
          ? `signal ${name} was delivered: the job goes on`
          : `signal ${name} is kept: no task of the job waits for it yet`,
      ]);
    },
  );
  option(signal, io, '--payload <json>', 'what the signal carries, as JSON (default: null)');
  option(signal, io, '--file <file>', 'the same from a file ("-": standard input)');
  option(signal, io, '--replica <n>', 'only this replica of the job, numbered from 0', {
    parse: integer(0, 1_000_000_000),
  });
  option(signal, io, '--key <key>', 'idempotency key: sent again with the same one, it is one signal');

  const link = apiCommand(
    group,
    io,
    'signal-link <job> <name>',
    'make a one-time link that sends a signal',
    async (session, { replica, ...flags }: SignalFlags, jobId, name) => {
      const body = { ...linkBody(flags), ...(replica === undefined ? {} : { replica }) };
      const made = await session.api.call('jobs.signalLink', { params: { jobId, name }, body });
      session.show(made, () => [made.url, `works once, until ${made.expiresAt}`]);
    },
  );
  linkOptions(link, io);
  option(link, io, '--replica <n>', 'only this replica of the job, numbered from 0', {
    parse: integer(0, 1_000_000_000),
  });

  const waits = apiCommand(
    group,
    io,
    'waits [job]',
    'list tasks that wait for a time, a signal or an approval',
    async (session, { page, size, workflow }: PageFlags & { workflow?: string }, jobId) => {
      const found = await session.api.call('waits.list', { query: { page, size, jobId, workflowId: workflow } });
      session.show(found, () => [
        ...table(
          ['task', 'job', 'workflow', 'node', 'waits for', 'since', 'until'],
          found.items.map((one) => [
            one.taskId,
            one.jobId,
            one.workflowId,
            one.node,
            `${one.for}${one.name === null ? '' : ` ${one.name}`}`,
            one.since,
            one.dueAt,
          ]),
          'no task waits',
        ),
        ...pageLine(found),
      ]);
    },
  );
  option(paging(waits, io), io, '--workflow <id>', 'of this workflow');
}

/** Options of a command that makes a one-time link. */
export function linkOptions(command: Command, io: ProcessIo): void {
  option(command, io, '--for <who>', 'whom the link is for; named in the audit log');
  option(command, io, '--expires <seconds>', 'how long it works (default: a week)', { parse: integer(60, 31_622_400) });
}

export function linkBody({ for: to, expires }: LinkFlags): { for: string; expiresSeconds?: number } {
  if (to === undefined) throw new Fault('USAGE', '--for is needed: say whom the link is for');
  return { for: to, ...(expires === undefined ? {} : { expiresSeconds: expires }) };
}

/** A value of an option that is JSON. */
export function readJsonFlag(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Fault('USAGE', `${name}: expected JSON, got ${JSON.stringify(text.slice(0, 80))}`);
  }
}
