import { beforeEach, expect, it } from 'vitest';
import { fakeMaster } from '../process-io.fake.ts';

let asked: { method: string; path: string; body: unknown }[] = [];
const user = {
  ...{ id: 'u1', login: 'ann', name: 'Ann', kind: 'person', role: 'viewer', hasGrants: false, groups: ['shop'] },
  ...{ disabledAt: null, mustChangePassword: true, source: 'local' },
};
const passkey = {
  ...{ id: 'p1', name: 'laptop', host: 'yard.example.com', synced: false, createdAt: '2027-01-01T00:00:00.000Z' },
  ...{ lastUsedAt: null, copiedAt: '2027-02-01T00:00:00.000Z' },
};
const master = fakeMaster(({ method, path, body }) => {
  asked.push({ method, path: path.split('?')[0] ?? '', body: body === '' ? null : JSON.parse(body) });
  if (path.endsWith('/passkeys')) return { items: [passkey] };
  if (path.endsWith('/left')) return { keys: [], tokens: [] };
  const bea = { ...user, id: 'u2', login: 'bea', source: 'oidc' };
  if (method === 'GET') return { items: [user, bea], page: 0, size: 500, totalItems: 2, totalPages: 1 };
  return { ...user, password: 'one-time', passwordExpiresAt: '2027-01-01T00:00:00.000Z', expiresAt: '2027-01-01' };
});
beforeEach(() => void (asked = []));

it('creates a person and prints the one-time password alone', async () => {
  const { code, out, err } = await master.yardmaster(['users', 'create', 'ann', '--name', 'Ann', '--group', 'shop']);
  expect({ code, out, asked }).toEqual({
    code: 0,
    out: 'one-time',
    asked: [{ method: 'POST', path: '/api/v1/users', body: { login: 'ann', name: 'Ann', groups: ['shop'] } }],
  });
  expect(err).toContain('u1');
  expect((await master.yardmaster(['users', 'create', 'x', '--role', 'king'])).code).toBe(2);
});

it('lists people with their state', async () => {
  const { out } = await master.yardmaster(['users', 'list']);
  expect(out).toContain('no access yet');
  expect(out).toContain('one-time password');
});

it('finds somebody by sign-in name or ID to disable, enable, or give a new password', async () => {
  expect((await master.yardmaster(['users', 'disable', 'ANN'])).out).toBe(
    'disabled ann\nnothing that they made goes on',
  );
  expect((await master.yardmaster(['users', 'enable', 'u1'])).out).toBe('enabled ann');
  expect((await master.yardmaster(['users', 'reset-password', 'ann'])).out).toBe('one-time');
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([
    { method: 'PATCH', path: '/api/v1/users/u1', body: { disabled: true } },
    { method: 'PATCH', path: '/api/v1/users/u1', body: { disabled: false } },
    { method: 'POST', path: '/api/v1/users/u1/password-reset', body: null },
  ]);
  const unknown = await master.yardmaster(['users', 'disable', 'bob']);
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('there is no person')]);
});

it('deletes an account for good, and says what goes on', async () => {
  expect((await master.yardmaster(['users', 'delete', 'ann'])).out).toBe('deleted ann\nnothing that they made goes on');
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([
    { method: 'DELETE', path: '/api/v1/users/u1', body: null },
  ]);
  asked = [];
  await master.yardmaster(['users', 'delete', 'u1', '--revoke-left']);
  expect(asked.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([
    '/api/v1/users/u1/left/revoke',
    '/api/v1/users/u1',
  ]);
});

it('says that whoever signs in at the provider is made again', async () => {
  expect((await master.yardmaster(['users', 'delete', 'bea'])).out).toMatch(
    /^deleted bea\nwhile the sign-in provider lets them in, their next sign-in makes a new account /,
  );
});

it('lists the passkeys of somebody, and removes one', async () => {
  const { out } = await master.yardmaster(['users', 'passkeys', 'ann']);
  for (const word of ['laptop', 'yard.example.com', 'never', 'copied']) expect(out).toContain(word);
  await master.yardmaster(['users', 'passkeys', 'ann', '--remove', 'p1']);
  expect(asked.at(-1)).toEqual({ method: 'DELETE', path: '/api/v1/users/u1/passkeys/p1', body: null });
});
