import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { LIMITS } from '../../contract/limits.ts';
import type { MasterOptions, MasterPorts, RunningMaster } from '../../contract/process.ts';
import { isAllowable, isAlwaysRefused } from '../../lib/addresses.ts';
import { Fault } from '../../lib/fault.ts';
import { defaultDataFolder } from '../../lib/folders.ts';
import { keepCompiledCode } from '../compile-cache.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { limitsFromEnv } from '../limits-from-env.ts';
import { integer, list, option, port } from '../options.ts';
import { exampleCallLines } from './example-call.ts';

interface MasterFlags {
  host: string;
  port?: number;
  logStorePort?: number;
  metricsPort?: number;
  logstashPort?: number;
  data?: string;
  workers: number;
  capacity: number;
  store: string;
  durability: 'normal' | 'full';
  drainSeconds: number;
  behindProxy?: boolean;
  adopt?: boolean;
  allowedHosts?: string[];
  httpAllow?: string[];
  tlsCert?: string;
  tlsKey?: string;
  examples?: string;
  exitWithParent?: boolean;
  json?: boolean;
}

/** `yardmaster master`: runs the job master until it is told to stop. */
export function masterCommand(parent: Command, io: ProcessIo): void {
  const command = parent.command('master').description('run the job master, with its workers and the console');
  option(command, io, '--host <address>', 'address to listen on', { fallback: '127.0.0.1' });
  option(command, io, '--port <n>', 'REST API, events and console (default: 8700 or the next free one; 0: any)', {
    parse: port,
  });
  option(command, io, '--log-store-port <n>', 'log store', { parse: port });
  option(command, io, '--metrics-port <n>', 'time-series store', { parse: port });
  option(command, io, '--logstash-port <n>', 'log pipeline (default: 9000 or the next free one)', { parse: port });
  option(command, io, '--data <dir>', `data folder (default: ${defaultDataFolder(io.env)})`);
  option(command, io, '--workers <n>', 'local worker processes', { parse: integer(0, 256), fallback: 2 });
  option(command, io, '--capacity <n>', 'task slots per worker', {
    parse: integer(1, 10_000),
    fallback: 8,
  });
  option(command, io, '--store <where>', 'where to store the state', { fallback: 'sqlite' });
  option(command, io, '--durability <level>', 'normal: survives a process crash; full: also a power failure', {
    choices: ['normal', 'full'],
    fallback: 'normal',
  });
  option(command, io, '--drain-seconds <n>', 'max. time for running tasks to finish at shutdown', {
    parse: integer(0, 86_400),
    fallback: LIMITS.drainSeconds,
  });
  option(command, io, '--behind-proxy', 'a proxy in front terminates TLS; trust its forwarded headers');
  option(
    command,
    io,
    '--allowed-hosts <names>',
    'comma-separated host names for clients, in addition to loopback, IP addresses and the names in the certificate',
    { parse: list },
  );
  option(
    command,
    io,
    '--http-allow <hosts>',
    'comma-separated hosts, IP addresses and CIDR ranges of private networks that http nodes may call',
    { parse: list },
  );
  option(command, io, '--tls-cert <file>', 'certificate chain (PEM); required to listen on anything but loopback');
  option(command, io, '--tls-key <file>', 'its private key (PEM)');
  option(command, io, '--examples <dir>', 'import the *.workflow.json files of this folder into an empty store');
  option(command, io, '--adopt', 'start even if a part of the data folder is missing (database, logs, metrics)');
  option(
    command,
    io,
    '--exit-with-parent',
    'stop gracefully when standard input closes: for a program that runs its own master',
  );
  option(command, io, '--json', 'print only the ready line, as JSON');
  command.action(async (flags: MasterFlags) => runMaster(flags, io));
}

async function runMaster(flags: MasterFlags, io: ProcessIo): Promise<void> {
  const options = masterOptions(flags, io);
  const { stopped } = io;
  // Heard from the first moment: a parent that dies while the master still starts is gone as well.
  const orphaned = flags.exitWithParent ? new Promise<void>((resolve) => io.onParentGone(resolve)) : null;
  keepCompiledCode(options.data, fileURLToPath(import.meta.url));
  const { startMaster } = await loadEntry<{
    startMaster(options: MasterOptions): Promise<RunningMaster>;
  }>(io, './master.js');
  const running = await startMaster(options);
  // Whoever reads the ready line may signal at once; from here on `stopped` is heard.
  const asked = new Promise<void>((resolve) =>
    stopped.aborted ? resolve() : stopped.addEventListener('abort', () => resolve(), { once: true }),
  );
  if (flags.json) io.out(JSON.stringify(running.ready));
  else for (const line of await readyLines(running, options.data)) io.out(line);
  await Promise.race([asked, running.closed, ...(orphaned ? [orphaned] : [])]);
  if (!flags.json) io.out('Stopping: waiting for running tasks. Press Ctrl-C again to stop immediately.');
  await running.close();
}

/** Options of the command line and the environment, as `startMaster` takes them. */
export function masterOptions(flags: MasterFlags, io: Pick<ProcessIo, 'env' | 'out' | 'err'>): MasterOptions {
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    throw new Fault('USAGE', '--tls-cert and --tls-key belong together: set both, or neither');
  return {
    host: flags.host,
    port: flags.port ?? null,
    logStorePort: flags.logStorePort ?? null,
    metricsPort: flags.metricsPort ?? null,
    logstashPort: flags.logstashPort ?? null,
    data: flags.data ?? defaultDataFolder(io.env),
    workers: flags.workers,
    capacity: flags.capacity,
    store: flags.store,
    durability: flags.durability,
    drainSeconds: flags.drainSeconds,
    behindProxy: flags.behindProxy ?? false,
    adopt: flags.adopt ?? false,
    allowedHosts: flags.allowedHosts ?? [],
    tls:
      flags.tlsCert !== undefined && flags.tlsKey !== undefined
        ? { certFile: flags.tlsCert, keyFile: flags.tlsKey }
        : null,
    httpAllow: allowed(flags.httpAllow ?? []),
    secretsKey: io.env['YARDMASTER_SECRETS_KEY'] || null,
    adminToken: io.env['YARDMASTER_ADMIN_TOKEN'] || null,
    examples: flags.examples === undefined ? null : examplesFolder(flags.examples),
    limits: { ...limitsFromEnv(io.env), drainSeconds: flags.drainSeconds },
    log: flags.json ? (line) => io.err(line) : (line) => io.out(line),
  };
}

function allowed(entries: string[]): string[] {
  const bad = entries.find((entry) => !isAllowable(entry));
  if (bad !== undefined)
    throw new Fault(
      'USAGE',
      `--http-allow expects host names, IP addresses and ranges such as 10.0.0.0/8, got "${bad}"`,
    );
  const never = entries.find(isAlwaysRefused);
  if (never !== undefined)
    throw new Fault(
      'USAGE',
      `--http-allow "${never}" would allow nothing: http nodes never call link-local, metadata, multicast and unspecified addresses`,
    );
  return entries;
}

function examplesFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Fault(
    'USAGE',
    `--examples expects a folder with *.workflow.json files, got "${folder}"; omit the option for a store without examples`,
  );
}

async function readyLines(running: RunningMaster, data: string): Promise<string[]> {
  return [
    '',
    'Yardmaster is running.',
    `  Console  ${running.signInUrl()}`,
    '           (one-time sign-in link, valid for five minutes)',
    `  Ports    ${portsText(running.ready.ports)}`,
    `  Data     ${data}`,
    ...(await exampleCallLines(running)),
    '',
  ];
}

/** Ports in one line; those that are not served are left out. */
export function portsText(ports: MasterPorts): string {
  const named: [string, number | null][] = [
    ['master', ports.master],
    ['log pipeline', ports.logstash],
    ['log store', ports.logStore],
    ['metrics', ports.metrics],
  ];
  return named
    .filter(([, number]) => number !== null)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');
}
