import type { Command } from 'commander';
import { connectToMaster, type MasterApi, type ConnectionFlags } from './api-client.ts';
import type { ProcessIo } from './process-io.ts';
import { integer, option } from './options.ts';

/** What a command that talks to a master works with. */
export interface Session {
  readonly api: MasterApi;
  readonly io: ProcessIo;
  readonly json: boolean;
  /** One JSON document with `--json`, else the lines for people. */
  show(document: unknown, lines: () => readonly string[]): void;
}

export interface CommonFlags extends ConnectionFlags {
  json?: boolean;
}

/**
 * A command that talks to a master: takes the connection's options and `--json`. `usage` is commander's
 * (`publish <id> <environment> <hash>`); the action gets its arguments and flags.
 */
export function apiCommand<Flags>(
  parent: Command,
  io: ProcessIo,
  usage: string,
  description: string,
  action: (session: Session, flags: Flags & CommonFlags, ...args: string[]) => Promise<void>,
): Command {
  const command = parent.command(usage).description(description);
  option(command, io, '--url <url>', 'URL of the master (default: the local one)');
  option(command, io, '--token <token>', 'token of an operator');
  option(command, io, '--data <dir>', 'data folder of the local master');
  option(command, io, '--json', 'print only JSON');
  return command.action(async (...all: unknown[]) => {
    const flags = all.at(-2) as Flags & CommonFlags;
    const args = all.slice(0, -2) as string[];
    await action(sessionOf(flags, io), flags, ...args);
  });
}

function sessionOf(flags: CommonFlags, io: ProcessIo): Session {
  const json = flags.json ?? false;
  let api: MasterApi | null = null;
  return {
    get api() {
      return (api ??= connectToMaster(flags, io));
    },
    io,
    json,
    show(document, lines) {
      if (json) io.out(JSON.stringify(document));
      else for (const line of lines()) io.out(line);
    },
  };
}

export interface PageFlags {
  page?: number;
  size?: number;
}

export function paging(command: Command, io: ProcessIo): Command {
  option(command, io, '--page <n>', 'page number, starting at 0', { parse: integer(0, 100_000_000) });
  return option(command, io, '--size <n>', 'items per page, 1 to 500', { parse: integer(1, 500) });
}
