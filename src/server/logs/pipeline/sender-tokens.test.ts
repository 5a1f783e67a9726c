import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { MasterOptions, RunningMaster } from '../../../contract/process.ts';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { openMaster } from '../../master.fixture.ts';

const ADMIN = 'ymt_of_the_log_port_0123456789';
let master: RunningMaster;
afterEach(() => master.close());

const open = async (options: Partial<MasterOptions>) => {
  master = await openMaster({ data: temporaryFolder('log-tokens'), adminToken: ADMIN, ...options });
};
async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${master.ready.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (answer.status === 204 ? null : await answer.json()) as T;
}
const tokenOf = (role: string) =>
  ask<{ id: string; token: string }>('POST', '/api/v1/tokens', { name: `log ${role}`, role });
const dial = (text: string) => {
  const socket = connect(master.ready.ports.logstash, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => {}).resume();
  socket.write(text);
  return { socket, closed };
};
const stats = () => ask<{ accepted: number; unauthorized: number }>('GET', '/api/v1/logs/pipeline');

it('wants a token of a role that may write where others can reach the port', async () => {
  await open({ host: '0.0.0.0', proxies: ['127.0.0.1'] });
  const [worker, operator, viewer] = [await tokenOf('worker'), await tokenOf('operator'), await tokenOf('viewer')];
  const refused = [
    '{"msg":"forged"}\n',
    'AUTH yt_unknown\n{"msg":"forged"}\n',
    `AUTH ${viewer.token}\n{"msg":"forged"}\n`,
  ];
  await Promise.all(refused.map((text) => dial(text).closed));
  const taken = [worker, operator].map(({ token }) => dial(`AUTH ${token}\n{"msg":"known"}\n`));
  await vi.waitFor(async () => expect(await stats()).toMatchObject({ accepted: 2, unauthorized: 3 }));

  // Only who came with the token that is revoked goes.
  await ask('DELETE', `/api/v1/tokens/${worker.id}`);
  await taken[0]?.closed;
  taken[1]?.socket.write('{"msg":"still known"}\n');
  await vi.waitFor(async () => expect((await stats()).accepted).toBe(3));
  taken[1]?.socket.destroy();
});

it('wants one on loopback too where that is asked for', async () => {
  await open({ protectLoopback: true });
  await dial('{"msg":"unknown"}\n').closed;
  const { token } = await tokenOf('operator');
  dial(`AUTH ${token}\n{"msg":"known"}\n`).socket.end();
  await vi.waitFor(async () => expect(await stats()).toMatchObject({ accepted: 1, unauthorized: 1 }));
  const query = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${master.ready.ports.logStore}/select/logsql/query?query=*`, { headers });
  expect((await query({})).status).toBe(401);
  await vi.waitFor(async () =>
    expect(await (await query({ authorization: `Bearer ${token}` })).text()).toContain('known'),
  );
});

it('wants none on loopback', async () => {
  await open({});
  dial('{"msg":"known"}\n').socket.end();
  await vi.waitFor(async () => expect(await stats()).toMatchObject({ accepted: 1, unauthorized: 0 }));
});
