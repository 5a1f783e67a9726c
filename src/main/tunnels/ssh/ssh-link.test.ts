import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { portOf } from '../../../lib/listen-on-port.ts';
import { createTunnel } from '../tunnel.ts';
import { isLasting } from '../tunnels.ts';
import { openSshLink, type SshOptions } from './ssh-link.ts';
import { startSshd, type Sshd } from './sshd.fixture.ts';

let sshd: Sshd;
const master = createServer((_asked, answer) => answer.end('from behind'));
beforeAll(async () => {
  master.listen(0, '127.0.0.1');
  await once(master, 'listening');
  sshd = await startSshd();
});
afterAll(async () => {
  master.closeAllConnections();
  master.close();
  await sshd.stop();
});

const optionsFor = (destination: string, change: Partial<SshOptions> = {}): SshOptions => ({
  via: { kind: 'ssh', destination, port: null },
  url: `http://127.0.0.1:${portOf(master)}`,
  ca: null,
  ssh: sshd.ssh,
  ...change,
});
function tunnelTo(options: SshOptions) {
  const tunnel = createTunnel({ isLasting, open: (attempt) => openSshLink(options, attempt) });
  onTestFinished(() => tunnel.close());
  tunnel.target();
  const opened = () => vi.waitFor(() => expect(tunnel.status()).toMatchObject({ state: 'open' }));
  return { tunnel, opened, url: () => tunnel.target()?.url ?? '' };
}
const get = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
async function refusal(options: SshOptions) {
  const attempt = { signal: new AbortController().signal, lost: () => {} };
  const fault: unknown = await openSshLink(options, attempt).then(
    (link) => (link.close(), new Error('it opened')),
    (error: unknown) => error,
  );
  return { code: errorCode(fault), message: errorMessage(fault), lasting: isLasting(fault) };
}

test('a master behind a real SSH server is reached', async () => {
  const { tunnel, opened, url } = tunnelTo(optionsFor('works'));
  await opened();
  expect(tunnel.status().through).toBe('works');
  expect(await get(url())).toBe('from behind');
});

test('once it is closed, its process and the folder of its socket are gone', async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('yard-ssh-'));
  const before = new Set(folders());
  const { tunnel, opened } = tunnelTo(optionsFor('works'));
  await opened();
  const [made = ''] = folders().filter((name) => !before.has(name));
  expect(statSync(join(tmpdir(), made)).mode & 0o777).toBe(0o700);
  tunnel.close();
  await vi.waitFor(() => expect(folders()).not.toContain(made));
  await vi.waitFor(() => expect(sshd.connections()).toBe(0));
});

test('a server that goes and comes back is used again by itself, at the same address', async () => {
  const { tunnel, opened, url } = tunnelTo(optionsFor('works'));
  await opened();
  const address = url();
  await sshd.stop();
  await vi.waitFor(() =>
    expect(tunnel.status()).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('could not reach works by SSH'),
    }),
  );
  await sshd.start();
  await opened();
  expect([url(), await get(address)]).toEqual([address, 'from behind']);
});

test('an unknown host key is refused with its fingerprint, a changed one as such, and known hosts stay as they are', async () => {
  const empty = join(sshd.folder, 'nobody-known');
  writeFileSync(empty, '');
  // Whatever the user's configuration says.
  sshd.host('unknown', [`UserKnownHostsFile ${empty}`, 'StrictHostKeyChecking no']);
  expect(await refusal(optionsFor('unknown'))).toMatchObject({
    code: 'SSH_HOST_UNKNOWN',
    message: expect.stringMatching(/host key of unknown \(SHA256:\S+\) is not in your known hosts/),
    lasting: true,
  });
  expect(readFileSync(empty, 'utf8')).toBe('');
  const changed = join(sshd.folder, 'changed');
  const [, other] = readFileSync(`${sshd.key('other-host')}.pub`, 'utf8').split(' ');
  writeFileSync(changed, `[127.0.0.1]:${sshd.port} ssh-ed25519 ${other}\n`);
  sshd.host('changed', [`UserKnownHostsFile ${changed}`]);
  expect(await refusal(optionsFor('changed'))).toMatchObject({ code: 'SSH_HOST_CHANGED', lasting: true });
});

test('a key that is not authorized is refused, with what to do where no agent runs', async () => {
  sshd.host('stranger', [`IdentityFile ${sshd.key('strange')}`, 'IdentityAgent none']);
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['SSH_AUTH_SOCK'];
  // Another key of the same destination follows in the configuration: this one is the only one.
  const config = sshd.ssh[2] ?? '';
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(
      new RegExp(`(Host stranger[\\s\\S]*?)  IdentityFile ${join(sshd.folder, 'key')}\n`),
      '$1',
    ),
  );
  expect(await refusal(optionsFor('stranger', { env }))).toMatchObject({
    code: 'SSH_AUTH_REFUSED',
    message: expect.stringContaining('no SSH agent runs'),
    lasting: true,
  });
  expect(await refusal(optionsFor('stranger', { env: { ...env, SSH_AUTH_SOCK: '/nowhere' } }))).toMatchObject({
    message: expect.stringContaining('ssh-add'),
  });
});

test('a server that is down, a master that is down, and a machine without ssh are told apart', async () => {
  sshd.host('down', ['Port 9']);
  expect(await refusal(optionsFor('down'))).toMatchObject({
    code: 'SSH_UNREACHABLE',
    message: expect.stringContaining('Connection refused'),
    lasting: false,
  });
  expect(await refusal(optionsFor('works', { url: 'http://127.0.0.1:9' }))).toMatchObject({
    code: 'MASTER_UNREACHABLE',
    message: expect.stringContaining('SSH works, but http://127.0.0.1:9 at works does not answer'),
    lasting: false,
  });
  expect(await refusal(optionsFor('works', { ssh: ['no-such-ssh'] }))).toMatchObject({
    code: 'SSH_MISSING',
    lasting: true,
  });
});

test('a server that forbids forwarding is named as such', async () => {
  const strict = await startSshd(['AllowTcpForwarding=no']);
  onTestFinished(() => strict.stop());
  expect(await refusal(optionsFor('works', { ssh: strict.ssh }))).toMatchObject({
    code: 'SSH_FORWARD_REFUSED',
    lasting: true,
  });
});

test('why a connection was refused counts also where ssh says it after the connection has ended', async () => {
  const program = join(sshd.folder, 'late-ssh.cjs');
  writeFileSync(
    program,
    `const [path] = process.argv[process.argv.indexOf('-L') + 1].split(':');
    require('node:net')
      .createServer((socket) => {
        socket.destroy();
        setTimeout(() => process.stderr.write('channel 2: open failed: administratively prohibited: open failed\\r\\n'), 100);
      })
      .listen(path, () => process.stderr.write('debug1: Entering interactive session.\\r\\n'));`,
  );
  expect(await refusal(optionsFor('works', { ssh: [process.execPath, program] }))).toMatchObject({
    code: 'SSH_FORWARD_REFUSED',
  });
});

test('a port that the configuration forwards and that is taken is named', async () => {
  sshd.host('busy', [`LocalForward 127.0.0.1:${portOf(master)} 127.0.0.1:1`]);
  expect(await refusal(optionsFor('busy'))).toMatchObject({
    code: 'TUNNEL_PORT_BUSY',
    message: expect.stringContaining('check LocalForward for busy'),
  });
});

test('on Windows, which has no sockets of files, the end of ssh is a port of loopback', async () => {
  const { opened, url } = tunnelTo(optionsFor('works', { platform: 'win32' }));
  await opened();
  expect(await get(url())).toBe('from behind');
});

test('a master with a certificate is checked by its own name, at the far end', async () => {
  const authority = createAuthority('Yard CA');
  const secure = createTlsServer(authority.issue({ names: ['localhost'] }), (_asked, answer) => answer.end('secure'));
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  onTestFinished(() => {
    secure.closeAllConnections();
    secure.close();
  });
  const to = { url: `https://localhost:${portOf(secure)}`, ca: authority.cert };
  const { opened, url } = tunnelTo(optionsFor('works', to));
  await opened();
  expect(await get(url())).toBe('secure');
  expect(await refusal(optionsFor('works', { ...to, ca: null }))).toMatchObject({ code: 'CA_INVALID', lasting: true });
});
