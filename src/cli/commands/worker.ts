import type { Command } from 'commander';
import { LIMITS } from '../../contract/limits.ts';
import type { RunningWorker, MasterAddress, WorkerOptions } from '../../contract/process.ts';
import { Fault } from '../../lib/fault.ts';
import { isOwnHost } from '../../lib/plain-url.ts';
import { parsePipelineAddress, PIPELINE_ADDRESS, type PipelineAddress } from '../../lib/pipeline-address.ts';
import { refusePlain } from '../refuse-plain.ts';
import { loadEntry, type ProcessIo } from '../process-io.ts';
import { integer, list, option, port } from '../options.ts';
import { MEMORY, setFlags } from '../../lib/after-start.ts';

interface WorkerFlags {
  master?: string[];
  capacity: number;
  handlers?: string;
  logstash?: PipelineAddress;
  label?: string[];
  drainSeconds: number;
  healthHost: string;
  healthPort: number;
  allowPlain?: boolean;
  exitWithParent?: boolean;
  json?: boolean;
}

/** `yardmaster worker`: joins a master and runs tasks until it is told to stop. */
export function workerCommand(parent: Command, io: ProcessIo): void {
  const command = parent.command('worker').description('run a worker for a master (token: YARDMASTER_WORKER_TOKEN)');
  option(
    command,
    io,
    '--master <url>',
    'URL of the master, such as http://127.0.0.1:8700; of a cluster, several with commas (or repeat the option); "-": read from the first line of standard input',
    { parse: masterUrls },
  );
  option(command, io, '--allow-plain', 'send the token over http:// to another machine, readable by anyone on the way');
  option(command, io, '--capacity <n>', 'task slots', { parse: integer(1, 10_000), fallback: 8 });
  option(command, io, '--handlers <file>', 'an ES module that exports `handlers`');
  option(
    command,
    io,
    '--logstash <address>',
    'log pipeline, HOST:PORT or tls://HOST:PORT (default: the one announced by the master); its token: YARDMASTER_LOGSTASH_TOKEN',
    { parse: address },
  );
  option(command, io, '--label <key=value>', 'label shown to operators; repeatable', { parse: list });
  option(command, io, '--drain-seconds <n>', 'max. time for running tasks to finish at shutdown', {
    parse: integer(0, 86_400),
    fallback: LIMITS.drainSeconds,
  });
  option(command, io, '--health-host <address>', 'where it serves its own health (GET /healthz, GET /livez)', {
    fallback: '127.0.0.1',
  });
  option(command, io, '--health-port <n>', 'port of its own health (0: any free one)', { parse: port, fallback: 0 });
  option(command, io, '--exit-with-parent', 'stop when standard input closes: for workers run by a supervisor');
  option(command, io, '--json', 'print events as JSON lines');
  command.action(async (flags: WorkerFlags) => runWorker(flags, io));
}

async function runWorker(flags: WorkerFlags, io: ProcessIo): Promise<void> {
  // A master makes its own files private. What handlers write has the mode that whoever started the master wanted.
  const umask = io.env['YARDMASTER_WORKER_UMASK'];
  if (umask !== undefined && /^[0-7]{1,4}$/.test(umask)) process.umask(Number.parseInt(umask, 8));
  const token = io.env['YARDMASTER_WORKER_TOKEN'];
  if (!token)
    throw new Fault(
      'USAGE',
      'no token: set YARDMASTER_WORKER_TOKEN to a token with the role worker (create one with `yardmaster tokens create --name NAME --role worker`)',
    );
  const [master, ...others] = flags.master ?? [];
  if (master === undefined) throw new Fault('USAGE', 'specify the master: --master http://HOST:8700');
  const isTold = master === FROM_STDIN;
  if (flags.allowPlain !== true && !isTold) [master, ...others].forEach(refusePlain);
  if (flags.logstash && flags.allowPlain !== true) refusePlainPipeline(flags.logstash);
  const { stopped } = io;
  let orphaned = false;
  const stopRequested = new Promise<void>((resolve) => {
    if (stopped.aborted) resolve();
    stopped.addEventListener('abort', () => resolve(), { once: true });
    if (flags.exitWithParent)
      io.onParentGone(() => {
        orphaned = true;
        resolve();
      });
  });
  // Told late by the master to the workers that it starts, so that they get ready beside it.
  const told = isTold ? io.firstLine().then(parseMasterAddress) : { master, socket: null };
  const [{ startWorker }, address] = await Promise.all([
    loadEntry<{ startWorker(options: WorkerOptions): Promise<RunningWorker> }>(io, './worker.js'),
    Promise.race([told, stopRequested]),
  ]);
  if (!address) return;
  const starting = startWorker({
    ...address,
    others,
    // A worker of a master's own machine ends with that master.
    follows: !isTold,
    token,
    capacity: flags.capacity,
    handlers: flags.handlers ?? null,
    logstash: flags.logstash ? { ...flags.logstash, token: io.env['YARDMASTER_LOGSTASH_TOKEN'] || null } : null,
    labels: labels(flags.label ?? []),
    health: { host: flags.healthHost, port: flags.healthPort },
    log: flags.json ? (line) => io.out(JSON.stringify({ event: 'say', line })) : (line) => io.out(line),
  });
  const running = await Promise.race([starting, stopRequested]);
  if (running && flags.handlers !== undefined) outliveHandlers(running, io);
  // Told to stop before the master answered: nothing runs yet, nothing is to be drained.
  if (!running) return;
  setFlags(MEMORY);
  if (flags.json)
    io.out(JSON.stringify({ event: 'ready', workerId: running.workerId, master: running.master, pid: process.pid }));
  await Promise.race([stopRequested, running.closed]);
  // Nobody is left to report to when the owner died: its successor gives the tasks to its own workers.
  await running.close(orphaned ? 0 : flags.drainSeconds);
}

/**
 * Handlers share the process. A rejection that nobody waits for is told and outlived; after an exception outside of any
 * handler nothing can be relied on: the master is told at once, so that the tasks beside it are retried elsewhere.
 */
function outliveHandlers(running: RunningWorker, io: ProcessIo): void {
  process.on('unhandledRejection', (reason) =>
    io.err(
      `unhandled rejection in a handler; the worker continues: ${reason instanceof Error ? reason.stack : String(reason)}`,
    ),
  );
  process.on('uncaughtException', (error) => {
    io.err(`uncaught exception outside of a handler; the worker stops: ${error.stack ?? error.message}`);
    void running.close(0).finally(() => process.exit(1));
  });
}

/** `key=value` each. */
export function labels(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, key, value] = /^([A-Za-z0-9_.-]{1,64})=(.{0,200})$/.exec(text) ?? [];
      if (key === undefined || value === undefined)
        throw new Fault('USAGE', `--label must be KEY=VALUE such as zone=b; got "${text}"`);
      return [key, value];
    }),
  );
}

/** In place of a URL: where the master is comes by standard input. */
const FROM_STDIN = '-';

/** What a line of standard input says: a JSON `MasterAddress`. */
function parseMasterAddress(line: string | null): MasterAddress {
  try {
    const { master, socket }: Partial<MasterAddress> = JSON.parse(line ?? '');
    if (typeof master === 'string' && (socket === null || typeof socket === 'string'))
      return { master: masterUrl(master), socket };
  } catch {
    // Said below, as what else it may be.
  }
  throw new Fault(
    'USAGE',
    `with --master -, the first line of standard input must be the address of the master, such as {"master":"http://127.0.0.1:8700","socket":null}; got ${line === null ? 'missing' : JSON.stringify(line.slice(0, 200))}`,
  );
}

/** Origins, each once; or that they come by standard input. */
function masterUrls(text: string, before: string[] | undefined): string[] {
  const all = [...new Set([...(before ?? []), ...list(text, []).map(masterUrl)])];
  if (all.length === 0) return [masterUrl(text)];
  if (all.includes(FROM_STDIN) && all.length > 1)
    throw new Fault('USAGE', '--master "-" reads the address from standard input: name no other beside it');
  return all;
}

function masterUrl(text: string): string {
  if (text === FROM_STDIN) return text;
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Fault('USAGE', `--master must be an http or https URL such as http://127.0.0.1:8700; got "${text}"`);
  return url.origin;
}

export function address(text: string): PipelineAddress {
  const found = parsePipelineAddress(text);
  if (found === null) throw new Fault('USAGE', `--logstash must be ${PIPELINE_ADDRESS}; got "${text}"`);
  return found;
}

function refusePlainPipeline({ host, tls }: PipelineAddress): void {
  if (!tls && !isOwnHost(host))
    throw new Fault(
      'USAGE',
      `the log pipeline on ${host} is on another machine and the connection not encrypted: anyone on the way could read the log lines. Use --logstash tls://HOST:PORT, or accept this with --allow-plain`,
    );
}
