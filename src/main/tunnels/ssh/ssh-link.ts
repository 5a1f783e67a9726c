import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { SshVia, TunnelStep } from '../../../contract/tunnels.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { Fault } from '../../../lib/fault.ts';
import { portOf } from '../../../lib/listen-on-port.ts';
import { checkMaster, masterStream, type MasterEnd } from '../master-stream.ts';
import type { Attempt, Link } from '../tunnel.ts';
import { sshArguments } from './ssh-command.ts';
import { spoken, sshFault } from './ssh-faults.ts';

export interface SshOptions {
  readonly via: SshVia;
  /** Of the master, as the server sees it. */
  readonly url: string;
  /** Of the certificate's authority; null: the system's. */
  readonly ca: string | null;
  /** The program and its first arguments. */
  readonly ssh?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Each step that went well. */
  report?(step: TunnelStep, message: string): void;
}

/** How much of what it writes is kept. */
const MOST_OUTPUT = 64 * 1024;
const OPEN_MS = 30_000;
/** How long after the end of a connection it may say why. */
const WORDS_MS = 1_000;
/** Written once the server has let it in and its end of the tunnel listens. */
const READY = /debug1: Entering interactive session|debug1: pledge: /;

/** A tunnel by the system's `ssh`. Its local end is a socket in a folder of this user alone; on Windows, which has none, a port of loopback. */
export async function openSshLink(options: SshOptions, { signal, lost }: Attempt): Promise<Link> {
  const { via, env = process.env, report } = options;
  const master = new URL(options.url);
  const end: MasterEnd = {
    name: `${master.origin} at ${via.destination}`,
    tls: master.protocol === 'https:' ? { servername: master.hostname.replace(/^\[|\]$/g, ''), ca: options.ca } : null,
  };
  const local = await localEnd(options.platform ?? process.platform);
  const [program = 'ssh', ...first] = options.ssh ?? ['ssh'];
  const child = spawn(program, [...first, ...sshArguments(via, local.argument, master)], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  const ssh = watch(child, via.destination, env);
  const close = () => {
    ssh.kill();
    local.remove();
  };
  const dial = async (): Promise<Duplex> => {
    const socket = connect(local.address);
    socket.on('error', () => {});
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(OPEN_MS) });
    } catch (error) {
      socket.destroy();
      throw ssh.ended() ?? error;
    }
    return masterStream(socket, end);
  };
  const abort = () => close();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await ssh.ready();
    report?.('ssh', `${via.destination} accepts your key`);
    const found = await checkMaster(dial, end).catch(async (error: unknown) => {
      if (isAnswer(error)) throw error;
      const refusal = await ssh.refusal(end.name);
      throw ssh.ended() ?? refusal ?? error;
    });
    report?.('forward', found);
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
  let closed = false;
  void ssh.exited.then((fault) => {
    local.remove();
    if (!closed) lost(fault);
  });
  return {
    through: via.destination,
    token: null,
    dial,
    close() {
      closed = true;
      close();
    },
  };
}

/** True where something at the far end answered, and is not what was looked for. */
const isAnswer = (error: unknown): boolean =>
  error instanceof Fault && (error.code === 'CA_INVALID' || error.cause === undefined);

/** What it writes, how it ends. */
function watch(child: ChildProcess, destination: string, env: NodeJS.ProcessEnv) {
  let output = '';
  let ended: Fault | null = null;
  let hear = () => {};
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => {
    output = (output + text).slice(-MOST_OUTPUT);
    hear();
  });
  const exited = new Promise<Fault>((resolve) => {
    child.once('error', (error) =>
      resolve(
        errorCode(error) === 'ENOENT'
          ? new Fault('SSH_MISSING', 'there is no ssh program on this machine: install the OpenSSH client')
          : new Fault('TUNNEL_LOST', `could not start ssh (${errorMessage(error)})`),
      ),
    );
    child.once('close', () => resolve(sshFault(output, destination, Boolean(env['SSH_AUTH_SOCK']))));
  });
  void exited.then((fault) => {
    ended = fault;
  });
  return {
    exited,
    ended: () => ended,
    kill: () => void child.kill(),
    /** What the server said about the last connection through it, where it refused one: heard of before or after its end. */
    async refusal(name: string): Promise<Fault | null> {
      const said = () => spoken(output).findLast((one) => /open failed/.test(one));
      const told = new Promise<void>((resolve) => {
        hear = () => void (said() !== undefined && resolve());
        hear();
      });
      await Promise.race([told, exited, wait(WORDS_MS, null, { ref: false })]);
      const line = said();
      if (line === undefined) return null;
      if (/administratively prohibited/.test(line)) return sshFault(output, destination, true);
      return new Fault(
        'MASTER_UNREACHABLE',
        `SSH works, but ${name} does not answer (${line.replace(/^channel \d+: /, '')}): check the URL and that the master runs there`,
      );
    },
    async ready(): Promise<void> {
      const listening = new Promise<void>((resolve) => {
        hear = () => void (READY.test(output) && resolve());
        hear();
      });
      const late = AbortSignal.timeout(OPEN_MS);
      const tooLate = new Promise<never>((_resolve, reject) => {
        late.addEventListener('abort', () =>
          reject(new Fault('SSH_UNREACHABLE', `${destination} did not let SSH in within ${OPEN_MS / 1000} s`)),
        );
      });
      tooLate.catch(() => {});
      const fault = await Promise.race([listening, exited, tooLate]);
      if (fault) throw fault;
    },
  };
}

interface LocalEnd {
  readonly argument: string;
  readonly address: NetConnectOpts;
  remove(): void;
}

async function localEnd(platform: NodeJS.Platform): Promise<LocalEnd> {
  if (platform !== 'win32') {
    const folder = mkdtempSync(join(tmpdir(), 'yard-ssh-'));
    const path = join(folder, 'ssh');
    return { argument: path, address: { path }, remove: () => rmSync(folder, { recursive: true, force: true }) };
  }
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise((done) => server.close(done));
  return { argument: `127.0.0.1:${port}`, address: { host: '127.0.0.1', port }, remove: () => {} };
}
