import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';
import { createProxies } from '../../../lib/proxies.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const host = { host: '127.0.0.1:8700' };
const same = { origin: 'http://127.0.0.1:8700' };

async function signIn(headers: Record<string, string> = {}): Promise<string> {
  const answer = await h.app.inject({
    method: 'POST',
    url: '/api/v1/session',
    headers: { ...host, ...headers },
    payload: { token: h.tokens.operator },
  });
  expect(answer.statusCode).toBe(204);
  return String(answer.headers['set-cookie']);
}
const cookieOf = (setCookie: string) => ({ cookie: `other=1; ${setCookie.split(';')[0]}` });

describe('a browser', () => {
  it('signs in, is known, and signs out', async () => {
    const set = await signIn();
    expect(set).toMatch(/^yardmaster_8700=ys_[A-Za-z0-9]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const cookie = cookieOf(set);
    const who = await h.app.inject({ url: '/api/v1/session', headers: { ...host, ...cookie } });
    expect(who.json()).toEqual({ actor: 'operator', role: 'operator', expiresAt: expect.any(String) });
    const out = await h.app.inject({
      method: 'DELETE',
      url: '/api/v1/session',
      headers: { ...host, ...cookie, ...same },
    });
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([
      204,
      'yardmaster_8700=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect((await h.app.inject({ url: '/api/v1/session', headers: { ...host, ...cookie } })).json()).toMatchObject({
      code: 'TOKEN_INVALID',
    });
  });

  it('is refused with a wrong token', async () => {
    expect(
      (await h.app.inject({ method: 'POST', url: '/api/v1/session', payload: { token: 'wrong' } })).json(),
    ).toMatchObject({ status: 401, code: 'TOKEN_INVALID' });
  });

  it('writes from a page of this master only', async () => {
    const cookie = cookieOf(await signIn());
    const write = async (headers: Record<string, string>) => {
      const answer = await h.app.inject({
        method: 'POST',
        url: '/api/v1/jobs',
        headers: { ...host, ...cookie, ...headers },
        payload: {},
      });
      return answer.statusCode === 403 ? (answer.json() as { code: string }).code : 'let in';
    };
    expect(await write({})).toBe('CSRF');
    expect(await write({ origin: 'https://evil.example' })).toBe('CSRF');
    expect(await write({ origin: 'null' })).toBe('CSRF');
    expect(await write({ origin: 'http://127.0.0.1:9999' })).toBe('CSRF');
    expect(await write({ 'sec-fetch-site': 'cross-site' })).toBe('CSRF');
    expect(await write({ 'sec-fetch-site': 'same-site', ...same })).toBe('CSRF');
    expect(await write({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).toBe('CSRF');
    expect(await write(same)).toBe('let in');
    expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe('let in');
    const read = (headers: Record<string, string>) =>
      h.app.inject({ url: '/api/v1/session', headers: { ...host, ...cookie, ...headers } });
    expect((await read({})).statusCode).toBe(200);
    expect((await read({ origin: 'https://evil.example' })).json()).toMatchObject({ code: 'CSRF' });
  });

  it('has a cookie that only TLS carries, behind a proxy that speaks it', async () => {
    const proxied = await startHarness({
      services: { proxies: createProxies(['127.0.0.1']), allowedHosts: ['yard.example'] },
    });
    const headers = {
      host: 'inner',
      'x-forwarded-host': 'yard.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
    };
    const answer = await proxied.app.inject({
      method: 'POST',
      url: '/api/v1/session',
      headers,
      payload: { token: proxied.tokens.admin },
    });
    expect(answer.headers['set-cookie']).toMatch(/^yardmaster=ys_.*; Secure$/);
    const made = await proxied.app.inject({
      method: 'POST',
      url: '/api/v1/workflows',
      headers: { ...headers, ...cookieOf(String(answer.headers['set-cookie'])), origin: 'https://yard.example' },
      payload: { id: 'a', name: 'A' },
    });
    expect(made.statusCode).toBe(201);
    expect((await proxied.services.access.audit.list({ page: 0, size: 1 })).items[0]).toMatchObject({
      address: '203.0.113.9',
      actor: 'admin',
    });
    expect(
      (
        await proxied.app.inject({ url: '/healthz', headers: { host: 'x', 'x-forwarded-host': 'evil.example' } })
      ).json(),
    ).toMatchObject({ code: 'HOST_REFUSED' });
    await proxied.close();
  });
});
