import type { Command } from 'commander';
import { forTerminal } from '../lib/for-terminal.ts';
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

/** What a usage names: a text for `<id>`, perhaps one for `[id]`, a list for `<id...>` and `[id...]`. */
type ArgumentsOf<Usage extends string> = Usage extends `${infer First} ${infer Rest}`
  ? [...ArgumentsOf<First>, ...ArgumentsOf<Rest>]
  : Usage extends `<${string}...>` | `[${string}...]`
    ? [string[]]
    : Usage extends `<${string}>`
      ? [string]
      : Usage extends `[${string}]`
        ? [string | undefined]
        : [];

/**
 * A command that talks to a master: takes the connection's options and `--json`. `usage` is commander's
 * (`publish <id> <environment> <hash>`); the action gets its flags and its arguments.
 * `isDefault`: it is what its group does by itself.
 */
export function apiCommand<const Usage extends string, Flags = unknown>(
  parent: Command,
  io: ProcessIo,
  usage: Usage,
  description: string,
  action: (session: Session, flags: Flags & CommonFlags, ...args: ArgumentsOf<Usage>) => Promise<void>,
  { isDefault = false }: { readonly isDefault?: boolean } = {},
): Command {
  const command = parent.command(usage, { isDefault }).description(description);
  option(
    command,
    io,
    '--url <url>',
    'URL of the master, or of several of a cluster, separated by commas (default: the local one)',
  );
  option(command, io, '--token <token>', 'token of an operator');
  option(command, io, '--allow-plain', 'send the token over http:// to another machine, readable by anyone on the way');
  option(command, io, '--data <dir>', 'data folder of the local master');
  option(command, io, '--json', 'print only JSON');
  return command.action(async () => {
    const flags = command.opts<Flags & CommonFlags>();
    // Commander has read them by the same usage, but knows no types of them.
    await action(sessionOf(flags, io), flags, ...(command.processedArgs as ArgumentsOf<Usage>));
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
      // What is in them came from whoever called a workflow, or from a master that is not one's own.
      else for (const line of lines()) io.out(forTerminal(line));
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
