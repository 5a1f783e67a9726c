import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

const host = { host: '127.0.0.1:8700' };
const same = { origin: 'http://127.0.0.1:8700' };
const cookieOf = (setCookie: string) => ({ cookie: String(setCookie.split(';')[0]) });

describe('sessions', () => {
  interface Seen {
    id: string;
    actor: string;
    current: boolean;
  }
  const signInAs = async (role: 'viewer' | 'operator' | 'admin') => {
    const answer = await h.app.inject({
      method: 'POST',
      url: '/api/v1/session',
      headers: { ...host, 'user-agent': `browser of ${role}` },
      payload: { token: h.tokens[role] },
    });
    return cookieOf(String(answer.headers['set-cookie']));
  };
  const list = async (headers: Record<string, string>) =>
    (await h.app.inject({ url: '/api/v1/sessions?size=500', headers: { ...host, ...headers } })).json() as {
      items: Seen[];
    };
  const end = async (id: string, headers: Record<string, string>) =>
    (await h.app.inject({ method: 'DELETE', url: `/api/v1/sessions/${id}`, headers: { ...host, ...same, ...headers } }))
      .statusCode;
  const isIn = async (cookie: { cookie: string }) =>
    (await h.app.inject({ url: '/api/v1/session', headers: { ...host, ...cookie } })).statusCode === 200;

  it('are listed to their own token, and all to admins', async () => {
    const viewer = await signInAs('viewer');
    const admin = await signInAs('admin');
    const own = (await list(viewer)).items;
    expect(new Set(own.map(({ actor }) => actor))).toEqual(new Set(['viewer']));
    expect(own.filter(({ current }) => current)).toMatchObject([
      { address: '127.0.0.1', client: 'browser of viewer', role: 'viewer', lastSeenAt: expect.any(String) },
    ]);
    // The same with the token itself.
    expect((await list({ authorization: `Bearer ${h.tokens.viewer}` })).items).toHaveLength(own.length);
    const all = (await list(admin)).items.map(({ actor }) => actor);
    expect(all).toEqual(expect.arrayContaining(['viewer', 'admin']));
    expect(JSON.stringify(await list(admin))).not.toContain('ys_');
  });

  it('are ended by their own token and by admins, at once, with an entry of who did it', async () => {
    const first = await signInAs('viewer');
    const second = await signInAs('viewer');
    const idOf = async (cookie: { cookie: string }) =>
      (await list(cookie)).items.find(({ current }) => current)?.id ?? '';
    const [firstId, secondId] = [await idOf(first), await idOf(second)];
    expect(await end(firstId, await signInAs('operator'))).toBe(404);
    expect(await isIn(first)).toBe(true);
    expect(await end(firstId, second)).toBe(204);
    expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
    expect(await end(firstId, second)).toBe(404);
    expect(await end(secondId, { authorization: `Bearer ${h.tokens.admin}` })).toBe(204);
    expect(await isIn(second)).toBe(false);
    expect((await h.services.access.audit.list({ page: 0, size: 2, action: 'session.end' })).items).toMatchObject([
      { actor: 'admin', target: `session:${secondId}`, before: { actor: 'viewer' } },
      { actor: 'viewer', target: `session:${firstId}` },
    ]);
  });
});
