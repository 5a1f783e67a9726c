import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  hs256,
  rs256,
  signingKey,
  startHostileProvider,
  unsigned,
  type HostileProvider,
} from '../../access/oidc/hostile-provider.fake.ts';
import { heldDisk } from '../../testing/held-disk.fixture.ts';
import { forTerminal } from '../../../lib/for-terminal.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

const ORIGIN = 'http://127.0.0.1:8700';
const host = { host: '127.0.0.1:8700' };
const SECRET = 'the secret of the client';

let provider: HostileProvider;
let h: Harness;
let lines: string[];
let ahead: number;
beforeEach(async () => {
  provider = await startHostileProvider();
  lines = [];
  ahead = 0;
  h = await start();
});
afterEach(async () => {
  await h.close();
  await provider.close();
});
const start = (over: Parameters<typeof startHarness>[0] = {}): Promise<Harness> =>
  startHarness({
    limits: { passwordCost: 4, passwordPasses: 1 },
    clock: { now: () => Date.now() + ahead },
    log: (line) => void lines.push(line),
    oidc: {
      ...{ issuer: provider.issuer, clientId: 'yardmaster', clientSecret: SECRET, name: 'Example' },
      ...{ scopes: ['openid'], groupsClaim: 'groups', allowedDomains: [], createUsers: true },
    },
    ...over,
  });

async function go(url: string, cookie = ''): Promise<{ place: string; cookies: string[] }> {
  const answer = await h.app.inject({ url: url.replace(ORIGIN, ''), headers: { ...host, cookie } });
  expect(answer.statusCode).toBe(302);
  return {
    place: String(answer.headers.location),
    cookies: [answer.headers['set-cookie'] ?? []].flat().map((text) => text.split(';', 1)[0] ?? ''),
  };
}
async function signIn(): Promise<{ place: string; cookie: string }> {
  const { place, cookies } = await go('/api/v1/session/oidc');
  if (!place.startsWith(provider.issuer)) return { place, cookie: '' };
  const came = await go(provider.visit(place), cookies[0]);
  return { place: came.place, cookie: came.cookies.find((text) => text.startsWith('yardmaster_8700=')) ?? '' };
}
const people = () => h.services.access.users.list({ page: 0, size: 100 }).items;
const failed = (code: string) => `/#sign-in-failed=${code}`;

it.each<[string, string, () => void]>([
  ['of another key', 'PROVIDER_INVALID', () => (provider.sign = (claims) => rs256(claims, signingKey('one')))],
  ['of a key nobody published', 'PROVIDER_INVALID', () => (provider.sign = (claims) => rs256(claims, signingKey('x')))],
  ['without a signature', 'PROVIDER_INVALID', () => (provider.sign = unsigned)],
  [
    'signed with the published key as if both shared it',
    'PROVIDER_INVALID',
    () => {
      provider.discovery = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
      const pem = provider.key.published.export({ type: 'spki', format: 'pem' });
      provider.sign = (claims) => hs256(claims, pem, { kid: 'one' });
    },
  ],
  [
    'without a signature, which the provider says it does',
    'PROVIDER_INVALID',
    () => {
      provider.discovery = { id_token_signing_alg_values_supported: ['none'] };
      provider.sign = unsigned;
    },
  ],
  ['of the future', 'CLOCK_WRONG', () => (provider.claims = { iat: Math.floor(Date.now() / 1000) + 3600 })],
  ['that has expired', 'CLOCK_WRONG', () => (provider.claims = { exp: Math.floor(Date.now() / 1000) - 60 })],
  ['for another', 'PROVIDER_INVALID', () => (provider.claims = { aud: 'other' })],
  ['made for another', 'PROVIDER_INVALID', () => (provider.claims = { azp: 'other' })],
  ['of another issuer', 'PROVIDER_INVALID', () => (provider.claims = { iss: 'https://other.example' })],
  ['without the nonce', 'PROVIDER_INVALID', () => (provider.claims = { nonce: undefined })],
])('an ID token %s lets nobody in', async (_which, code, lie) => {
  lie();
  expect((await signIn()).place).toBe(failed(code));
  expect(people()).toEqual([]);
});

it('takes an ID token that is signed with the secret of the client, where the provider signs so', async () => {
  provider.discovery = { id_token_signing_alg_values_supported: ['HS256'] };
  provider.sign = (claims) => hs256(claims, SECRET);
  expect((await signIn()).place).toBe('/');
});

it('takes a token that does not say by which of several keys it is', async () => {
  const [other, ours] = [signingKey('three'), provider.key];
  provider.answers.jwks = (_request, response) =>
    json(response, {
      keys: [other, ours].map(({ published }) => ({ ...published.export({ format: 'jwk' }), alg: 'RS256' })),
    });
  provider.sign = (claims) => rs256(claims, { ...ours, kid: undefined });
  expect((await signIn()).place).toBe('/');
  provider.sign = (claims) => rs256(claims, { ...signingKey('four'), kid: undefined });
  expect((await signIn()).place).toBe(failed('PROVIDER_INVALID'));
});

it('does not wait for the end of an answer that has none, nor follow it elsewhere', async () => {
  for (const endpoint of ['jwks', 'token', 'userinfo'] as const) {
    let sent = 0;
    provider.answers[endpoint] = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && sent++ < 1000) if (!response.write(Buffer.alloc(65_536, 32))) break;
      };
      response.on('drain', more);
      more();
    };
    expect([endpoint, (await signIn()).place]).toEqual([endpoint, failed('PROVIDER_INVALID')]);
    expect([endpoint, sent < 500]).toEqual([endpoint, true]);
    provider.answers[endpoint] = (_request, response) => void response.writeHead(307, { location: '/else' }).end();
    expect((await signIn()).place).toMatch(/PROVIDER_(INVALID|UNREACHABLE)$/);
    delete provider.answers[endpoint];
  }
  expect((await signIn()).place).toBe('/');
});

it('does not let whoever begins a sign-in write lines of the log', async () => {
  const { place, cookies } = await go('/api/v1/session/oidc');
  const said = new URLSearchParams({
    state: new URL(place).searchParams.get('state') ?? '',
    error: 'access_denied',
    error_description: `no\nsign-in: root came in\u001B[31m${'x'.repeat(5000)}`,
  });
  expect((await go(`/api/v1/session/oidc/callback?${said}`, cookies[0])).place).toBe(failed('SIGN_IN_REFUSED'));
  const told = lines.filter((line) => line.startsWith('sign-in: '));
  expect(told).toEqual([expect.stringContaining('access_denied: no sign-in: root came in')]);
  expect(told[0]).toBe(forTerminal(told[0] ?? '').replaceAll('\n', ' '));
  expect(told[0]?.length).toBeLessThan(1000);
});

it('signs in in several tabs at once, and does not take that for guessing', async () => {
  const first = await go('/api/v1/session/oidc');
  const second = await go('/api/v1/session/oidc', first.cookies[0]);
  const [cookie = ''] = second.cookies;
  const one = await go(provider.visit(first.place), cookie);
  expect(one.place).toBe('/');
  // The cookie of the second is still needed.
  expect(one.cookies).toEqual([expect.stringMatching(/^yardmaster_8700=./)]);
  const two = await go(provider.visit(second.place), cookie);
  expect(two.place).toBe('/');
  expect(two.cookies).toContain('yardmaster_8700_oidc=');
  expect(h.services.access.attempts.stats().wrong).toBe(0);
  // It is not good for another that begins later.
  expect((await go('/api/v1/session/oidc', cookie)).cookies).not.toEqual([cookie]);
});

it('makes somebody once who comes for the first time in two browsers at once', async () => {
  await h.close();
  const disk = heldDisk();
  h = await start({ disk });
  let n = 0;
  provider.sign = (claims) => rs256({ ...claims, preferred_username: `name-${n++}` }, provider.key);
  disk.hold();
  const coming = Promise.all(Array.from({ length: 5 }, async () => (await signIn()).place));
  await vi.waitFor(() => expect(provider.asked.userinfo).toBe(5));
  await vi.waitFor(() => expect(disk.waiting).toBeGreaterThan(0));
  disk.release();
  const places = await coming;
  expect(places).toEqual(['/', '/', '/', '/', '/']);
  expect(people()).toHaveLength(1);
});

it('refuses a subject that could not be told from another, and takes no characters that pretend', async () => {
  for (const sub of ['x'.repeat(256), 'a\u0000', 'a\n', '\uD800']) {
    provider.claims = provider.told = { sub };
    expect((await signIn()).place).toBe(failed('PROVIDER_INVALID'));
  }
  provider.claims = provider.told = {
    ...{ sub: 's', preferred_username: 'eve', name: '\u202Eeve\u0000\u001B[31m\n', email: 'eve\u0007@example.org' },
    groups: ['a', 1, null, { toString: 1 }, ['b'], 'c\u0000', '\uD800', 'a'],
  };
  await signIn();
  expect(people()).toMatchObject([{ login: 'eve', name: 'eve[31m', email: 'eve@example.org', groups: ['a'] }]);
  provider.claims = provider.told = { sub: 't', preferred_username: 'bob', name: 'Yard-Master' };
  await signIn();
  expect(people()).toContainEqual(expect.objectContaining({ login: 'bob', name: 'bob' }));
});

it('keeps who is signed in where the provider refuses the master itself', async () => {
  const { cookie } = await signIn();
  ahead = 11 * 60_000;
  // As RFC 6749 tells providers to answer a wrong client secret.
  provider.answers.token = (_request, response) => {
    response.setHeader('www-authenticate', 'Basic realm="clients"');
    json(response, { error: 'invalid_client' }, 401);
  };
  await h.services.access.oidc?.check();
  expect((await h.app.inject({ url: '/api/v1/session', headers: { ...host, cookie } })).statusCode).toBe(200);
  expect((await signIn()).place).toBe(failed('PROVIDER_INVALID'));
  delete provider.answers.token;
  provider.answers.userinfo = (_request, response) =>
    void response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
  await h.services.access.oidc?.check();
  expect((await h.app.inject({ url: '/api/v1/session', headers: { ...host, cookie } })).statusCode).toBe(401);
});

it('keeps who is signed in where the provider replaced the refresh token and then failed', async () => {
  const { cookie } = await signIn();
  let good = 'r';
  let n = 0;
  provider.answers.token = (request, response) => {
    let form = '';
    request.on('data', (piece: Buffer) => (form += piece.toString()));
    request.on('end', () => {
      // Each is good once, and a second use is theft.
      if (new URLSearchParams(form).get('refresh_token') !== good)
        return json(response, { error: 'invalid_grant' }, 400);
      good = `r${++n}`;
      json(response, { access_token: 'a', token_type: 'bearer', expires_in: 300, refresh_token: good });
    });
  };
  provider.answers.userinfo = (_request, response) => void response.writeHead(503).end();
  ahead = 11 * 60_000;
  await h.services.access.oidc?.check();
  delete provider.answers.userinfo;
  await h.services.access.oidc?.check();
  ahead = 65 * 60_000;
  expect(n).toBe(2);
  expect((await h.app.inject({ url: '/api/v1/session', headers: { ...host, cookie } })).statusCode).toBe(200);
});

it('asks a provider that no longer describes itself once a minute, not at each sign-in', async () => {
  expect((await signIn()).place).toBe('/');
  provider.answers.discovery = (_request, response) => void response.writeHead(503).end();
  ahead = 61 * 60_000;
  for (let i = 0; i < 3; i++) expect((await go('/api/v1/session/oidc')).place).toContain(provider.issuer);
  expect(provider.asked.discovery).toBe(2);
  ahead += 61_000;
  await go('/api/v1/session/oidc');
  expect(provider.asked.discovery).toBe(3);
});

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
