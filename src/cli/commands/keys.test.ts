import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';

let asked: { method: string; path: string; body: unknown }[] = [];
let answer: object = {};
/** A master that answers everything alike. */
const master = fakeMaster(({ method, path, body }) => {
  asked.push({ method, path, body: body === '' ? null : JSON.parse(body) });
  return answer;
});
beforeEach(() => void (asked = []));

it('creates a token of workers that is bound to environments', async () => {
  answer = { id: 't', token: 'yt_secret' };
  const create = ['tokens', 'create', '--name', 'dev pool', '--role', 'worker'];
  const { code, out } = await master.yardmaster([
    ...create,
    ...['--environment', 'dev', 'staging', '--label', 'zone=b', '--label', 'rack=7'],
  ]);
  expect({ code, out }).toEqual({ code: 0, out: 'yt_secret' });
  expect(asked).toEqual([
    {
      method: 'POST',
      path: '/api/v1/tokens',
      body: {
        name: 'dev pool',
        role: 'worker',
        environments: ['dev', 'staging'],
        labels: { zone: 'b', rack: '7' },
      },
    },
  ]);
  expect((await master.yardmaster([...create, '--label', 'zone'])).code).toBe(2);
});

it('lists what tokens are bound to', async () => {
  const token = { id: 't', name: 'n', role: 'worker', prefix: 'yt_1', createdAt: '', createdBy: '', expiresAt: null };
  answer = {
    items: [
      { ...token, revokedAt: null, environments: ['dev'], labels: { zone: 'b' } },
      { ...token, revokedAt: null, environments: null, labels: {} },
      { ...token, role: 'viewer', revokedAt: null, environments: null, labels: {} },
    ],
    page: 0,
    size: 20,
    totalItems: 3,
    totalPages: 1,
  };
  const { out } = await master.yardmaster(['tokens', 'list']);
  expect(out).toMatch(/worker +yt_1 +dev +zone=b/);
  expect(out).toMatch(/worker +yt_1 +all/);
  expect(out).toMatch(/viewer +yt_1 +(?!all)/);
});
