import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { LIMITS } from '../../contract/limits.ts';
import type { Durability, MasterOptions, MasterPorts, RunningMaster } from '../../contract/process.ts';
import { PROJECTION_EXTRAS, type ProjectionExtra } from '../../contract/vocabulary.ts';
import { isAllowable, isAlwaysRefused } from '../../lib/addresses.ts';
import { Fault } from '../../lib/fault.ts';
import { defaultDataFolder } from '../../lib/folders.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { isProxyRange, LOCAL_PROXIES } from '../../lib/proxies.ts';
import { keepCompiledCode } from '../compile-cache.ts';
import { outliveUnknownOutcomes } from '../outlive-unknown-outcomes.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { limitsFromEnv } from '../limits-from-env.ts';
import { type OidcFlags, oidcOf, oidcOptions } from '../oidc-options.ts';
import { type RemoteLogsFlags, remoteLogsOf, remoteLogsOptions } from '../remote-logs.ts';
import { type OtlpFlags, otlpOf, otlpOptions } from '../otlp-options.ts';
import { integer, list, listOrSwitch, option, port } from '../options.ts';
import { MEMORY, setFlags, SHARED, warmThreads } from '../../lib/after-start.ts';
import {
  type RemoteMetricsFlags,
  remoteMetricsOf,
  remoteMetricsOptions,
  type RemoteWriteFlags,
  remoteWriteOf,
  remoteWriteOptions,
} from '../remote-metrics.ts';
import { exampleCallLines } from './example-call.ts';

interface MasterFlags extends OidcFlags, OtlpFlags, RemoteLogsFlags, RemoteMetricsFlags, RemoteWriteFlags {
  host: string;
  port?: number;
  logStorePort?: number;
  metricsPort?: number;
  logstashPort?: number;
  data?: string;
  workers: number;
  capacity: number;
  store: string;
  advertiseUrl?: string;
  publicUrl?: string;
  snapshots?: string;
  projection?: true | string[] | false;
  durability?: 'normal' | 'full';
  drainSeconds: number;
  behindProxy?: true | string[] | false;
  protectLoopback?: boolean;
  adopt?: boolean;
  allowedHosts?: string[];
  httpAllow?: string[];
  auditFile?: string;
  auditSyslog?: string;
  auditWebhook?: string;
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
  remoteLogsOptions(command, io);
  option(command, io, '--data <dir>', `data folder (default: ${defaultDataFolder(io.env)})`);
  option(command, io, '--workers <n>', 'local worker processes', { parse: integer(0, 256), fallback: 2 });
  option(command, io, '--capacity <n>', 'task slots per worker', {
    parse: integer(1, 10_000),
    fallback: 8,
  });
  option(command, io, '--store <where>', 'sqlite, or the postgres://… URL that several masters share', {
    fallback: 'sqlite',
  });
  option(
    command,
    io,
    '--advertise-url <url>',
    'where other masters and workers reach this one (default: host and port)',
  );
  option(
    command,
    io,
    '--public-url <url>',
    'where the internet reaches webhooks and one-time links, for example https://hooks.example.com (default: the address that the console was opened with)',
  );
  option(
    command,
    io,
    '--snapshots <where>',
    'with --store postgres://…: keep snapshots in this folder, which all masters see, or in s3://BUCKET/PREFIX (keys: AWS_ACCESS_KEY_ID …; default: in PostgreSQL)',
  );
  option(
    command,
    io,
    '--projection [columns]',
    'with --store postgres://…: keep tables for SQL up in PostgreSQL, without inputs and outputs; messages,labels: with the texts of errors and the labels of jobs',
    { parse: listOrSwitch },
  );
  option(
    command,
    io,
    '--durability <level>',
    'normal: survives a process crash; full: also a power failure (default: full if the disk syncs quickly)',
    { choices: ['normal', 'full'] },
  );
  option(command, io, '--drain-seconds <n>', 'max. time for running tasks to finish at shutdown', {
    parse: integer(0, 86_400),
    fallback: LIMITS.drainSeconds,
  });
  option(
    command,
    io,
    '--behind-proxy [addresses]',
    'a proxy in front terminates TLS; believe its X-Forwarded headers. Comma-separated IP addresses and CIDR ranges of the proxies (default: this machine); needs --allowed-hosts',
    { parse: listOrSwitch },
  );
  option(
    command,
    io,
    '--protect-loopback',
    'require a token on the ports of the log store and the log pipeline also from this machine (for machines with several users)',
  );
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
  option(command, io, '--audit-file <file>', 'append the audit log to this file, as JSON lines');
  option(
    command,
    io,
    '--audit-syslog <url>',
    'send the audit log to tls://HOST:6514, tcp://HOST:601 or udp://HOST:514',
  );
  option(
    command,
    io,
    '--audit-webhook <url>',
    'post the audit log to this https URL; signed if YARDMASTER_AUDIT_WEBHOOK_SECRET is set',
  );
  remoteMetricsOptions(command, io);
  remoteWriteOptions(command, io);
  otlpOptions(command, io);
  oidcOptions(command, io);
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
  // Heard from the first moment: a parent that dies while the master still starts is gone as well.
  const orphaned = new AbortController();
  if (flags.exitWithParent) io.onParentGone(() => orphaned.abort());
  const stopped = AbortSignal.any([io.stopped, orphaned.signal]);
  const options = masterOptions(flags, io);
  keepCompiledCode(options.data, fileURLToPath(import.meta.url));
  outliveUnknownOutcomes(process, options.log);
  const { startMaster } = await loadEntry<{
    startMaster(options: MasterOptions, stopped: AbortSignal): Promise<RunningMaster>;
  }>(io, './master.js');
  const running = await startMaster(options, stopped).catch((error: unknown) => {
    if (error === stopped.reason) return null;
    throw error;
  });
  if (running === null) return;
  // Whoever reads the ready line may signal at once; from here on `stopped` is heard.
  const asked = new Promise<void>((resolve) =>
    stopped.aborted ? resolve() : stopped.addEventListener('abort', () => resolve(), { once: true }),
  );
  for (const flags of [MEMORY, SHARED]) setFlags(flags);
  warmThreads();
  if (flags.json) io.out(JSON.stringify(running.ready));
  else for (const line of await readyLines(running, options)) io.out(line);
  await Promise.race([asked, running.closed]);
  if (!flags.json) io.out('Stopping: waiting for running tasks. Press Ctrl-C again to stop immediately.');
  await running.close();
}

/** Options of the command line and the environment, as `startMaster` takes them. */
export function masterOptions(flags: MasterFlags, io: Pick<ProcessIo, 'env' | 'out' | 'err'>): MasterOptions {
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    throw new Fault('USAGE', '--tls-cert and --tls-key belong together: set both, or neither');
  const publicUrl = publicUrlOf(flags);
  return {
    host: flags.host,
    port: flags.port ?? null,
    logStorePort: flags.logStorePort ?? null,
    metricsPort: flags.metricsPort ?? null,
    logstashPort: flags.logstashPort ?? null,
    logs: remoteLogsOf(flags, io.env),
    data: flags.data ?? defaultDataFolder(io.env),
    workers: flags.workers,
    capacity: flags.capacity,
    store: flags.store,
    advertiseUrl: flags.advertiseUrl ?? null,
    publicUrl: publicUrl?.origin ?? null,
    snapshots: flags.snapshots ?? null,
    projection: projectionOf(flags),
    durability: flags.durability ?? null,
    drainSeconds: flags.drainSeconds,
    proxies: proxiesOf(flags),
    protectLoopback: flags.protectLoopback ?? false,
    adopt: flags.adopt ?? false,
    allowedHosts: [...(flags.allowedHosts ?? []), ...(publicUrl ? [publicUrl.hostname] : [])],
    tls:
      flags.tlsCert !== undefined && flags.tlsKey !== undefined
        ? { certFile: flags.tlsCert, keyFile: flags.tlsKey }
        : null,
    httpAllow: allowed(flags.httpAllow ?? []),
    secretsKey: io.env['YARDMASTER_SECRETS_KEY'] || null,
    adminToken: io.env['YARDMASTER_ADMIN_TOKEN'] || null,
    presetTokens: {
      worker: io.env['YARDMASTER_PRESET_WORKER_TOKEN'] || null,
      viewer: io.env['YARDMASTER_PRESET_VIEWER_TOKEN'] || null,
    },
    auditExport: {
      file: flags.auditFile === undefined ? null : resolve(flags.auditFile),
      syslog: flags.auditSyslog ?? null,
      webhook: flags.auditWebhook ?? null,
      webhookSecret: io.env['YARDMASTER_AUDIT_WEBHOOK_SECRET'] || null,
    },
    metrics: remoteMetricsOf(flags, io.env),
    remoteWrite: remoteWriteOf(flags, io.env),
    otlp: otlpOf(flags, io.env),
    oidc: oidcOf(flags, io.env),
    examples: flags.examples === undefined ? null : examplesFolder(flags.examples),
    limits: { ...limitsFromEnv(io.env), drainSeconds: flags.drainSeconds },
    log: flags.json ? (line) => io.err(line) : (line) => io.out(line),
  };
}

function publicUrlOf({ publicUrl }: MasterFlags): URL | null {
  if (publicUrl === undefined) return null;
  const url = URL.parse(publicUrl);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new Fault(
    'USAGE',
    `--public-url expects scheme, host and port, without a path, such as https://hooks.example.com, got "${publicUrl}"`,
  );
}

function projectionOf({ projection, store }: MasterFlags): ProjectionExtra[] | null {
  if (projection === undefined || projection === false) return null;
  if (!store.startsWith('postgres'))
    throw new Fault('USAGE', '--projection writes to the PostgreSQL of --store postgres://…, and there is none');
  const names = projection === true ? [] : projection;
  const known = PROJECTION_EXTRAS.filter((extra) => names.includes(extra));
  const unknown = names.find((name) => !known.some((extra) => extra === name));
  if (unknown !== undefined)
    throw new Fault('USAGE', `--projection knows ${PROJECTION_EXTRAS.join(', ')}, got "${unknown}"`);
  return known;
}

function proxiesOf({ behindProxy, allowedHosts }: MasterFlags): string[] | null {
  if (behindProxy === undefined || behindProxy === false) return null;
  const proxies = behindProxy === true ? [...LOCAL_PROXIES] : behindProxy;
  const bad = proxies.find((entry) => !isProxyRange(entry));
  if (bad !== undefined)
    throw new Fault(
      'USAGE',
      `--behind-proxy expects IP addresses and ranges such as 10.0.0.5,192.168.1.0/24, got "${bad}"`,
    );
  if (allowedHosts === undefined || allowedHosts.length === 0)
    throw new Fault(
      'USAGE',
      '--behind-proxy needs --allowed-hosts with the names under which clients reach the proxy, for example --allowed-hosts yardmaster.example.com: without them any web page could call this master by a name of its own (DNS rebinding)',
    );
  return proxies;
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

export async function readyLines(
  running: RunningMaster,
  { data, host }: Pick<MasterOptions, 'data' | 'host'>,
): Promise<string[]> {
  return [
    '',
    'Yardmaster is running.',
    // Output of a master that others reach is kept and read by others, too: it lets nobody in.
    ...(isLoopback(host)
      ? [`  Console  ${running.signInUrl()}`, '           (one-time sign-in link, valid for five minutes)']
      : [`  Console  ${running.ready.url}`]),
    `  Ports    ${portsText(running.ready.ports)}`,
    `  Data     ${data}`,
    `           ${durabilityText(running.durability)}`,
    ...(await exampleCallLines(running)),
    '',
  ];
}

/** What the data survives, and why that was chosen. */
export function durabilityText({ level, syncMs }: Durability): string {
  const survives = level === 'full' ? 'survives a power failure' : 'survives a crash, but not a power failure';
  const why =
    syncMs === null
      ? ''
      : level === 'full'
        ? `: the disk syncs in ${syncMs.toFixed(1)} ms`
        : `: the disk needs ${syncMs.toFixed(0)} ms per sync; use --durability full to wait for it`;
  return `(durability ${level}, ${survives}${why})`;
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
