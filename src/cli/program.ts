import { Command, CommanderError } from 'commander';
import { VERSION } from '../contract/version.ts';
import { Fault } from '../lib/fault.ts';
import { printError } from './print-error.ts';
import type { ProcessIo } from './process-io.ts';
import { masterCommand } from './commands/master.ts';
import { pipelineCommand } from './commands/pipeline.ts';
import { readSecretFiles } from './secret-files.ts';
import { workerCommand } from './commands/worker.ts';

/** Runs one command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(args: readonly string[], io: ProcessIo): Promise<number> {
  const json =
    args.includes('--json') ||
    !['', '0', 'false', 'no', 'off', undefined].includes(io.env['YARDMASTER_JSON']?.toLowerCase());
  try {
    await (await program(withSecretFiles(io), args[0] ?? '')).parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(error, json, io);
    // Help and version are no failure; a bare `yardmaster` or `yardmaster jobs` is.
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') return 2;
    return printError(new Fault('USAGE', error.message.replace(/^error: /, '')), json, io);
  }
}

/** With secrets that come in files. */
function withSecretFiles(io: ProcessIo): ProcessIo {
  const env = { ...io.env, ...readSecretFiles(io.env) };
  // Not a copy: asking for `stopped` changes how the process hears signals.
  return Object.create(io, { env: { value: env } }) as ProcessIo;
}

/** What runs for long, and does not load or keep what the others need. */
const LASTING: Readonly<Record<string, (root: Command, io: ProcessIo) => void>> = {
  master: masterCommand,
  worker: workerCommand,
  pipeline: pipelineCommand,
};

async function program(io: ProcessIo, first: string): Promise<Command> {
  const root = new Command('yardmaster')
    .description('Job master, workers and operations console for low-code workflows')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.replace(/\n$/, '')),
      writeErr: (text) => io.err(text.replace(/\n$/, '')),
      // `run` reports errors itself, in the form that was asked for.
      outputError: () => {},
      getOutHelpWidth: () => io.columns ?? 100,
    })
    .showHelpAfterError(false);
  const lasting = Object.hasOwn(LASTING, first) ? LASTING[first] : undefined;
  if (lasting) lasting(root, io);
  else for (const add of [...Object.values(LASTING), ...(await import('./asking-commands.ts')).ASKING]) add(root, io);
  return root;
}
