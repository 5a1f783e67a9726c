import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { serverUser } from '../../../../scripts/lib/postgres-binaries.mjs';
import { freePort } from '../../../../scripts/lib/postgres.mjs';
import { ensureOpenSsh } from '../../../../scripts/lib/sshd.mjs';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';

export interface Sshd {
  readonly port: number;
  /** `ssh` with a configuration of its own: the destinations `works`, and others as the tests name them. */
  readonly ssh: readonly string[];
  /** Lines of the client's configuration for a destination. */
  host(name: string, lines: readonly string[]): void;
  /** The host key as it stands in known hosts. */
  readonly knownHost: string;
  readonly folder: string;
  key(name: string): string;
  /** How many it has now. */
  connections(): number;
  /** With its connections. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A real OpenSSH server of a test: its own keys, on loopback, for the user that it runs as (another than root, as PostgreSQL's). */
export async function startSshd(settings: readonly string[] = []): Promise<Sshd> {
  const openssh = await ensureOpenSsh(() => {});
  const folder = temporaryFolder('sshd');
  const user = serverUser();
  const env = { ...process.env, ...openssh.env };
  const server = join(folder, 'server');
  mkdirSync(server);
  const key = (name: string) => {
    const file = join(folder, name);
    execFileSync(openssh['ssh-keygen'], ['-q', '-t', 'ed25519', '-N', '', '-f', file], { env });
    return file;
  };
  const own = key('key');
  const hostKey = key('host-key');
  copyFileSync(hostKey, join(server, 'host-key'));
  copyFileSync(`${own}.pub`, join(server, 'authorized-keys'));
  chmodSync(folder, 0o711);
  if (user)
    for (const path of [server, join(server, 'host-key'), join(server, 'authorized-keys')])
      chownSync(path, user.uid, user.gid);
  const port = await freePort();
  const config = join(folder, 'ssh-config');
  const knownHosts = join(folder, 'known-hosts');
  const [type, material] = readFileSync(`${hostKey}.pub`, 'utf8').split(' ');
  const knownHost = `[127.0.0.1]:${port} ${type} ${material}`;
  writeFileSync(knownHosts, `${knownHost}\n`);
  let child: ReturnType<typeof spawn> | null = null;

  const sshd: Sshd = {
    port,
    folder,
    knownHost,
    key,
    ssh: [openssh.ssh, '-F', config],
    host(name, lines) {
      const written = [
        `Host ${name}`,
        '  HostName 127.0.0.1',
        `  Port ${port}`,
        `  User ${user ? 'nobody' : userInfo().username}`,
        `  IdentityFile ${own}`,
        '  IdentitiesOnly yes',
        `  UserKnownHostsFile ${knownHosts}`,
        '  GlobalKnownHostsFile /dev/null',
      ];
      // The first value of an option counts.
      writeFileSync(config, [`Host ${name}`, ...lines.map((line) => `  ${line}`), ...written, ''].join('\n'), {
        flag: 'a',
      });
    },
    connections: () => childrenOf(child?.pid).length,
    async stop() {
      const running = child;
      child = null;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      // Each has a process of its own, which outlives the server.
      const others = childrenOf(running.pid);
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      for (const pid of others) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
      await exited;
    },
    async start() {
      const made = spawn(
        openssh.sshd,
        [
          ...['-D', '-e', '-f', '/dev/null', '-p', String(port)],
          ...[
            'ListenAddress=127.0.0.1',
            `HostKey=${join(server, 'host-key')}`,
            `AuthorizedKeysFile=${join(server, 'authorized-keys')}`,
            'StrictModes=no',
            // Without it, a server that is not root takes every account for locked.
            'UsePAM=yes',
            'PasswordAuthentication=no',
            'KbdInteractiveAuthentication=no',
            `PidFile=none`,
            ...settings,
          ].flatMap((one) => ['-o', one]),
          ...openssh.options,
        ],
        { env, stdio: ['ignore', 'ignore', 'pipe'], cwd: server, ...user },
      );
      child = made;
      let said = '';
      made.stderr?.setEncoding('utf8');
      await new Promise<void>((resolve, reject) => {
        made.stderr?.on('data', (text: string) => {
          said += text;
          if (/Server listening/.test(said)) resolve();
        });
        made.once('error', reject);
        made.once('exit', () => reject(new Error(`sshd ended: ${said}`)));
      });
    },
  };
  sshd.host('works', []);
  await sshd.start();
  return sshd;
}

/** A connection has one or two; none where the process has ended meanwhile. */
function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  let listed = '';
  try {
    listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')))
      throw error;
  }
  const own = listed
    .split(' ')
    .filter((one) => one.trim() !== '')
    .map(Number);
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}
