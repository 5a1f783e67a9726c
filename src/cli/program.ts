import { Command, CommanderError } from 'commander';
import { VERSION } from '../contract/version.ts';
import { Fault } from '../lib/fault.ts';
import { grantsCommands, projectsCommands, rolesCommands } from './commands/projects.ts';
import { keysCommands, sessionsCommands, tokensCommands } from './commands/keys.ts';
import { approvalsCommands } from './commands/approvals.ts';
import { auditCommands } from './commands/audit.ts';
import { alertsCommands } from './commands/alerts.ts';
import { backupCommands, repairCommand } from './commands/backup.ts';
import { clusterCommands } from './commands/cluster.ts';
import { projectionCommands } from './commands/projection.ts';
import { dashboardCommands } from './commands/dashboards.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventCommands } from './commands/workflows/event.ts';
import { loginCommands } from './commands/login.ts';
import { printError } from './print-error.ts';
import { failuresCommands } from './commands/jobs/failures.ts';
import { findCommand } from './commands/find.ts';
import type { ProcessIo } from './process-io.ts';
import { jobsCommands } from './commands/jobs/jobs.ts';
import { logsCommands } from './commands/logs/logs.ts';
import { masterCommand } from './commands/master.ts';
import { metricsCommands } from './commands/metrics.ts';
import { operationsCommands } from './commands/jobs/operations.ts';
import { pipelineCommand } from './commands/pipeline.ts';
import { secretsCommands } from './commands/secrets.ts';
import { readSecretFiles } from './secret-files.ts';
import { settingsCommands } from './commands/settings.ts';
import { storeCommands } from './commands/store.ts';
import { usersCommands } from './commands/users.ts';
import { workerCommand } from './commands/worker.ts';
import { workersCommands } from './commands/workers.ts';
import { workflowCommands } from './commands/workflows/workflow.ts';

/** Runs one command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(args: readonly string[], io: ProcessIo): Promise<number> {
  const json =
    args.includes('--json') ||
    !['', '0', 'false', 'no', 'off', undefined].includes(io.env['YARDMASTER_JSON']?.toLowerCase());
  try {
    await program(withSecretFiles(io)).parseAsync([...args], { from: 'user' });
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

function program(io: ProcessIo): Command {
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
  for (const add of [
    masterCommand,
    workerCommand,
    pipelineCommand,
    workflowCommands,
    eventCommands,
    findCommand,
    jobsCommands,
    failuresCommands,
    operationsCommands,
    approvalsCommands,
    storeCommands,
    clusterCommands,
    projectionCommands,
    workersCommands,
    logsCommands,
    metricsCommands,
    alertsCommands,
    dashboardCommands,
    keysCommands,
    tokensCommands,
    sessionsCommands,
    usersCommands,
    projectsCommands,
    rolesCommands,
    grantsCommands,
    loginCommands,
    secretsCommands,
    settingsCommands,
    auditCommands,
    backupCommands,
    doctorCommand,
    repairCommand,
  ])
    add(root, io);
  return root;
}
