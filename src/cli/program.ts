import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { Fault } from '../lib/fault.ts';
import { report } from './failure.ts';
import type { Io } from './io.ts';
import { masterCommand } from './master.ts';
import { workerCommand } from './worker.ts';

/** Runs one command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  const json = args.includes('--json') || !['', '0', 'false', 'no', 'off', undefined].includes(io.env['YARDMASTER_JSON']?.toLowerCase());
  try {
    await program(io).parseAsync(args as string[], { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error, json, io);
    // Help and version are no failure; a bare `yardmaster` or `yardmaster jobs` is.
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') return 2;
    return report(new Fault('USAGE', error.message.replace(/^error: /, '')), json, io);
  }
}

function program(io: Io): Command {
  const root = new Command('yardmaster')
    .description('A job master for low-code workflows, with its workers and its console')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.replace(/\n$/, '')),
      writeErr: (text) => io.err(text.replace(/\n$/, '')),
      // `run` reports errors itself, in the form that was asked for.
      outputError: () => {},
      getOutHelpWidth: () => io.columns ?? 100,
    })
    .showHelpAfterError(false);
  masterCommand(root, io);
  workerCommand(root, io);
  return root;
}
