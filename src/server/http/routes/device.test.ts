import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
let ahead = 0;
beforeAll(async () => {
  h = await startHarness({
    limits: { passwordCost: 4, passwordPasses: 1, wrongTokens: 5, deviceCodesPerAddress: 3, deviceCodes: 8 },
    clock: { now: () => Date.now() + ahead },
  });
});
afterAll(() => h.close());

const host = { host: '127.0.0.1:8700' };
const same = { origin: 'http://127.0.0.1:8700' };
const admin = { name: 't', role: 'admin', address: null } as const;
const PASSWORD = 'correct horse battery';

async function call(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  headers = {},
  remoteAddress = '127.0.0.1',
) {
  const answer = await h.app.inject({
    ...{ method, url: `/api/v1${url}`, remoteAddress },
    headers: { ...host, ...same, ...headers },
    ...(payload ? { payload } : {}),
  });
  return {
    status: answer.statusCode,
    body: (answer.body === '' ? {} : answer.json()) as Record<string, unknown> & { code?: string },
    cookie: { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' },
  };
}
const begin = async (address = '127.0.0.1') =>
  (await call('POST', '/device/code', { client: 'yardmaster on laptop' }, {}, address)).body as unknown as {
    deviceCode: string;
    userCode: string;
    verificationUrlComplete: string;
    interval: number;
    expiresIn: number;
  };
const ask = (deviceCode: string) => call('POST', '/device/token', { deviceCode });
const later = (seconds: number) => (ahead += seconds * 1000);
const signIn = async (login: string) => (await call('POST', '/session/password', { login, password: PASSWORD })).cookie;

it('is of no use before there are people', async () => {
  expect((await call('POST', '/device/code', { client: 'cli' })).body).toMatchObject({ code: 'SIGN_IN_UNAVAILABLE' });
});

describe('a program that a person signs in', () => {
  beforeAll(async () => {
    for (const login of ['ann', 'ben'])
      await h.services.access.users.create({ login, password: PASSWORD, role: 'operator' }, admin);
  });

  it('shows a code, waits, and gets a token of that person, once', async () => {
    const { deviceCode, userCode, verificationUrlComplete, interval, expiresIn } = await begin('192.0.2.7');
    expect(userCode).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect([verificationUrlComplete, interval, expiresIn]).toEqual([
      `http://127.0.0.1:8700/device?code=${userCode}`,
      5,
      600,
    ]);
    expect((await ask(deviceCode)).body).toMatchObject({ code: 'AUTHORIZATION_PENDING' });
    const ann = await signIn('ann');
    const typed = userCode.toLowerCase().replace('-', ' ');
    expect((await call('GET', `/device/requests/${encodeURIComponent(typed)}`, undefined, ann)).body).toMatchObject({
      ...{ userCode, client: 'yardmaster on laptop', address: '192.0.2.7', expiresAt: expect.any(String) },
    });
    expect((await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, ann)).status).toBe(204);
    expect((await call('POST', `/device/requests/${userCode}`, { decision: 'deny' }, ann)).status).toBe(404);
    later(5);
    const { status, body } = await ask(deviceCode);
    expect([status, body]).toMatchObject([200, { name: 'yardmaster on laptop', expiresAt: expect.any(String) }]);
    const bearer = { authorization: `Bearer ${String(body['token'])}` };
    expect((await call('GET', '/session', undefined, bearer)).body).toMatchObject({ actor: 'ann', role: 'operator' });
    later(5);
    expect((await ask(deviceCode)).body).toMatchObject({ code: 'DEVICE_CODE_UNKNOWN' });
    expect((await call('GET', '/me/tokens', undefined, ann)).body).toMatchObject({ items: [{ id: body['id'] }] });
    expect((await call('DELETE', `/me/tokens/${String(body['id'])}`, undefined, await signIn('ben'))).status).toBe(404);
    expect((await call('DELETE', `/me/tokens/${String(body['id'])}`, undefined, bearer)).status).toBe(204);
    expect((await call('GET', '/session', undefined, bearer)).status).toBe(401);
    const { items } = await h.services.access.audit.list({ page: 0, size: 1, action: 'device.approve' });
    expect(items).toMatchObject([{ actor: 'ann', after: { client: 'yardmaster on laptop', address: '192.0.2.7' } }]);
  });

  it('gets no token for what was approved before all tokens of that person were ended', async () => {
    const { id } = await h.services.access.users.create({ login: 'cyd', password: PASSWORD, role: 'operator' }, admin);
    const { deviceCode, userCode } = await begin('192.0.2.8');
    await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, await signIn('cyd'));
    await h.services.access.users.resetPassword(id, { keepTokens: false, keepPasskeys: false }, admin);
    expect((await ask(deviceCode)).body).toMatchObject({ code: 'DEVICE_DENIED' });
  });

  it('is told where it was denied, asks too often, or comes too late', async () => {
    const ann = await signIn('ann');
    const denied = await begin();
    await call('POST', `/device/requests/${denied.userCode}`, { decision: 'deny' }, ann);
    expect((await ask(denied.deviceCode)).body).toMatchObject({ code: 'DEVICE_DENIED' });
    const hasty = await begin();
    await ask(hasty.deviceCode);
    expect((await ask(hasty.deviceCode)).body).toMatchObject({ code: 'SLOW_DOWN', interval: 10 });
    later(6);
    expect((await ask(hasty.deviceCode)).body).toMatchObject({ code: 'SLOW_DOWN', interval: 15 });
    later(600);
    expect((await ask(hasty.deviceCode)).body).toMatchObject({ code: 'DEVICE_CODE_UNKNOWN' });
    expect((await call('GET', `/device/requests/${hasty.userCode}`, undefined, ann)).status).toBe(404);
  });

  it('is not approved by tokens, which may do less than their person', async () => {
    const { userCode } = await begin();
    const ann = await signIn('ann');
    const { body } = await call('POST', '/me/tokens', { name: 'low', role: 'viewer' }, ann);
    const bearer = { authorization: `Bearer ${String(body['token'])}` };
    const viaToken = (await call('POST', '/session', { token: body['token'] })).cookie;
    for (const headers of [bearer, viaToken, { authorization: `Bearer ${h.tokens.admin}` }])
      expect((await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, headers)).body).toMatchObject(
        {
          code: 'PERSON_NEEDED',
        },
      );
    for (const headers of [bearer, viaToken])
      expect((await call('POST', '/me/tokens', { name: 'high' }, headers)).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await call('POST', '/me/tokens', { name: 'as low', role: 'viewer' }, bearer)).status).toBe(201);
  });

  it('gets nothing where its person was disabled meanwhile', async () => {
    const { id } = await h.services.access.users.create({ login: 'cleo', password: PASSWORD, role: 'admin' }, admin);
    const { deviceCode, userCode } = await begin();
    await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, await signIn('cleo'));
    await h.services.access.users.update(id, { disabled: true }, admin);
    expect((await ask(deviceCode)).body).toMatchObject({ code: 'DEVICE_DENIED' });
  });

  it('loses the oldest of its codes where it begins many, but none that was decided on', async () => {
    later(600);
    const ben = await signIn('ben');
    const find = async (userCode: string) =>
      (await call('GET', `/device/requests/${userCode}`, undefined, ben, '192.0.2.30')).status;
    const [first, second, third] = [
      await begin('198.51.100.1'),
      await begin('198.51.100.1'),
      await begin('198.51.100.1'),
    ];
    await call('POST', `/device/requests/${first.userCode}`, { decision: 'approve' }, ben);
    const fourth = await begin('198.51.100.1');
    expect(await Promise.all([second, third, fourth].map(({ userCode }) => find(userCode)))).toEqual([404, 200, 200]);
    expect((await ask(first.deviceCode)).status).toBe(200);
    expect((await ask(second.deviceCode)).body).toMatchObject({ code: 'DEVICE_CODE_UNKNOWN' });
  });

  it('is refused only where all codes of its address were decided on and nobody fetches them', async () => {
    later(600);
    const ben = await signIn('ben');
    for (let i = 0; i < 3; i++) {
      const { userCode } = await begin('198.51.100.2');
      await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, ben);
    }
    const fourth = await call('POST', '/device/code', { client: 'cli' }, {}, '198.51.100.2');
    expect([fourth.status, fourth.body.code]).toEqual([429, 'RATE_LIMITED']);
  });

  it('keeps its code, and others get one, while strangers take all places', async () => {
    later(600);
    const ann = await signIn('ann');
    const mine = await begin('192.0.2.9');
    for (let network = 0; network < 4; network++) for (let i = 0; i < 3; i++) await begin(`203.0.113.${network}`);
    const other = await begin('192.0.2.10');
    for (const { userCode, deviceCode } of [mine, other]) {
      expect((await call('POST', `/device/requests/${userCode}`, { decision: 'approve' }, ann)).status).toBe(204);
      expect((await ask(deviceCode)).status).toBe(200);
    }
  });

  it('cannot look for codes of others', async () => {
    const ben = await signIn('ben');
    const codes = [];
    for (let i = 0; i < 7; i++)
      codes.push((await call('GET', `/device/requests/BBBB-BBB${'BCDFGHJ'[i]}`, undefined, ben, '203.0.113.5')).status);
    expect(codes).toEqual([404, 404, 404, 404, 404, 429, 429]);
    const decided = await call('POST', '/device/requests/BBBB-BBBB', { decision: 'approve' }, ben, '203.0.113.5');
    expect(decided.status).toBe(429);
  });
});

describe('a service account', () => {
  it('has no password, and tokens of its own that end with it', async () => {
    const bearer = { authorization: `Bearer ${h.tokens.admin}` };
    const made = await call('POST', '/users', { login: 'ci', kind: 'service', role: 'operator' }, bearer);
    const id = String(made.body['id']);
    expect(made.body).not.toHaveProperty('password');
    const wrong = await call('POST', '/users', { login: 'ci2', kind: 'service', password: PASSWORD }, bearer);
    expect(wrong.body.code).toBe('VALIDATION_FAILED');
    expect((await call('POST', `/users/${id}/password-reset`, {}, bearer)).body.code).toBe('VALIDATION_FAILED');
    const { body } = await call('POST', `/users/${id}/tokens`, { name: 'pipeline' }, bearer);
    const own = { authorization: `Bearer ${String(body['token'])}` };
    expect((await call('GET', '/session', undefined, own)).body).toMatchObject({ actor: 'ci', role: 'operator' });
    const worker = await call('POST', `/users/${id}/tokens`, { name: 'w', role: 'worker' }, bearer);
    expect(h.services.access.token(String(worker.body['token']))?.role).toBe('worker');
    const ann = h.services.access.users.list({ page: 0, size: 50 }).items.find(({ login }) => login === 'ann');
    expect((await call('POST', `/users/${ann?.id}/tokens`, { name: 'x' }, bearer)).body.code).toBe('VALIDATION_FAILED');
    await h.services.access.users.update(id, { disabled: true }, admin);
    expect((await call('GET', '/session', undefined, own)).status).toBe(401);
    expect(h.services.access.token(String(worker.body['token']))).toBeNull();
  });
});
