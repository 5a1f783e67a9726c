import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './cache.mjs';
import { programOf } from './debian.mjs';
import { Problem } from './problem.mjs';
import { run } from './processes.mjs';
import { exclusively } from './setup-lock.mjs';

/** Unpacked, not installed: an installed server would start with the machine. */
const PACKAGES = ['openssh-server', 'openssh-client', 'libwrap0'];
/** Of root, where the user that the server runs as reaches it. */
const SHARED = '/var/lib/yardmaster';
const DOWNLOAD_MS = 300_000;

/**
 * OpenSSH's programs for tests of tunnels: those of this machine, else those of Debian's packages, fetched once. `env` is what
 * they need to find their libraries. Throws `Problem`.
 */
export async function ensureOpenSsh(log) {
  const own = Object.fromEntries(['ssh', 'sshd', 'ssh-keygen'].map((name) => [name, programOf(name)]));
  if (Object.values(own).every(Boolean)) return { ...own, env: {}, options: [] };
  const missing = new Problem(
    'The tests of SSH tunnels need sshd, ssh and ssh-keygen.',
    'Install OpenSSH (Debian: apt-get install openssh-server openssh-client).',
  );
  if (process.platform !== 'linux' || !programOf('apt-get') || !programOf('dpkg-deb')) throw missing;
  const folder = join(process.getuid() === 0 ? SHARED : cacheFolder(), 'openssh');
  if (!existsSync(folder))
    await exclusively(`${folder}.lock`, log, async () => {
      if (!existsSync(folder)) await unpack(folder, log);
    });
  const libraries = readdirSync(join(folder, 'usr', 'lib'))
    .map((name) => join(folder, 'usr', 'lib', name))
    .filter((path) => /-linux-gnu/.test(path));
  // Newer ones are in several programs, which look for each other where they would be installed.
  const options = [
    ['SshdSessionPath', 'sshd-session'],
    ['SshdAuthPath', 'sshd-auth'],
  ].flatMap(([option, name]) => {
    const path = join(folder, 'usr', 'lib', 'openssh', name);
    return existsSync(path) ? ['-o', `${option}=${path}`] : [];
  });
  return {
    sshd: own.sshd ?? join(folder, 'usr', 'sbin', 'sshd'),
    ssh: own.ssh ?? join(folder, 'usr', 'bin', 'ssh'),
    'ssh-keygen': own['ssh-keygen'] ?? join(folder, 'usr', 'bin', 'ssh-keygen'),
    env: { LD_LIBRARY_PATH: libraries.join(':') },
    options,
  };
}

/** Only a whole folder is renamed to its place. */
async function unpack(folder, log) {
  log('Fetching OpenSSH (2 MB, once) …');
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'ready'), { recursive: true, mode: 0o755 });
  try {
    const download = () => run('apt-get', ['-q', 'download', ...PACKAGES], { cwd: work, timeout: DOWNLOAD_MS });
    let got = await download();
    if (got.code !== 0 && process.getuid() === 0) {
      await run('apt-get', ['-q', 'update'], { timeout: DOWNLOAD_MS });
      got = await download();
    }
    const files = readdirSync(work).filter((name) => name.endsWith('.deb'));
    if (got.code !== 0 || files.length < PACKAGES.length)
      throw new Problem(
        `OpenSSH could not be fetched (${got.output.trim().split('\n').at(-1)}).`,
        'Check the network, or install OpenSSH (Debian: apt-get install openssh-server openssh-client).',
      );
    for (const file of files) {
      const { code, output } = await run('dpkg-deb', ['-x', join(work, file), join(work, 'ready')]);
      if (code !== 0) throw new Problem(`${file} could not be unpacked.`, output.trim());
    }
    renameSync(join(work, 'ready'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
