import type { Command } from 'commander';
import { grantsCommands, projectsCommands, rolesCommands } from './commands/projects.ts';
import { keysCommands, sessionsCommands, tokensCommands } from './commands/keys.ts';
import { approvalsCommands } from './commands/approvals.ts';
import { auditCommands } from './commands/audit.ts';
import { alertsCommands } from './commands/alerts.ts';
import { backupCommands, repairCommand } from './commands/backup.ts';
import { codeCommands } from './commands/code/code.ts';
import { clusterCommands } from './commands/cluster.ts';
import { projectionCommands } from './commands/projection.ts';
import { dashboardCommands } from './commands/dashboards.ts';
import { doctorCommand } from './commands/doctor.ts';
import { eventCommands } from './commands/workflows/event.ts';
import { loginCommands } from './commands/login.ts';
import { failuresCommands } from './commands/jobs/failures.ts';
import { findCommand } from './commands/find.ts';
import { grafanaCommands } from './commands/grafana.ts';
import { jobsCommands } from './commands/jobs/jobs.ts';
import { logsCommands } from './commands/logs/logs.ts';
import { metricsCommands } from './commands/metrics.ts';
import { operationsCommands } from './commands/jobs/operations.ts';
import { schedulesCommands } from './commands/schedules.ts';
import { secretsCommands } from './commands/secrets.ts';
import { settingsCommands } from './commands/settings.ts';
import { storeCommands } from './commands/store.ts';
import { usersCommands } from './commands/users.ts';
import { webhooksCommands } from './commands/webhooks.ts';
import { workersCommands } from './commands/workers.ts';
import { workflowCommands } from './commands/workflows/workflow.ts';
import type { ProcessIo } from './process-io.ts';

/** The commands that ask a master, or look at its data, and end: in the order of the help. */
export const ASKING: readonly ((root: Command, io: ProcessIo) => void)[] = [
  workflowCommands,
  codeCommands,
  eventCommands,
  findCommand,
  jobsCommands,
  failuresCommands,
  operationsCommands,
  schedulesCommands,
  approvalsCommands,
  storeCommands,
  clusterCommands,
  projectionCommands,
  workersCommands,
  logsCommands,
  metricsCommands,
  alertsCommands,
  dashboardCommands,
  grafanaCommands,
  keysCommands,
  tokensCommands,
  sessionsCommands,
  usersCommands,
  projectsCommands,
  rolesCommands,
  grantsCommands,
  loginCommands,
  webhooksCommands,
  secretsCommands,
  settingsCommands,
  auditCommands,
  backupCommands,
  doctorCommand,
  repairCommand,
];
