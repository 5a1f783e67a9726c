import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, tester, type Harness } from '../../testing/http.fixture.ts';

/** What actions that manage something reach in a custom role, and what they do not. */

let h: Harness;
let others: { admin: string; adminGrant: string };
beforeAll(async () => {
  h = await startHarness();
  const { access } = h.services;
  const boss = await access.users.create({ login: 'boss', role: 'admin' }, tester);
  others = { admin: boss.id, adminGrant: access.grants.list()[0]?.id ?? '' };
});
afterAll(() => h.close());

let people = 0;
/** What a person with these actions everywhere is answered: the status of one call after the other. */
async function as(actions: string[]) {
  const { access } = h.services;
  const role = `role-${people++}`;
  await access.roles.set(role, { actions: actions as never }, tester);
  const { id } = await access.users.create({ login: role }, tester);
  await access.grants.create({ subjectKind: 'user', subject: id, role }, tester);
  const { token } = await access.tokens.create({ name: 'own', role: 'admin', userId: id }, tester);
  return async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await h.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
    return answer.statusCode;
  };
}
const key = { name: 'k', workflows: ['*'], environments: ['dev'] };

describe('keys.manage', () => {
  it('makes and rotates no key that does more than whoever makes it', async () => {
    const made = await h.services.access.keys.create(
      { name: 'theirs', workflows: ['*'], environments: ['dev', 'prod'] },
      tester,
    );
    const alone = await as(['keys.manage', 'master.read', 'workflows.read']);
    expect(await alone('POST', '/keys', key)).toBe(403);
    expect(await alone('POST', `/keys/${made.id}/rotate`, {})).toBe(403);
    expect(await alone('PATCH', `/keys/${made.id}`, { name: 'ours' })).toBe(200);
    const caller = await as(['keys.manage', 'jobs.operate', 'payload.read', 'workflows.read']);
    expect(await caller('POST', '/keys', key)).toBe(201);
    expect(await caller('POST', `/keys/${made.id}/rotate`, {})).toBe(200);
  });
});

describe('settings.manage', () => {
  it('reaches neither protection and retention nor sign-in, networks and backups', async () => {
    const call = await as(['settings.manage', 'master.read']);
    for (const name of [
      'protectedEnvironments',
      'bulkApprovalOver',
      'approverSettleHours',
      'auditRetentionDays',
      'jobRetentionMode',
      'httpAllow',
      'traceLink',
      'wrongTokens',
      'passwordCharacters',
    ])
      expect([name, await call('PATCH', '/settings', { [name]: null })]).toEqual([name, 403]);
    expect(await call('PATCH', '/settings', { limits: { passwordCharacters: 8 } })).toBe(403);
    expect(await call('PATCH', '/settings', { queueDepth: 7 })).toBe(200);
    expect(await call('POST', '/backup')).toBe(403);
  });
});

describe('people.manage', () => {
  it('takes nothing from administrators, and gives nobody a role', async () => {
    const call = await as(['people.manage', 'master.read']);
    const { admin, adminGrant } = others;
    expect(await call('PATCH', `/users/${admin}`, { disabled: true })).toBe(403);
    expect(await call('DELETE', `/grants/${adminGrant}`)).toBe(403);
    expect(await call('POST', `/users/${admin}/left/revoke`)).toBe(403);
    expect(await call('POST', '/grants', { subjectKind: 'user', subject: admin, role: 'viewer' })).toBe(403);
    expect(await call('PUT', '/roles/more', { actions: ['jobs.read'] })).toBe(403);
  });
});

it('tells whoever makes a role what reaches further than it seems', async () => {
  const headers = { authorization: `Bearer ${h.tokens.admin}` };
  const put = async (actions: string[]) =>
    (
      await h.app.inject({ method: 'PUT', url: '/api/v1/roles/helper', headers, payload: { actions } })
    ).json() as object;
  expect(await put(['keys.manage', 'jobs.read'])).toMatchObject({
    warnings: [expect.stringMatching(/^keys\.manage: /)],
  });
  expect(await put(['jobs.read'])).toMatchObject({ warnings: [] });
});
