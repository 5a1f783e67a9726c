import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Limits } from '../../../contract/limits.ts';
import type { OidcOptions } from '../../../contract/process.ts';
import { startTestProvider, type TestProvider } from '../../access/oidc/provider.fixture.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { ownPath } from './oidc.ts';

const ORIGIN = 'http://127.0.0.1:8700';
const CALLBACK = `${ORIGIN}/api/v1/session/oidc/callback`;
const host = { host: '127.0.0.1:8700' };

let provider: TestProvider;
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
let keys: { ours: Key; other: Key };
beforeAll(async () => {
  const made = await generateKeyPair('RS256', { extractable: true });
  keys = { ours: made.privateKey, other: (await generateKeyPair('RS256')).privateKey };
  provider = await startTestProvider(CALLBACK, {
    jwks: { keys: [{ ...(await exportJWK(made.privateKey)), kid: 'k', alg: 'RS256', use: 'sig' }] },
  });
});
afterAll(() => provider.close());

const open: Harness[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function start(
  over: Partial<OidcOptions> = {},
  limits: Partial<Limits> = {},
): Promise<{ h: Harness; move(minutes: number): void }> {
  let ahead = 0;
  const h = await startHarness({
    limits: { passwordCost: 4, passwordPasses: 1, ...limits },
    clock: { now: () => Date.now() + ahead },
    oidc: {
      ...{ issuer: provider.issuer, clientId: 'yardmaster', clientSecret: 'the secret of the client' },
      ...{ name: 'Example', scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'], groupsClaim: 'groups' },
      ...{ allowedDomains: [], createUsers: true },
      ...over,
    },
  });
  open.push(h);
  return { h, move: (minutes) => (ahead += minutes * 60_000) };
}

const alice = {
  sub: 'alice-1',
  claims: {
    ...{ name: 'Alice A.', preferred_username: 'Alice', email: 'alice@example.org', email_verified: true },
    groups: ['yard-operators'],
  },
};

interface Went {
  place: string;
  cookies: string[];
}
async function go(h: Harness, url: string, cookie = ''): Promise<Went> {
  const answer = await h.app.inject({ url, headers: { ...host, cookie } });
  expect(answer.statusCode).toBe(302);
  return { place: String(answer.headers.location), cookies: [answer.headers['set-cookie'] ?? []].flat() };
}
const valueOf = (cookies: string[], name: string) =>
  cookies
    .map((text) => text.split(';', 1)[0] ?? '')
    .find((text) => text.startsWith(`${name}=`) && text.length > name.length + 1);

async function begin(h: Harness, back = '/'): Promise<{ url: string; binding: string }> {
  const { place, cookies } = await go(h, `/api/v1/session/oidc?return=${encodeURIComponent(back)}`);
  return { url: place, binding: valueOf(cookies, 'yardmaster_8700_oidc') ?? '' };
}
async function signIn(h: Harness, who: TestProvider['account'] = alice, back = '/') {
  provider.account = who;
  const { url, binding } = await begin(h, back);
  const callback = (await provider.visit(url)).slice(ORIGIN.length);
  const { place, cookies } = await go(h, callback, binding);
  return { place, callback, binding, cookie: valueOf(cookies, 'yardmaster_8700') ?? '' };
}
const whoAmI = async (h: Harness, cookie: string) =>
  (await h.app.inject({ url: '/api/v1/session', headers: { ...host, cookie } })).json() as Record<string, unknown>;
const statusOf = async (h: Harness, headers: Record<string, string>) =>
  (await h.app.inject({ url: '/api/v1/session', headers: { ...host, ...headers } })).statusCode;

describe('signing in at the provider', () => {
  it('is offered, makes the person, knows their groups, and goes on where they were', async () => {
    const { h } = await start();
    expect((await h.app.inject({ url: '/api/v1/session/ways', headers: host })).json()).toEqual({
      password: false,
      provider: { name: 'Example', url: '/api/v1/session/oidc' },
    });
    await h.services.access.grants.create(
      { subjectKind: 'group', subject: 'yard-operators', role: 'operator', project: null, environments: null },
      { name: 't', role: 'admin', address: null },
    );
    const { place, cookie } = await signIn(h, alice, '/jobs?status=FAILED');
    expect(place).toBe('/jobs?status=FAILED');
    expect(await whoAmI(h, cookie)).toMatchObject({
      actor: 'alice',
      role: 'operator',
      user: { login: 'alice', name: 'Alice A.', source: 'oidc', hasGrants: true },
    });
    const { items } = h.services.access.users.list({ page: 0, size: 9 });
    expect(items).toMatchObject([{ email: 'alice@example.org', groups: ['yard-operators'], createdBy: 'provider' }]);
    await vi.waitFor(async () => {
      const audit = await h.services.access.audit.list({ page: 0, size: 9 });
      expect(audit.items.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['user.create', 'session.sign-in']),
      );
      // A token of the provider; three such letters alone are in one of a thousand lists of sums.
      expect(JSON.stringify(audit)).not.toMatch(/eyJ[\w-]+\./);
    });
  });

  it('asks with a code, PKCE, state and nonce, and binds the answer to the browser', async () => {
    const { h } = await start();
    const { place, cookies } = await go(h, '/api/v1/session/oidc');
    const asked = Object.fromEntries(new URL(place).searchParams);
    expect(asked).toMatchObject({
      ...{ response_type: 'code', client_id: 'yardmaster', code_challenge_method: 'S256', redirect_uri: CALLBACK },
      ...{ state: expect.stringMatching(/^.{43}$/), nonce: expect.stringMatching(/^.{43}$/) },
    });
    expect(cookies[0]).toMatch(/; Path=\/api\/v1\/session\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/);
  });

  it('knows somebody by the ID of the provider, not by a name that somebody else has here', async () => {
    const { h } = await start();
    await h.services.access.users.create(
      { login: 'alice', password: 'correct horse battery', role: 'admin' },
      { name: 't', role: 'admin', address: null },
    );
    const { cookie } = await signIn(h);
    expect(await whoAmI(h, cookie)).toMatchObject({ actor: 'alice-2', role: 'viewer', user: { hasGrants: false } });
    const again = await signIn(h, { sub: alice.sub, claims: { ...alice.claims, preferred_username: 'renamed' } });
    expect(await whoAmI(h, again.cookie)).toMatchObject({ actor: 'alice-2' });
    expect(h.services.access.users.list({ page: 0, size: 9 }).totalItems).toBe(2);
  });

  it('refuses those of other domains, also where nobody verified the address', async () => {
    const { h } = await start({ allowedDomains: ['example.org'] });
    for (const claims of [{ email: 'eve@example.net' }, { email_verified: false }])
      expect((await signIn(h, { sub: 'eve', claims: { ...alice.claims, ...claims } })).place).toBe(
        '/#sign-in-failed=IDENTITY_REFUSED',
      );
    expect((await signIn(h)).place).toBe('/');
  });

  it('lets only those in who were made before, where it is set so: by their verified address, once', async () => {
    const { h } = await start({ createUsers: false });
    expect((await signIn(h)).place).toBe('/#sign-in-failed=IDENTITY_REFUSED');
    const { id } = await h.services.access.users.create(
      { login: 'al', source: 'oidc', email: 'Alice@Example.org', role: 'viewer' },
      { name: 't', role: 'admin', address: null },
    );
    const { cookie } = await signIn(h);
    expect(await whoAmI(h, cookie)).toMatchObject({ actor: 'al', user: { id } });
    expect((await signIn(h, { ...alice, sub: 'another' })).place).toBe('/#sign-in-failed=IDENTITY_REFUSED');
  });

  it('says that the provider refused, or does not answer', async () => {
    const { h } = await start();
    expect((await signIn(h, null)).place).toBe('/#sign-in-failed=SIGN_IN_REFUSED');
    const { h: lost } = await start({ issuer: 'http://127.0.0.1:9' });
    expect((await go(lost, '/api/v1/session/oidc')).place).toBe('/#sign-in-failed=PROVIDER_UNREACHABLE');
    const { h: wrong } = await start({ clientSecret: 'not the secret' });
    expect((await signIn(wrong)).place).toBe('/#sign-in-failed=PROVIDER_INVALID');
  });
});

describe('an answer that is not of this sign-in', () => {
  it('is refused where the state is unknown, was used, is another browser’s, or came too late', async () => {
    const { h, move } = await start();
    const expired = '/#sign-in-failed=SIGN_IN_EXPIRED';
    const { callback, binding } = await signIn(h);
    expect((await go(h, callback, binding)).place).toBe(expired);
    expect((await go(h, '/api/v1/session/oidc/callback?code=x&state=y', binding)).place).toBe(expired);
    expect((await go(h, '/api/v1/session/oidc/callback')).place).toBe(expired);
    const mine = await begin(h);
    const theirs = await begin(h);
    const answer = (await provider.visit(mine.url)).slice(ORIGIN.length);
    expect((await go(h, answer, theirs.binding)).place).toBe(expired);
    // That used it up.
    expect((await go(h, answer, mine.binding)).place).toBe(expired);
    const late = await begin(h);
    const lateAnswer = (await provider.visit(late.url)).slice(ORIGIN.length);
    move(11);
    expect((await go(h, lateAnswer, late.binding)).place).toBe(expired);
  });

  it('counts as guessing where it was begun in this browser, and not where another site sends the browser', async () => {
    const { h } = await start();
    const wrong = () => h.services.access.attempts.stats().wrong;
    for (let i = 0; i < 3; i++) await go(h, '/api/v1/session/oidc/callback?code=x&state=y');
    const form = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await h.app.inject({
      ...{ method: 'POST', url: '/api/v1/session/oidc/back-channel-logout', payload: 'logout_token=x' },
      headers: { ...host, ...form },
    });
    expect([sent.statusCode, wrong()]).toEqual([400, 0]);
    await go(h, '/api/v1/session/oidc/callback?code=x&state=y', (await begin(h)).binding);
    expect(wrong()).toBe(1);
  });

  it('goes on, however many somebody else begins', async () => {
    const { h } = await start({}, { oidcPendingSignIns: 10 });
    provider.account = alice;
    const { url, binding } = await begin(h);
    for (let i = 0; i < 30; i++)
      await h.app.inject({ url: '/api/v1/session/oidc', headers: host, remoteAddress: '198.51.100.7' });
    const callback = (await provider.visit(url)).slice(ORIGIN.length);
    expect((await go(h, callback, binding)).place).toBe('/');
  });

  it('is refused with a code of another sign-in, whose nonce and verifier are others', async () => {
    const { h } = await start();
    provider.account = alice;
    const [one, two] = [await begin(h), await begin(h)];
    const codeOf = async (url: string) => new URL(await provider.visit(url)).searchParams;
    const [ofOne, ofTwo] = [await codeOf(one.url), await codeOf(two.url)];
    ofTwo.set('code', ofOne.get('code') ?? '');
    const { place } = await go(h, `/api/v1/session/oidc/callback?${ofTwo}`, two.binding);
    expect(place).toBe('/#sign-in-failed=SIGN_IN_REFUSED');
  });

  it('is refused with the nonce of another sign-in', async () => {
    const { h } = await start();
    provider.account = alice;
    const { url, binding } = await begin(h);
    const asked = new URL(url);
    asked.searchParams.set('nonce', 'of somebody else');
    const callback = (await provider.visit(asked.href)).slice(ORIGIN.length);
    expect((await go(h, callback, binding)).place).toBe('/#sign-in-failed=PROVIDER_INVALID');
  });

  it('is refused where it names another issuer', async () => {
    const { h } = await start();
    provider.account = alice;
    const { url, binding } = await begin(h);
    const answer = new URL(await provider.visit(url)).searchParams;
    answer.set('iss', 'https://evil.example');
    expect((await go(h, `/api/v1/session/oidc/callback?${answer}`, binding)).place).toBe(
      '/#sign-in-failed=PROVIDER_INVALID',
    );
  });
});

describe('somebody of the provider', () => {
  it('is asked about, with their groups as they are by then', async () => {
    const { h, move } = await start();
    const { cookie } = await signIn(h);
    provider.account = { sub: alice.sub, claims: { ...alice.claims, groups: ['others'] } };
    await provider.visit((await begin(h)).url);
    move(11);
    await h.services.access.oidc?.check();
    expect(await statusOf(h, { cookie })).toBe(200);
    expect(h.services.access.users.list({ page: 0, size: 1 }).items[0]?.groups).toEqual(['others']);
    // Refresh tokens are replaced: the next one works as well.
    move(11);
    await h.services.access.oidc?.check();
    move(55);
    expect(await statusOf(h, { cookie })).toBe(200);
  });

  it('who is disabled there is out within minutes, with their tokens, until they may sign in again', async () => {
    const { h, move } = await start();
    const bob = { sub: 'bob-1', claims: { ...alice.claims, preferred_username: 'bob' } };
    const { cookie } = await signIn(h, bob);
    const { userId } = h.services.access.session(cookie.split('=')[1] ?? '') ?? {};
    const { token } = await h.services.access.tokens.create(
      { name: 'cli', role: 'admin', userId: userId ?? '' },
      { name: 'bob', role: 'viewer', address: null },
    );
    const bearer = { authorization: `Bearer ${token}` };
    expect(await statusOf(h, bearer)).toBe(200);
    provider.disabled.add(bob.sub);
    let told = 0;
    h.services.access.onCredentialEnded(() => told++);
    await h.services.access.oidc?.check();
    expect([await statusOf(h, { cookie }), told]).toEqual([200, 0]);
    move(10);
    await h.services.access.oidc?.check();
    expect([await statusOf(h, { cookie }), await statusOf(h, bearer)]).toEqual([401, 401]);
    const resting = await h.app.inject({ url: '/api/v1/session', headers: { ...host, ...bearer } });
    expect(resting.json()).toMatchObject({
      code: 'TOKEN_INVALID',
      detail: expect.stringMatching(/rests.*bob signs in/),
    });
    expect(h.services.access.attempts.stats().wrong).toBe(0);
    expect(told).toBeGreaterThan(0);
    await vi.waitFor(async () => {
      const ended = await h.services.access.audit.list({ page: 0, size: 1, action: 'session.end' });
      expect(ended.items).toMatchObject([{ actor: 'provider', before: { actor: 'bob' } }]);
    });
    provider.disabled.clear();
    await signIn(h, bob);
    expect(await statusOf(h, bearer)).toBe(200);
    move(24 * 60 + 1);
    expect(await statusOf(h, bearer)).toBe(401);
  });

  it('goes on while the provider does not answer, but not for ever', async () => {
    const { h, move } = await start();
    const other = await startTestProvider(CALLBACK);
    const { h: lone, move: moveLone } = await start({ issuer: other.issuer });
    other.account = alice;
    const { url, binding } = await begin(lone);
    const { cookies } = await go(lone, (await other.visit(url)).slice(ORIGIN.length), binding);
    const cookie = valueOf(cookies, 'yardmaster_8700') ?? '';
    await other.close();
    moveLone(30);
    await lone.services.access.oidc?.check();
    expect(await statusOf(lone, { cookie })).toBe(200);
    moveLone(31);
    expect(await statusOf(lone, { cookie })).toBe(401);
    void h;
    void move;
  });

  it('who is disabled here does not come in, however the provider vouches for them', async () => {
    const { h } = await start();
    await signIn(h);
    const [user] = h.services.access.users.list({ page: 0, size: 1 }).items;
    await h.services.access.users.update(
      user?.id ?? '',
      { disabled: true },
      { name: 't', role: 'admin', address: null },
    );
    expect((await signIn(h)).place).toBe('/#sign-in-failed=IDENTITY_REFUSED');
  });

  it('signs out here and there, and not by a link on another page', async () => {
    const { h } = await start();
    const { cookie } = await signIn(h);
    expect((await go(h, '/api/v1/session/oidc/sign-out')).place).toBe('/');
    expect(await statusOf(h, { cookie })).toBe(200);
    const { place } = await go(h, '/api/v1/session/oidc/sign-out', cookie);
    const end = new URL(place);
    expect([end.origin, end.searchParams.get('post_logout_redirect_uri')]).toEqual([provider.issuer, `${ORIGIN}/`]);
    expect(end.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect((await fetch(place, { redirect: 'manual' })).status).toBe(200);
    expect(await statusOf(h, { cookie })).toBe(401);
  });
});

it('returns to own paths alone', () => {
  const own = ['/', '/jobs?status=FAILED#top', '/workflows/a/b'];
  const others = [
    undefined,
    '',
    'jobs',
    '//evil.example',
    '/\\evil.example',
    '/a\\..\\b',
    'https://evil.example',
    '/\tevil',
    '/..//evil.example',
    '/api/v1/session/oidc',
    'javascript:alert(1)',
  ];
  expect(own.map(ownPath)).toEqual(own);
  expect(others.map(ownPath)).toEqual(others.map(() => '/'));
});

describe('a sign-out at the provider', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  let count = 0;
  const logoutToken = (claims: Record<string, unknown> = {}, key: Key = keys.ours, typ = 'logout+jwt') =>
    new SignJWT({ jti: `j${count++}`, sub: alice.sub, events: EVENTS, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k', typ })
      .setIssuer(typeof claims['iss'] === 'string' ? claims['iss'] : provider.issuer)
      .setAudience(typeof claims['aud'] === 'string' ? claims['aud'] : 'yardmaster')
      .setIssuedAt(typeof claims['iat'] === 'number' ? claims['iat'] : Math.floor(Date.now() / 1000))
      .sign(key);
  const tell = async (h: Harness, token: string) => {
    const answer = await h.app.inject({
      method: 'POST',
      url: '/api/v1/session/oidc/back-channel-logout',
      headers: { ...host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });
    return { status: answer.statusCode, body: answer.json() as { ended?: number; code?: string }, answer };
  };

  it('ends the sessions of that person here, and of nobody else', async () => {
    const { h } = await start();
    const { cookie } = await signIn(h);
    const bob = { sub: 'bob-9', claims: { name: 'Bob', preferred_username: 'bob' } };
    const { cookie: other } = await signIn(h, bob);
    const { answer, body } = await tell(h, await logoutToken());
    expect([answer.statusCode, body, answer.headers['cache-control']]).toEqual([200, { ended: 1 }, 'no-store']);
    expect([await statusOf(h, { cookie }), await statusOf(h, { cookie: other })]).toEqual([401, 200]);
  });

  it('is believed only with a fresh logout token that the provider signed for this master, once', async () => {
    const { h } = await start();
    const { cookie } = await signIn(h);
    const old = Math.floor(Date.now() / 1000) - 3600;
    for (const token of [
      'none',
      await logoutToken({}, keys.other),
      await logoutToken({ iss: 'http://other.invalid' }),
      await logoutToken({ aud: 'another' }),
      await logoutToken({ iat: old }),
      await logoutToken({ events: {} }),
      await logoutToken({ nonce: 'of an ID token' }),
      await logoutToken({ sub: undefined }),
      await logoutToken({}, keys.ours, 'at+jwt'),
    ])
      expect(await tell(h, token)).toMatchObject({ status: 400, body: { code: 'LOGOUT_TOKEN_INVALID' } });
    expect(await statusOf(h, { cookie })).toBe(200);
    const once = await logoutToken({ sid: 'unknown' });
    expect((await tell(h, once)).status).toBe(200);
    expect((await tell(h, once)).status).toBe(400);
  });
});
