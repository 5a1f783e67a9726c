import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness();
});
afterAll(() => h.close());

describe('keys and tokens over HTTP', () => {
  const admin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    h.app.inject({
      method,
      url,
      headers: { authorization: `bearer ${h.tokens.admin}` },
      ...(payload ? { payload } : {}),
    });

  it('show a secret once', async () => {
    const made = (
      await admin('POST', '/api/v1/keys', { name: 'ci', workflows: ['*'], environments: ['dev'] })
    ).json() as { id: string; key: string };
    expect(made).toMatchObject({ key: expect.stringMatching(/^ym_/), name: 'ci', revokedAt: null, createdBy: 'admin' });
    expect((await admin('GET', '/api/v1/keys')).body).not.toContain(made.key);
    const rotated = await admin('POST', `/api/v1/keys/${made.id}/rotate`);
    expect(rotated.json()).toEqual({ id: made.id, key: expect.stringMatching(/^ym_/), prefix: expect.any(String) });
    expect((await admin('DELETE', `/api/v1/keys/${made.id}`)).statusCode).toBe(204);
    expect((await admin('DELETE', `/api/v1/keys/${made.id}`)).json()).toMatchObject({
      status: 404,
      code: 'KEY_NOT_FOUND',
    });
    const token = (await admin('POST', '/api/v1/tokens', { name: 't', role: 'worker' })).json() as {
      id: string;
      token: string;
    };
    expect(token).toMatchObject({ token: expect.stringMatching(/^yt_/), role: 'worker' });
    expect((await admin('DELETE', `/api/v1/tokens/${token.id}`)).statusCode).toBe(204);
  });

  it('refuse what is no scope', async () => {
    expect(
      (
        await admin('POST', '/api/v1/keys', {
          name: '',
          workflows: ['UPPER'],
          environments: ['moon'],
          expiresAt: 'soon',
        })
      ).json(),
    ).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
