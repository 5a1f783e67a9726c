import type { Command } from 'commander';
import type { PipelineProcessOptions, RunningPipeline } from '../../contract/process.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';
import { defaultDataFolder } from '../../lib/folders.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { limitsFromEnv } from '../limits-from-env.ts';
import { integer, option, port } from '../options.ts';
import { tenantOf } from '../remote-logs.ts';
import { remoteStore } from '../remote-store.ts';
import { MEMORY, setFlags } from '../../lib/after-start.ts';

interface PipelineFlags {
  logStore?: string;
  host: string;
  logstashPort?: number;
  queue?: string;
  pipelineReplicas: number;
  gzip?: boolean;
  logStoreTenant?: string;
  logStoreCa?: string;
  redact?: string;
  tlsCert?: string;
  tlsKey?: string;
  tlsOnly?: boolean;
  tokens?: string;
  allowOpen?: boolean;
  durability: 'normal' | 'full';
  json?: boolean;
}

const EXAMPLE = 'http://10.0.0.5:9428';

/** `yardmaster pipeline`: a log pipeline by itself, before a log store anywhere. */
export function pipelineCommand(parent: Command, io: ProcessIo): void {
  const command = parent
    .command('pipeline')
    .description(
      'receive log lines over TCP and deliver them to a remote log store (credentials: YARDMASTER_LOG_STORE_TOKEN, or YARDMASTER_LOG_STORE_USER and _PASSWORD)',
    );
  option(command, io, '--log-store <url>', `URL of the log store, such as ${EXAMPLE}`);
  option(command, io, '--log-store-tenant <id>', 'tenant in VictoriaLogs, as AccountID:ProjectID (default: 0:0)');
  option(command, io, '--log-store-ca <file>', 'certificate authority of that URL (PEM)');
  option(
    command,
    io,
    '--redact <path>',
    'values that are taken out of every line: a file with NAME=VALUE lines, or a folder with a file for each',
  );
  option(command, io, '--host <address>', 'address to listen on', { fallback: '127.0.0.1' });
  option(command, io, '--logstash-port <n>', 'port to listen on (default: 9000 or the next free one)', { parse: port });
  option(command, io, '--queue <dir>', 'folder for the disk queue (default: pipeline-alone in the data folder)');
  option(command, io, '--pipeline-replicas <n>', 'parallel pipelines on that port', {
    parse: integer(1, 16),
    fallback: 1,
  });
  option(command, io, '--gzip', 'compress data sent to the log store');
  option(command, io, '--tls-cert <file>', 'certificate chain (PEM), for TLS senders');
  option(command, io, '--tls-key <file>', 'its private key (PEM)');
  option(command, io, '--tls-only', 'reject senders that do not use TLS');
  option(
    command,
    io,
    '--tokens <file>',
    'file with the tokens of the senders, one a line (or YARDMASTER_PIPELINE_TOKEN: one token); each connection then begins with AUTH',
  );
  option(command, io, '--allow-open', 'take lines of other machines without a token and TLS');
  option(
    command,
    io,
    '--durability <level>',
    'normal: accepted lines survive a process crash; full: also a power failure',
    { choices: ['normal', 'full'], fallback: 'normal' },
  );
  option(command, io, '--json', 'print only the ready line, as JSON');
  command.action(async (flags: PipelineFlags) => runPipeline(flags, io));
}

async function runPipeline(flags: PipelineFlags, io: ProcessIo): Promise<void> {
  if (flags.logStore === undefined) throw new Fault('USAGE', 'specify the log store: --log-store http://HOST:9428');
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined))
    throw new Fault('USAGE', '--tls-cert and --tls-key belong together: set both, or neither');
  if (flags.tlsOnly && flags.tlsCert === undefined)
    throw new Fault('USAGE', '--tls-only requires --tls-cert and --tls-key');
  const { stopped } = io;
  const logStore = remoteStore('log-store', { url: flags.logStore, ca: flags.logStoreCa, example: EXAMPLE }, io.env);
  const { startPipeline } = await loadEntry<{
    startPipeline(options: PipelineProcessOptions): Promise<RunningPipeline>;
  }>(io, './pipeline.js');
  const running = await startPipeline({
    host: flags.host,
    port: flags.logstashPort ?? null,
    data: flags.queue ?? join(defaultDataFolder(io.env), 'pipeline-alone'),
    logStore,
    tenant: flags.logStoreTenant === undefined ? null : tenantOf('log-store-tenant', flags.logStoreTenant),
    redact: flags.redact ?? null,
    replicas: flags.pipelineReplicas,
    gzip: flags.gzip ?? false,
    tls:
      flags.tlsCert !== undefined && flags.tlsKey !== undefined
        ? { certFile: flags.tlsCert, keyFile: flags.tlsKey, only: flags.tlsOnly ?? false }
        : null,
    tokens: tokensOf(flags, io),
    open: flags.allowOpen ?? false,
    durability: flags.durability,
    limits: limitsFromEnv(io.env),
    log: flags.json ? (line) => io.err(line) : (line) => io.out(line),
  });
  const asked = new Promise<void>((resolve) =>
    stopped.aborted ? resolve() : stopped.addEventListener('abort', () => resolve(), { once: true }),
  );
  setFlags(MEMORY);
  if (flags.json)
    io.out(JSON.stringify({ event: 'ready', port: running.port, logStore: logStore.url, pid: process.pid }));
  else io.out(`The log pipeline listens on ${flags.host}:${running.port} and delivers to ${logStore.url}.`);
  await asked;
  await running.close();
}

/** Those of the file and the one of the environment; null: none. A secret has no place on a command line. */
function tokensOf({ tokens: file }: PipelineFlags, io: ProcessIo): string[] | null {
  const one = io.env['YARDMASTER_PIPELINE_TOKEN'] || null;
  if (file === undefined) return one === null ? null : [one];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Fault('USAGE', `--tokens ${file} cannot be read: ${errorMessage(error)}`);
  }
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new Fault('USAGE', `--tokens ${file} has no tokens: write one on each line`);
  const odd = lines.find((line) => /\s/.test(line));
  if (odd !== undefined) throw new Fault('USAGE', `--tokens ${file}: a token has no blanks, one line has`);
  return one === null ? lines : [...lines, one];
}
