import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { KubernetesVia } from '../../../contract/tunnels.ts';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { errorCode, errorMessage } from '../../../lib/errors.ts';
import { portOf } from '../../../lib/listen-on-port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { createTunnel, type Tunnel } from '../tunnel.ts';
import { isLasting } from '../tunnels.ts';
import { startApiServer, type FakeApiServer } from './api-server.fake.ts';
import { findReleases, openKubernetesLink } from './kubernetes-link.ts';

/** A master of a test says who it is. */
async function startMaster(name: string, server: Server = createServer()): Promise<number> {
  server.on('request', (asked, answer) => answer.end(asked.url === '/large' ? 'x'.repeat(3_000_000) : name));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server);
}

async function openCluster() {
  const server = await startApiServer();
  onTestFinished(() => server.close());
  const port = await startMaster('first');
  server.pods.push({ name: 'yardmaster-0', namespace: 'jobs', release: 'yardmaster', ready: true, port });
  server.secrets.set('jobs/yardmaster-admin', { 'admin-password': 'admin-secret', 'viewer-token': 'viewer-secret' });
  const file = join(temporaryFolder('kubeconfig'), 'config');
  writeFileSync(file, server.kubeconfig());
  const via: KubernetesVia = {
    kind: 'kubernetes',
    kubeconfig: file,
    context: 'works',
    namespace: 'jobs',
    release: 'yardmaster',
    access: 'admin',
  };
  return { server, file, via };
}

const agreed = () => Promise.resolve();
function tunnelTo(via: KubernetesVia, ca: string | null = null): Tunnel {
  const tunnel = createTunnel({
    isLasting,
    open: (attempt) => openKubernetesLink({ via, ca, agreed }, attempt),
  });
  onTestFinished(() => tunnel.close());
  return tunnel;
}
const opened = async (tunnel: Tunnel) => {
  tunnel.target();
  await vi.waitFor(() => expect(tunnel.status()).toMatchObject({ state: 'open' }));
  return tunnel.target() ?? { url: '', token: null };
};
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
/** Why a link cannot be opened: its code and words. */
const refusal = async (via: KubernetesVia, ca: string | null = null) => {
  const attempt = { signal: new AbortController().signal, lost: () => {} };
  const fault: unknown = await openKubernetesLink({ via, ca, agreed }, attempt).then(
    () => new Error('it opened'),
    (error: unknown) => error,
  );
  return { code: errorCode(fault), message: errorMessage(fault), lasting: isLasting(fault) };
};

test('a release is found, reached through its API server, and its Secret has the token', async () => {
  const { via, file } = await openCluster();
  expect(await findReleases({ via, agreed }, 'jobs')).toEqual([
    { namespace: 'jobs', name: 'yardmaster', version: '0.1.0', ready: 1, masters: 1 },
  ]);
  const before = [readFileSync(file, 'utf8'), statSync(file).mtimeMs];
  const tunnel = tunnelTo(via);
  const { url, token } = await opened(tunnel);
  expect([await get(`${url}/x`), token]).toEqual(['first', 'admin-secret']);
  expect((await get(`${url}/large`)).length).toBe(3_000_000);
  expect(tunnel.status().through).toBe('yardmaster-0, jobs');
  expect((await opened(tunnelTo({ ...via, access: 'viewer' }))).token).toBe('viewer-secret');
  expect([readFileSync(file, 'utf8'), statSync(file).mtimeMs]).toEqual(before);
});

test('when its pod dies, another ready one of the release takes over, at the same address', async () => {
  const { server, via } = await openCluster();
  const port = await startMaster('second');
  server.pods.push({ name: 'yardmaster-1', namespace: 'jobs', release: 'yardmaster', ready: true, port });
  const tunnel = tunnelTo(via);
  const { url } = await opened(tunnel);
  expect(await get(url)).toBe('first');
  server.pods.splice(0, 1);
  server.cut('yardmaster-0');
  expect(await get(url)).toBe('second');
  expect(tunnel.status()).toMatchObject({ state: 'open', through: 'yardmaster-1, jobs' });
});

test('a pod that says it is ready and takes nothing is passed over', async () => {
  const { server, via } = await openCluster();
  const [first] = server.pods;
  const port = await startMaster('second');
  server.pods.push({ name: 'yardmaster-1', namespace: 'jobs', release: 'yardmaster', ready: true, port });
  if (first) first.port = 9;
  expect(await get((await opened(tunnelTo(via))).url)).toBe('second');
});

test('while no pod is ready it waits, and comes back by itself with the token that is in the Secret then', async () => {
  const { server, via } = await openCluster();
  const tunnel = tunnelTo(via);
  await opened(tunnel);
  const [pod] = server.pods;
  if (pod) pod.ready = false;
  const { url } = tunnel.target() ?? { url: '' };
  const going = get(url).catch(() => 'cut');
  server.cut();
  await going;
  pod!.name = 'yardmaster-0-anew';
  await get(url).catch(() => {});
  await vi.waitFor(() =>
    expect(tunnel.status()).toMatchObject({
      state: 'waiting',
      message: expect.stringContaining('no master of the release "yardmaster" is ready'),
    }),
  );
  server.secrets.set('jobs/yardmaster-admin', { 'admin-password': 'rotated' });
  if (pod) pod.ready = true;
  await vi.waitFor(() => expect(tunnel.target()).toEqual({ url, token: 'rotated' }));
  expect(await get(url)).toBe('first');
});

test('masters with a certificate are checked by the name of their Service and the authority beside it', async () => {
  const { server, via } = await openCluster();
  const authority = createAuthority('Cluster CA');
  const good = authority.issue({ names: ['yardmaster.jobs.svc'] });
  const [pod] = server.pods;
  if (pod)
    Object.assign(pod, { port: await startMaster('secure', createTlsServer(good)), tlsSecret: 'yardmaster-tls' });
  server.secrets.set('jobs/yardmaster-tls', { 'ca.crt': authority.cert });
  expect(await get((await opened(tunnelTo(via))).url)).toBe('secure');
  expect(await refusal(via, createAuthority('Other').cert)).toMatchObject({ code: 'CA_INVALID', lasting: true });
  const other = authority.issue({ names: ['other.jobs.svc'] });
  if (pod) pod.port = await startMaster('another', createTlsServer(other));
  expect(await refusal(via)).toMatchObject({
    code: 'CA_INVALID',
    message: expect.stringContaining('is not valid for yardmaster.jobs.svc'),
  });
});

test('each thing that can be missing or refused is named, and what somebody must mend is not tried over and over', async () => {
  const { server, via, file } = await openCluster();
  expect(await refusal({ ...via, kubeconfig: `${file}-none` })).toMatchObject({
    code: 'KUBECONFIG_MISSING',
    lasting: true,
  });
  expect(await refusal({ ...via, context: 'gone' })).toMatchObject({
    code: 'CONTEXT_NOT_FOUND',
    message: expect.stringContaining('no context "gone"'),
    lasting: true,
  });
  expect(await refusal({ ...via, release: 'other' })).toMatchObject({ code: 'RELEASE_NOT_FOUND', lasting: false });
  server.forbidden.push(/\/secrets\//);
  expect(await refusal(via)).toMatchObject({
    code: 'SECRET_UNREADABLE',
    message: expect.stringContaining('may not read the Secret "yardmaster-admin"'),
    lasting: true,
  });
  // With a token of one's own the Secret is not needed.
  expect((await opened(tunnelTo({ ...via, access: 'own' }))).token).toBeNull();
  server.forbidden.splice(0, 1, /\/pods$/);
  expect(await refusal(via)).toMatchObject({ code: 'KUBERNETES_FORBIDDEN', lasting: true });
  server.forbidden.splice(0, 1, /portforward/);
  expect(await refusal(via)).toMatchObject({
    code: 'KUBERNETES_FORBIDDEN',
    message: expect.stringContaining('may not port-forward to pods in jobs'),
  });
  server.forbidden.length = 0;
  server.secrets.clear();
  expect(await refusal(via)).toMatchObject({ code: 'SECRET_UNREADABLE' });
  server.tokens.clear();
  expect(await refusal(via)).toMatchObject({
    code: 'KUBERNETES_UNAUTHORIZED',
    message: expect.stringContaining('may have expired'),
    lasting: true,
  });
  writeFileSync(file, server.kubeconfig({ token: 'good' }, { authority: createAuthority('Other').cert }));
  expect(await refusal(via)).toMatchObject({
    code: 'KUBERNETES_UNREACHABLE',
    message: expect.stringContaining("not that of the kubeconfig's authority"),
  });
  await server.close();
  writeFileSync(file, server.kubeconfig());
  expect(await refusal(via)).toMatchObject({
    code: 'KUBERNETES_UNREACHABLE',
    message: expect.stringContaining('nothing listens there'),
    lasting: false,
  });
});

test('several releases are listed, in one namespace or in all', async () => {
  const { server, via } = await openCluster();
  const port = await startMaster('other');
  for (const [namespace, release, ready] of [
    ['jobs', 'blue', true],
    ['elsewhere', 'yardmaster', false],
  ] as const)
    server.pods.push({ name: `${release}-0`, namespace, release, ready, port });
  const names = async (namespace: string | null) =>
    (await findReleases({ via, agreed }, namespace)).map((one) => `${one.namespace}/${one.name} ${one.ready}`);
  expect(await names('jobs')).toEqual(['jobs/blue 1', 'jobs/yardmaster 1']);
  expect(await names(null)).toEqual(['elsewhere/yardmaster 0', 'jobs/blue 1', 'jobs/yardmaster 1']);
  await expect(names('empty')).rejects.toMatchObject({ code: 'RELEASE_NOT_FOUND' });
  server.forbidden.push(/^\/api\/v1\/(pods|services)/);
  await expect(names(null)).rejects.toThrow(/enter the namespace of the release/);
});

/** A kubeconfig whose user gets its token from a program. */
function withCommand(server: FakeApiServer, file: string, script: string): string {
  const program = `${file}-plugin`;
  writeFileSync(program, `#!/bin/sh\necho ran >> ${program}.ran\n${script}\n`);
  chmodSync(program, 0o755);
  writeFileSync(
    file,
    server.kubeconfig({
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command: program, args: ['get token'], env: null },
    }),
  );
  return program;
}

test.each(['oidc', undefined])('a command in the settings of the auth provider %s is never run', async (name) => {
  const { server, via, file } = await openCluster();
  const program = withCommand(server, file, 'echo "{}"');
  writeFileSync(
    file,
    server.kubeconfig({ token: 'good', 'auth-provider': { name, config: { exec: { command: program } } } }),
  );
  expect(await refusal(via)).toMatchObject({ code: 'KUBECONFIG_INVALID', lasting: true });
  expect(() => readFileSync(`${program}.ran`)).toThrow(/ENOENT/);
});

test('a command for credentials is run once it was agreed to, and never before', async () => {
  const { server, via, file } = await openCluster();
  const program = withCommand(
    server,
    file,
    `test "$1" = "get token" && echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"good\\"}}"`,
  );
  const attempt = { signal: new AbortController().signal, lost: () => {} };
  const asked: string[] = [];
  const refuse = ({ text }: { text: string }) => {
    asked.push(text);
    return Promise.reject(new Error('not agreed'));
  };
  await expect(openKubernetesLink({ via, ca: null, agreed: refuse }, attempt)).rejects.toThrow('not agreed');
  expect(asked).toEqual([`${program} 'get token'`]);
  expect(() => readFileSync(`${program}.ran`)).toThrow(/ENOENT/);
  expect(await get((await opened(tunnelTo(via))).url)).toBe('first');
  // Once for all connections of a way.
  expect(readFileSync(`${program}.ran`, 'utf8')).toBe('ran\n');
});

test('a command that fails or is not there is named with what it said', async () => {
  const { server, via, file } = await openCluster();
  withCommand(server, file, 'echo "session expired, run sso login" >&2; exit 1');
  expect(await refusal(via)).toMatchObject({
    code: 'CREDENTIALS_COMMAND_FAILED',
    message: expect.stringContaining('session expired, run sso login'),
    lasting: true,
  });
  writeFileSync(
    file,
    server.kubeconfig({ exec: { command: 'no-such-plugin', installHint: 'Get it from example.com.' } }),
  );
  expect(await refusal(via)).toMatchObject({
    message: expect.stringContaining('there is no such program. Get it from example.com.'),
  });
});
