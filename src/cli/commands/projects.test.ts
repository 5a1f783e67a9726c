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

it('gives a group a role in one project and environment', async () => {
  answer = { id: 'g1' };
  const { code, out } = await master.yardmaster([
    ...['grants', 'add', '--group', 'shop', '--role', 'publisher', '--project', 'shop', '--environment', 'prod'],
  ]);
  expect({ code, out, asked }).toEqual({
    code: 0,
    out: 'g1',
    asked: [
      {
        method: 'POST',
        path: '/api/v1/grants',
        body: { subjectKind: 'group', subject: 'shop', role: 'publisher', project: 'shop', environments: ['prod'] },
      },
    ],
  });
  for (const wrong of [[], ['--user', 'u'], ['--user', 'u', '--group', 'g', '--role', 'viewer']])
    expect((await master.yardmaster(['grants', 'add', ...wrong])).code).toBe(2);
});

it('moves workflows before what may name them', async () => {
  answer = { id: 'sales', version: 3, definition: { title: 'Sales' } };
  const what = ['orders', '--key', 'k1', '--secret', 'SHOP_API', '--dashboard', 'sales'];
  const { code, out } = await master.yardmaster(['projects', 'move', 'shop', ...what]);
  expect({ code, out: out.split('\n') }).toEqual({
    code: 0,
    out: ['orders', 'k1', 'SHOP_API', 'sales'].map((id) => `${id} is in shop`),
  });
  expect(asked).toEqual([
    { method: 'PATCH', path: '/api/v1/workflows/orders', body: { project: 'shop' } },
    { method: 'PATCH', path: '/api/v1/keys/k1', body: { project: 'shop' } },
    { method: 'PATCH', path: '/api/v1/secrets/SHOP_API', body: { project: 'shop' } },
    { method: 'GET', path: '/api/v1/dashboards/sales', body: null },
    {
      method: 'PUT',
      path: '/api/v1/dashboards/sales',
      body: { definition: { title: 'Sales' }, version: 3, project: 'shop' },
    },
  ]);
  expect((await master.yardmaster(['projects', 'move', 'shop'])).code).toBe(2);
});

it('shows the project of keys where it is not the default one', async () => {
  const key = { id: 'k1', name: 'n', prefix: 'ym_1', workflows: ['*'], environments: ['dev'], expiresAt: null };
  const page = (project: string) => ({
    items: [{ ...key, revokedAt: null, project }],
    ...{ page: 0, size: 20, totalItems: 1, totalPages: 1 },
  });
  answer = page('default');
  expect((await master.yardmaster(['keys', 'list'])).out).not.toMatch(/project|default/i);
  answer = page('shop');
  expect((await master.yardmaster(['keys', 'list'])).out).toMatch(/PROJECT[^]* shop$/);
});

it('lists who has which role where', async () => {
  const grant = { id: 'g1', subjectKind: 'user', subject: 'u1', role: 'viewer', createdAt: '', createdBy: '' };
  answer = {
    items: [
      { ...grant, project: null, environments: null },
      { ...grant, project: 'shop', environments: ['dev', 'prod'] },
    ],
    ...{ page: 0, size: 20, totalItems: 2, totalPages: 1 },
  };
  const { out } = await master.yardmaster(['grants', 'list']);
  expect(out).toMatch(/user u1 +viewer +all +all/);
  expect(out).toMatch(/user u1 +viewer +shop +dev prod/);
});

it('makes roles of known actions only', async () => {
  answer = { id: 'support', actions: ['jobs.read'] };
  expect((await master.yardmaster(['roles', 'set', 'support', '--action', 'jobs.read'])).code).toBe(0);
  expect(asked).toEqual([{ method: 'PUT', path: '/api/v1/roles/support', body: { actions: ['jobs.read'] } }]);
  const { code, err } = await master.yardmaster(['roles', 'set', 'support', '--action', 'jobs.fly']);
  expect([code, err]).toEqual([2, expect.stringContaining('unknown actions: jobs.fly')]);
});

it('creates a project and moves workflows into it', async () => {
  answer = { id: 'shop' };
  await master.yardmaster(['projects', 'create', 'shop', '--name', 'Shop']);
  answer = { id: 'shop', masks: ['$.iban'] };
  await master.yardmaster(['projects', 'mask', 'shop', '$.iban']);
  await master.yardmaster(['projects', 'move', 'shop', 'orders', 'returns']);
  expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/api/v1/projects', { id: 'shop', name: 'Shop' }],
    ['PATCH', '/api/v1/projects/shop', { masks: ['$.iban'] }],
    ['PATCH', '/api/v1/workflows/orders', { project: 'shop' }],
    ['PATCH', '/api/v1/workflows/returns', { project: 'shop' }],
  ]);
});
