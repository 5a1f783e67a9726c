import { ROLE_ACTIONS } from '../../../contract/actions.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  // What a check costs is tested beside the hashes.
  h = await startHarness({ limits: { passwordCost: 4, passwordPasses: 1, wrongTokens: 1000 } });
});
afterAll(() => h.close());

const host = { host: '127.0.0.1:8700' };
const same = { origin: 'http://127.0.0.1:8700' };
const GOOD = 'correct horse battery';

interface Answer {
  status: number;
  body: Record<string, unknown> & { code?: string; password?: string; id?: string };
  cookie: { cookie: string };
}
async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload: object | null = null,
  headers: Record<string, string> = { authorization: `Bearer ${h.tokens.admin}` },
): Promise<Answer> {
  const answer = await h.app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { ...host, ...same, ...headers },
    ...(payload ? { payload } : {}),
  });
  return {
    status: answer.statusCode,
    body: answer.body === '' ? {} : (answer.json() as Answer['body']),
    cookie: { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' },
  };
}
const signIn = (login: string, password: string, newPassword?: string) =>
  call('POST', '/session/password', { login, password, ...(newPassword && { newPassword }) }, {});
async function makeUser(login: string, over: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/users', { login, password: GOOD, role: 'operator', ...over });
  expect([status, body.code]).toEqual([201, undefined]);
  return String(body.id);
}
const audited = async (action: string) => (await h.services.access.audit.list({ page: 0, size: 20, action })).items;

describe('before anybody was made', () => {
  it('there are no passwords to sign in with', async () => {
    expect((await call('GET', '/session/ways', null, {})).body).toEqual({ password: false, provider: null });
    expect((await signIn('alice', GOOD)).body).toMatchObject({ code: 'PASSWORD_INVALID' });
    expect((await call('GET', '/users')).body).toMatchObject({ items: [], totalItems: 0 });
    expect((await call('GET', '/me')).body).toMatchObject({ code: 'USER_NOT_FOUND' });
    expect((await call('GET', '/session')).body).toEqual({ actor: 'admin', role: 'admin', expiresAt: null });
  });
});

describe('a person', () => {
  it('signs in, is known by name, and does what they were granted', async () => {
    const id = await makeUser('Alice', { name: 'Alice A.', email: 'alice@example.org' });
    expect((await call('GET', '/session/ways', null, {})).body).toMatchObject({ password: true });
    const session = await signIn('ALICE', GOOD);
    expect(session.status).toBe(204);
    expect((await call('GET', '/session', null, session.cookie)).body).toEqual({
      actor: 'alice',
      role: 'operator',
      expiresAt: expect.any(String),
      user: { id, login: 'alice', name: 'Alice A.', source: 'local', hasGrants: true },
      grants: [{ role: 'operator', project: null, environments: null, actions: [...ROLE_ACTIONS.operator] }],
    });
    const made = await call('POST', '/workflows', { id: 'of-alice', name: 'A' }, session.cookie);
    expect(made.status).toBe(201);
    expect((await call('POST', '/users', { login: 'x' }, session.cookie)).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await audited('workflow.create'))[0]).toMatchObject({ actor: 'alice', role: 'operator' });
    expect((await audited('session.sign-in'))[0]).toMatchObject({ actor: 'alice', after: { by: 'password' } });
    expect((await call('GET', `/users/${id}`)).body).toMatchObject({ lastSignInAt: expect.any(String) });
  });

  it('without a grant is known and may do nothing', async () => {
    await makeUser('nobody', { role: undefined });
    const { cookie } = await signIn('nobody', GOOD);
    expect((await call('GET', '/session', null, cookie)).body).toMatchObject({ user: { hasGrants: false } });
    for (const url of ['/jobs', '/workflows', '/users', '/audit', '/settings'])
      expect([url, (await call('GET', url, null, cookie)).status]).toEqual([url, 403]);
    expect((await call('GET', '/me', null, cookie)).body).toMatchObject({ login: 'nobody' });
  });

  it('is told the same for a wrong name as for a wrong password', async () => {
    await makeUser('bob');
    const [wrong, unknown] = [await signIn('bob', 'not his password'), await signIn('bobby', 'not his password')];
    const told = ({ status, body: { code, detail, title } }: Answer) => ({ status, code, detail, title });
    expect(told(wrong)).toEqual(told(unknown));
    expect(wrong).toMatchObject({ status: 401, body: { code: 'PASSWORD_INVALID' } });
  });

  it('has a name that nobody else has, whatever the case', async () => {
    await makeUser('carol');
    expect((await call('POST', '/users', { login: 'CAROL' })).body).toMatchObject({ status: 409, code: 'USER_EXISTS' });
    const both = await Promise.all(['/users', '/users'].map((url) => call('POST', url, { login: 'twin' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('changes their password, which ends their other sessions', async () => {
    await makeUser('dora');
    const [here, there] = [await signIn('dora', GOOD), await signIn('dora', GOOD)];
    const change = (password: string, newPassword: string) =>
      call('POST', '/me/password', { password, newPassword }, here.cookie);
    expect((await change('wrong', 'another good one')).body).toMatchObject({ code: 'PASSWORD_INVALID' });
    expect((await change(GOOD, 'short')).body).toMatchObject({ code: 'PASSWORD_REFUSED' });
    expect((await change(GOOD, GOOD)).body).toMatchObject({ code: 'PASSWORD_REFUSED' });
    expect((await change(GOOD, 'another good one')).status).toBe(204);
    expect((await call('GET', '/session', null, here.cookie)).status).toBe(200);
    expect((await call('GET', '/session', null, there.cookie)).status).toBe(401);
    expect((await signIn('dora', GOOD)).status).toBe(401);
    expect((await signIn('dora', 'another good one')).status).toBe(204);
    expect((await audited('user.change-password'))[0]).toMatchObject({ actor: 'dora' });
  });

  it('gets a one-time password, which opens nothing but the way to an own one', async () => {
    const made = await call('POST', '/users', { login: 'erin', role: 'viewer' });
    const once = String(made.body.password);
    expect(made.body).toMatchObject({ mustChangePassword: true, passwordExpiresAt: expect.any(String) });
    expect(await signIn('erin', once)).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_NEEDED' } });
    expect((await signIn('erin', once, 'short')).body).toMatchObject({ code: 'PASSWORD_REFUSED' });
    expect((await signIn('erin', once, once)).body).toMatchObject({ code: 'PASSWORD_REFUSED' });
    expect((await signIn('erin', once, GOOD)).status).toBe(204);
    expect((await signIn('erin', once)).status).toBe(401);
    const { cookie } = await signIn('erin', GOOD);
    const reset = await call('POST', `/users/${made.body.id}/password-reset`);
    expect(reset.body).toMatchObject({ password: expect.any(String), expiresAt: expect.any(String) });
    expect((await call('GET', '/session', null, cookie)).status).toBe(401);
    expect((await signIn('erin', GOOD)).status).toBe(401);
    expect((await signIn('erin', String(reset.body.password))).body).toMatchObject({ code: 'PASSWORD_CHANGE_NEEDED' });
    expect(JSON.stringify(await audited('user.reset-password'))).not.toContain(String(reset.body.password));
  });

  it('whose password an administrator resets loses tokens too, unless these are kept', async () => {
    const id = await makeUser('greta');
    const own = async () => {
      const { cookie } = await signIn('greta', GOOD);
      const { body } = await call('POST', '/me/tokens', { name: 'laptop' }, cookie);
      return { authorization: `Bearer ${String(body['token'])}` };
    };
    const works = async (bearer: Record<string, string>) => (await call('GET', '/me', null, bearer)).status === 200;
    const first = await own();
    const reset = async (body: object | null) =>
      String((await call('POST', `/users/${id}/password-reset`, body)).body.password);
    await reset({ keepTokens: true });
    expect(await works(first)).toBe(true);
    const once = await reset(null);
    expect(await works(first)).toBe(false);
    expect((await audited('user.reset-password')).slice(0, 2).map(({ after }) => after)).toMatchObject([
      { keepTokens: false },
      { keepTokens: true },
    ]);
    await signIn('greta', once, GOOD);
    const [kept, ended] = [await own(), await own()];
    const { cookie } = await signIn('greta', GOOD);
    const change = (over: object) =>
      call('POST', '/me/password', { password: GOOD, newPassword: GOOD, ...over }, cookie);
    await change({ newPassword: 'another good one' });
    expect([await works(kept), await works(ended)]).toEqual([true, true]);
    await change({ password: 'another good one', endTokens: true });
    expect([await works(kept), await works(ended)]).toEqual([false, false]);
  });

  it('leaves API keys and worker tokens behind, which are listed and revoked on request', async () => {
    const id = await makeUser('henry', { role: 'admin' });
    const { cookie } = await signIn('henry', GOOD);
    const key = (await call('POST', '/keys', { name: 'shop', workflows: ['*'], environments: ['dev'] }, cookie)).body;
    const pool = (await call('POST', '/tokens', { name: 'pool', role: 'worker' }, cookie)).body;
    await call('POST', '/me/tokens', { name: 'own' }, cookie);
    expect([key['madeByUserId'], pool['madeByUserId']]).toEqual([id, id]);
    expect((await call('PATCH', `/users/${id}`, { disabled: true })).status).toBe(200);
    // The service of the key goes on: it dies with a person only if somebody says so.
    const { access } = h.services;
    expect(access.key(String(key['key']))).toMatchObject({ name: 'shop' });
    expect(access.token(String(pool['token']))).toMatchObject({ actor: 'pool' });
    const left = () => call('GET', `/users/${id}/left`);
    expect((await left()).body).toMatchObject({ keys: [{ id: key.id }], tokens: [{ id: pool.id }] });
    expect((await call('POST', `/users/${id}/left/revoke`)).body).toEqual({ keys: 1, tokens: 1 });
    expect([access.key(String(key['key'])), access.token(String(pool['token']))]).toEqual([null, null]);
    expect((await left()).body).toEqual({ keys: [], tokens: [] });
    expect((await audited('key.revoke'))[0]).toMatchObject({ actor: 'admin', target: `key:${key.id}` });
  });

  it('is not named like the master itself, whoever makes them', async () => {
    for (const login of [
      'admin',
      'Master',
      'local',
      'provider',
      'yardmaster',
      'Yard-Master',
      'yardmaster.system',
      'root',
    ])
      for (const kind of ['person', 'service'])
        expect([login, (await call('POST', '/users', { login, kind })).body.code]).toEqual([
          login,
          'VALIDATION_FAILED',
        ]);
    expect((await call('POST', '/users', { login: 'deploy', name: 'Yardmaster' })).body.code).toBe('VALIDATION_FAILED');
    const id = await makeUser('admin2');
    expect((await call('PATCH', `/users/${id}`, { name: 'Master' })).body.code).toBe('VALIDATION_FAILED');
    for (const name of ['local', 'yardmaster', 'Master'])
      expect((await call('POST', '/tokens', { name, role: 'viewer' })).body.code).toBe('VALIDATION_FAILED');
  });

  it('who is disabled is out at once, with their tokens, and stays out when enabled again', async () => {
    const id = await makeUser('frank', { role: 'admin' });
    const { cookie } = await signIn('frank', GOOD);
    const { token } = (await call('POST', '/tokens', { name: 'laptop', role: 'admin' }, cookie)).body as {
      token: string;
    };
    const bearer = { authorization: `Bearer ${token}` };
    expect((await call('GET', '/session', null, bearer)).body).toMatchObject({ actor: 'frank', user: { id } });
    const fromToken = await call('POST', '/session', { token }, {});
    let told = 0;
    const stop = h.services.access.onCredentialEnded(() => told++);
    expect((await call('PATCH', `/users/${id}`, { disabled: true }, cookie)).body).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect((await call('PATCH', `/users/${id}`, { disabled: true })).body).toMatchObject({
      disabledAt: expect.any(String),
    });
    stop();
    expect(told).toBeGreaterThan(0);
    const out = async () =>
      Promise.all([cookie, bearer, fromToken.cookie].map(async (c) => (await call('GET', '/jobs', null, c)).status));
    expect(await out()).toEqual([401, 401, 401]);
    expect((await signIn('frank', GOOD)).body).toMatchObject({ code: 'PASSWORD_INVALID' });
    await call('PATCH', `/users/${id}`, { disabled: false });
    expect(await out()).toEqual([401, 401, 401]);
    expect((await signIn('frank', GOOD)).status).toBe(204);
    expect((await audited('user.disable'))[0]).toMatchObject({ actor: 'admin', target: `user:${id}` });
  });

  it('is shown to others without where they can be reached', async () => {
    const id = await makeUser('gina', { email: 'gina@example.org' });
    const { cookie } = await signIn('gina', GOOD);
    const seen = async (headers: Record<string, string>) =>
      (await call('GET', `/users/${id}`, null, headers)).body['email'];
    expect(await seen({ authorization: `Bearer ${h.tokens.viewer}` })).toBeNull();
    expect(await seen({ authorization: `Bearer ${h.tokens.admin}` })).toBe('gina@example.org');
    expect(await seen(cookie)).toBe('gina@example.org');
    expect(JSON.stringify((await call('GET', '/users')).body)).not.toContain('scrypt');
  });

  it('lists and ends their own sessions, and nobody else’s', async () => {
    await makeUser('hugo');
    await makeUser('ivy');
    const [hugo, ivy] = [await signIn('hugo', GOOD), await signIn('ivy', GOOD)];
    const list = async (cookie: { cookie: string }) =>
      (await call('GET', '/sessions?size=500', null, cookie)).body['items'] as { id: string; actor: string }[];
    expect((await list(hugo.cookie)).map(({ actor }) => actor)).toEqual(['hugo']);
    const [ofIvy] = await list(ivy.cookie);
    expect((await call('DELETE', `/sessions/${ofIvy?.id}`, null, hugo.cookie)).status).toBe(404);
    expect((await call('DELETE', `/sessions/${ofIvy?.id}`, null, ivy.cookie)).status).toBe(204);
  });
});

describe('a token that a person made', () => {
  it('does at most what they may, now and later', async () => {
    const id = await makeUser('jack', { role: 'admin' });
    const { cookie } = await signIn('jack', GOOD);
    const make = async (role: string) =>
      ((await call('POST', '/tokens', { name: `as ${role}`, role }, cookie)).body as { token: string }).token;
    const [low, high] = [await make('viewer'), await make('admin')];
    const roleOf = async (token: string) =>
      (await call('GET', '/session', null, { authorization: `Bearer ${token}` })).body['role'];
    expect([await roleOf(low), await roleOf(high)]).toEqual(['viewer', 'admin']);
    const { grants } = h.services.access;
    const whole = grants.list().find(({ subject }) => subject === id);
    const actor = { name: 'admin', role: 'admin', address: null } as const;
    await grants.remove(whole?.id ?? '', actor);
    for (const token of [low, high])
      expect((await call('GET', '/jobs', null, { authorization: `Bearer ${token}` })).status).toBe(403);
    await grants.create(
      { subjectKind: 'user', subject: id, role: 'operator', project: null, environments: null },
      actor,
    );
    expect([await roleOf(low), await roleOf(high)]).toEqual(['viewer', 'operator']);
  });

  it('does no more in a browser that signed in with it', async () => {
    await makeUser('lisa', { role: 'admin' });
    const { cookie } = await signIn('lisa', GOOD);
    const low = (await call('POST', '/me/tokens', { name: 'low', role: 'viewer' }, cookie)).body as { token: string };
    const session = await call('POST', '/session', { token: low.token }, {});
    expect((await call('GET', '/session', null, session.cookie)).body).toMatchObject({ actor: 'lisa', role: 'viewer' });
    expect((await call('GET', '/jobs', null, session.cookie)).status).toBe(200);
    expect((await call('PATCH', '/settings', {}, session.cookie)).status).toBe(403);
    expect((await call('POST', '/users', { login: 'lisa2' }, session.cookie)).status).toBe(403);
    expect((await call('POST', '/me/tokens', { name: 'all', role: 'admin' }, session.cookie)).status).toBe(403);
  });

  it('makes none that lasts longer than itself, also from a browser', async () => {
    await makeUser('mona');
    const { cookie } = await signIn('mona', GOOD);
    const [soon, late] = [1, 2].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const { token } = (await call('POST', '/me/tokens', { name: 'a day', expiresAt: soon }, cookie)).body as {
      token: string;
    };
    const session = await call('POST', '/session', { token }, {});
    for (const from of [{ authorization: `Bearer ${token}` }, session.cookie]) {
      expect((await call('POST', '/me/tokens', { name: 'b', role: 'operator', expiresAt: late }, from)).status).toBe(
        403,
      );
      expect((await call('POST', '/me/tokens', { name: 'c', role: 'operator' }, from)).body).toMatchObject({
        expiresAt: soon,
      });
    }
    expect((await call('POST', '/me/tokens', { name: 'd' }, cookie)).body).toMatchObject({ expiresAt: null });
  });

  it('makes none that lasts longer as an administrator either', async () => {
    await makeUser('nora', { role: 'admin' });
    const { cookie } = await signIn('nora', GOOD);
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const late = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const made = await call('POST', '/me/tokens', { name: 'a day', expiresAt: soon }, cookie);
    const own = { authorization: `Bearer ${(made.body as { token: string }).token}` };
    const create = async (body: object, from: Record<string, string>) => call('POST', '/tokens', body, from);
    expect((await create({ name: 'late', role: 'admin', expiresAt: late }, own)).status).toBe(403);
    expect((await create({ name: 'same', role: 'admin' }, own)).body).toMatchObject({ expiresAt: soon });
    expect((await create({ name: 'free', role: 'admin' }, cookie)).body).toMatchObject({ expiresAt: null });
    // The work of workers goes on.
    expect((await create({ name: 'fleet', role: 'worker' }, own)).body).toMatchObject({ expiresAt: null });
  });

  it('of workers goes on without them', async () => {
    const id = await makeUser('kim', { role: 'admin' });
    const { cookie } = await signIn('kim', GOOD);
    const { token } = (await call('POST', '/tokens', { name: 'fleet', role: 'worker' }, cookie)).body as {
      token: string;
    };
    await call('PATCH', `/users/${id}`, { disabled: true });
    expect(h.services.access.token(token)?.role).toBe('worker');
  });
});

it('lets nobody who manages people by a role of their own come to more rights that way', async () => {
  const { access } = h.services;
  const actor = { name: 'admin', role: 'admin', address: null } as const;
  await access.roles.set('reception', { actions: ['people.manage', 'master.read'] }, actor);
  const id = await makeUser('rita', { role: undefined });
  await access.grants.create(
    { subjectKind: 'user', subject: id, role: 'reception', project: null, environments: null },
    actor,
  );
  const { cookie } = await signIn('rita', GOOD);
  const boss = await makeUser('boss', { role: 'admin' });
  const guest = await makeUser('guest', { password: undefined, source: 'oidc', email: 'guest@example.org' });
  const codes = [
    await call('POST', '/users', { login: 'new1', password: GOOD }, cookie),
    await call('POST', '/users', { login: 'new2', role: 'admin' }, cookie),
    await call('POST', '/users', { login: 'new3', groups: ['admins'] }, cookie),
    await call('PATCH', `/users/${id}`, { groups: ['admins'] }, cookie),
    await call('POST', `/users/${boss}/password-reset`, {}, cookie),
    await call('POST', `/users/${boss}/tokens`, { name: 'x' }, cookie),
    await call('PATCH', `/users/${guest}`, { email: 'rita@example.org' }, cookie),
    await call('POST', '/grants', { subjectKind: 'user', subject: id, role: 'admin' }, cookie),
    await call('PUT', '/roles/reception', { actions: ['people.manage', 'secrets.manage'] }, cookie),
    await call('POST', '/tokens', { name: 'mine', role: 'worker' }, cookie),
    await call('PATCH', '/projects/default', { masks: [] }, cookie),
  ].map(({ status }) => status);
  expect(codes).toEqual([201, 403, 403, 403, 403, 403, 403, 403, 403, 403, 403]);
});

describe('guessing', () => {
  async function slowed() {
    const slow = await startHarness({ limits: { passwordCost: 4, passwordPasses: 1, wrongTokens: 3 } });
    await slow.services.access.users.create(
      { login: 'lea', password: GOOD, role: 'viewer' },
      { name: 't', role: 'admin', address: null },
    );
    const from = (remoteAddress: string, password: string, login = 'lea') =>
      slow.app.inject({
        method: 'POST',
        url: '/api/v1/session/password',
        remoteAddress,
        headers: { ...host },
        payload: { login, password },
      });
    return { from, close: slow.close };
  }

  it('is slowed down for an address, also for the right password', async () => {
    const { from, close } = await slowed();
    const guesses = [];
    for (let i = 0; i < 5; i++) guesses.push((await from('198.51.100.1', 'wrong wrong wrong')).statusCode);
    expect(guesses).toEqual([401, 401, 401, 429, 429]);
    const refused = await from('198.51.100.1', GOOD);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await from('198.51.100.1', GOOD, 'other')).statusCode).toBe(429);
    await close();
  });

  it('from many addresses keeps nobody out who comes from another one', async () => {
    const { from, close } = await slowed();
    for (let i = 0; i < 40; i++) expect((await from(`198.51.100.${i}`, 'wrong wrong wrong')).statusCode).toBe(401);
    expect((await from('203.0.113.9', GOOD)).statusCode).toBe(204);
    await close();
  });
});

describe('an account that is deleted', () => {
  it('is gone with its sessions, tokens and roles; the audit log keeps its name', async () => {
    const id = await makeUser('zoe');
    const { cookie } = await signIn('zoe', GOOD);
    const { token } = (await call('POST', '/me/tokens', { name: 'own' }, cookie)).body as { token: string };
    await call('POST', '/workflows', { id: 'of-zoe', name: 'Z' }, cookie);
    expect((await call('DELETE', `/users/${id}`, null, cookie)).body.code).toBe('FORBIDDEN');
    expect((await call('DELETE', `/users/${id}`)).status).toBe(204);
    for (const from of [cookie, { authorization: `Bearer ${token}` }])
      expect((await call('GET', '/workflows', null, from)).status).toBe(401);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/tokens'],
    ] as const)
      expect((await call(method, `/users/${id}${path}`)).body.code).toBe('USER_NOT_FOUND');
    expect((await call('GET', `/grants?subject=${id}`)).body).toMatchObject({ totalItems: 0 });
    expect((await signIn('zoe', GOOD)).body.code).toBe('PASSWORD_INVALID');
    expect((await audited('user.delete'))[0]).toMatchObject({
      target: `user:${id}`,
      before: { login: 'zoe', createdBy: 'admin', grants: [{ role: 'operator' }] },
      after: null,
    });
    expect((await audited('workflow.create'))[0]).toMatchObject({ actor: 'zoe' });
    // The name is free; the roles are not those of before.
    const again = await makeUser('zoe', { role: undefined });
    expect(again).not.toBe(id);
    expect((await call('GET', `/users/${again}`)).body).toMatchObject({ hasGrants: false });
  });

  it('is not one’s own, and of an administrator only by another one', async () => {
    const admin = await makeUser('chief', { role: 'admin' });
    const { cookie } = await signIn('chief', GOOD);
    expect((await call('DELETE', `/users/${admin}`, null, cookie)).body.code).toBe('VALIDATION_FAILED');
    await call('PUT', '/roles/staff', { actions: ['people.manage', 'master.read'] });
    const clerk = await makeUser('clerk', { role: undefined });
    await call('POST', '/grants', { subjectKind: 'user', subject: clerk, role: 'staff' });
    const from = (await signIn('clerk', GOOD)).cookie;
    expect((await call('DELETE', `/users/${admin}`, null, from)).body.code).toBe('FORBIDDEN');
    expect((await call('DELETE', `/users/${await makeUser('temp')}`, null, from)).status).toBe(204);
    expect((await call('DELETE', `/users/${admin}`)).status).toBe(204);
  });
});
