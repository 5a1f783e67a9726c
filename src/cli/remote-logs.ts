import type { Command } from 'commander';
import type { RemoteLogsOptions } from '../contract/process.ts';
import { Fault } from '../lib/fault.ts';
import { option } from './options.ts';
import type { ProcessIo } from './process-io.ts';
import { remoteAddress, remoteStore } from './remote-store.ts';

export interface RemoteLogsFlags {
  logs?: string;
  logsInsert?: string;
  logsTenant?: string;
  logsCa?: string;
}

const EXAMPLE = 'https://victorialogs.example:9428';
const TENANT = /^(\d{1,10}):(\d{1,10})$/;
const MOST = 2 ** 32 - 1;

/** The options of `master` for log lines that VictoriaLogs keeps. */
export function remoteLogsOptions(command: Command, io: ProcessIo): void {
  option(
    command,
    io,
    '--logs <url>',
    'keep log lines in this VictoriaLogs instead (credentials: YARDMASTER_LOGS_USER and _PASSWORD, or _TOKEN)',
  );
  option(command, io, '--logs-insert <url>', 'where lines are sent, if not to the same URL (vlinsert of a cluster)');
  option(command, io, '--logs-tenant <id>', 'tenant in VictoriaLogs, as AccountID:ProjectID (default: 0:0)');
  option(command, io, '--logs-ca <file>', 'certificate authority of that URL (PEM)');
}

/** Null: the master keeps them. Throws USAGE. */
export function remoteLogsOf(flags: RemoteLogsFlags, env: ProcessIo['env']): RemoteLogsOptions | null {
  const { logs, logsInsert: insert, logsTenant, logsCa: ca } = flags;
  if (logs === undefined) {
    const lonely =
      insert !== undefined ? 'insert' : logsTenant !== undefined ? 'tenant' : ca !== undefined ? 'ca' : null;
    if (lonely !== null) throw new Fault('USAGE', `--logs-${lonely} needs --logs with the URL of VictoriaLogs`);
    return null;
  }
  const store = remoteStore('logs', { url: logs, ca, example: EXAMPLE }, env);
  const insertAt = insert === undefined ? null : remoteAddress('logs-insert', insert, env, EXAMPLE);
  if (insertAt?.inUrl)
    throw new Fault('USAGE', '--logs-insert is used with the credentials of --logs: leave out others');
  return {
    ...store,
    insertUrl: insertAt?.url ?? null,
    tenant: logsTenant === undefined ? null : tenantOf('logs-tenant', logsTenant),
  };
}

/** Checks a tenant. Throws USAGE. */
export function tenantOf(name: string, text: string): string {
  const [, account, project] = TENANT.exec(text) ?? [];
  if (account === undefined || project === undefined || Number(account) > MOST || Number(project) > MOST)
    throw new Fault(
      'USAGE',
      `--${name} must be two numbers from 0 to ${MOST} such as 12:0 (AccountID:ProjectID), got "${text}"`,
    );
  return text;
}
