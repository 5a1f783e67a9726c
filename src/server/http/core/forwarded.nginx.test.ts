import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp, createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../../contract/access.ts';
import type { RunningMaster } from '../../../contract/process.ts';
import { createAuthority } from '../../../lib/certificate-authority.fixture.ts';
import { portOf } from '../../../lib/listen-on-port.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';

/** A real nginx with the very file that the documentation shows, before a real master. */
const NGINX = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find(
  (file) => spawnSync(file, ['-v']).status === 0,
);
const NAME = 'yardmaster.example.com';
/** Not that of the proxy, which is trusted. */
const CLIENT = '127.0.0.9';
const ADMIN = 'ymt_behind_a_proxy_0123456789';

describe.skipIf(NGINX === undefined)(`behind nginx${NGINX ? '' : ' (SKIPPED: nginx is not installed)'}`, () => {
  let master: RunningMaster;
  let nginx: ChildProcess;
  let port: number;
  const authority = createAuthority('proxy');

  beforeAll(async () => {
    master = await openMaster({
      data: temporaryFolder('nginx-master'),
      adminToken: ADMIN,
      proxies: ['127.0.0.1'],
      allowedHosts: [NAME, 'logs.example.com', 'metrics.example.com'],
    });
    port = await freePort();
    const folder = temporaryFolder('nginx');
    const { cert, key } = authority.issue({ names: [NAME, 'logs.example.com', 'metrics.example.com'] });
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
    for (const sub of ['body', 'proxy', 'other']) mkdirSync(join(folder, sub));
    const { ports } = master.ready;
    const shown = readFileSync(new URL('../../../../deploy/proxy/nginx.conf', import.meta.url), 'utf8')
      .replaceAll('/etc/ssl/yardmaster/fullchain.pem', join(folder, 'cert.pem'))
      .replaceAll('/etc/ssl/yardmaster/privkey.pem', join(folder, 'key.pem'))
      .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
      .replace('127.0.0.1:8700', `127.0.0.1:${ports.master}`)
      .replace('127.0.0.1:9428', `127.0.0.1:${ports.logStore}`)
      .replace('127.0.0.1:8086', `127.0.0.1:${ports.metrics}`);
    const other = ['fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(folder, 'other')};`).join('\n');
    writeFileSync(
      join(folder, 'main.conf'),
      `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http {
access_log off; client_body_temp_path ${join(folder, 'body')}; proxy_temp_path ${join(folder, 'proxy')};
${other}
${shown}
}
`,
    );
    nginx = spawn(NGINX ?? '', ['-p', folder, '-c', join(folder, 'main.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    nginx.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await vi.waitFor(
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connectTcp(port, '127.0.0.1', () => resolve(socket.destroy() as never));
          socket.once('error', () => reject(new Error(`nginx does not listen: ${said}`)));
        }),
    );
  });
  afterAll(async () => {
    nginx?.kill();
    await master?.close();
  });

  const open = (path: string, headers: Record<string, string>, body?: string, host = NAME) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      request(
        {
          ...{
            host: '127.0.0.1',
            localAddress: CLIENT,
            port,
            path,
            servername: host,
            ca: authority.cert,
            agent: false,
          },
          method: body === undefined ? 'GET' : 'POST',
          headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        },
        resolve,
      )
        .once('error', reject)
        .end(body),
    );
  async function ask(path: string, headers: Record<string, string> = {}, body?: string, host = NAME) {
    const response = await open(path, headers, body, host);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, text, headers: response.headers };
  }
  const admin = { authorization: `Bearer ${ADMIN}` };
  const newest = async () =>
    (JSON.parse((await ask('/api/v1/audit?size=1', admin)).text) as { items: AuditEntry[] }).items[0];

  it('the console of this name is answered, and no other name', async () => {
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/healthz')).headers['strict-transport-security']).toContain('max-age');
    await expect(ask('/healthz', {}, undefined, 'evil.example')).rejects.toThrow();
  });

  it('the audit log has the address that nginx saw, not the one that the client told', async () => {
    const forged = { ...admin, 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' };
    const made = await ask('/api/v1/workflows', forged, JSON.stringify({ id: 'proxied', name: 'Proxied' }));
    expect(made.status).toBe(201);
    expect(await newest()).toMatchObject({ action: 'workflow.create', address: CLIENT });
  });

  it('a browser gets a cookie for TLS alone, and may write with it from its own page alone', async () => {
    const signedIn = await ask('/api/v1/session', {}, JSON.stringify({ token: ADMIN }));
    const cookie = String(signedIn.headers['set-cookie']);
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict; .*Secure/);
    const write = (origin: string) =>
      ask(
        '/api/v1/tokens',
        { cookie: cookie.split(';')[0] ?? '', origin },
        JSON.stringify({ name: 'x', role: 'viewer' }),
      );
    expect((await write(`https://${NAME}`)).status).toBe(201);
    expect((await write('https://evil.example')).status).toBe(403);
  });

  it('the ports of logs and metrics want a token', async () => {
    const logs = (headers: Record<string, string> = {}) =>
      ask('/select/logsql/query?query=*', headers, undefined, 'logs.example.com');
    expect((await logs()).status).toBe(401);
    expect((await logs(admin)).status).toBe(200);
    const insert = (headers: Record<string, string> = {}) =>
      ask('/insert/jsonline', headers, '{"_msg":"forged"}', 'logs.example.com');
    expect((await insert({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(401);
    expect((await insert(admin)).status).toBe(200);
    const metrics = (headers: Record<string, string> = {}) =>
      ask('/api/v2/buckets', headers, undefined, 'metrics.example.com');
    expect((await metrics()).status).toBe(401);
    expect((await metrics(admin)).status).toBe(200);
  });

  it('live views arrive while they are open', async () => {
    const response = await open('/api/v1/stream', { ...admin, accept: 'text/event-stream' });
    const first = await new Promise<string>((resolve) =>
      response.once('data', (bytes: Buffer) => resolve(String(bytes))),
    );
    expect(first).toContain(': live');
    response.destroy();
  });

  it('workers reach their link', async () => {
    const { token } = JSON.parse(
      (await ask('/api/v1/tokens', admin, JSON.stringify({ name: 'far', role: 'worker' }))).text,
    ) as { token: string };
    const socket = connect({ host: '127.0.0.1', port, servername: NAME, ca: authority.cert });
    socket.write(
      `GET /api/v1/worker HTTP/1.1\r\nHost: ${NAME}\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`,
    );
    const head = await new Promise<string>((resolve, reject) => {
      socket.once('data', (bytes) => resolve(String(bytes)));
      socket.once('error', reject);
    });
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const free = portOf(server);
      server.close(() => resolve(free));
    });
  });
