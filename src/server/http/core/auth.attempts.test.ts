import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIMITS } from '../../../contract/limits.ts';
import { createProxies } from '../../../lib/proxies.ts';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ services: { proxies: createProxies(['127.0.0.1']), allowedHosts: ['yard.example'] } });
});
afterAll(() => h.close());

const ask = async (client: string, url: string, headers: Record<string, string>, payload?: object) => {
  const answer = await h.app.inject({
    method: payload ? 'POST' : 'GET',
    url,
    headers: { host: 'yard.example', 'x-forwarded-for': client, ...headers },
    ...(payload ? { payload } : {}),
  });
  return {
    status: answer.statusCode,
    retryAfter: answer.headers['retry-after'],
    code: answer.statusCode < 300 ? undefined : (answer.json() as { code: string }).code,
  };
};
let secrets = 0;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const guesses = {
  token: (client: string) => ask(client, '/api/v1/jobs', bearer(`${secrets++}-guessed`)),
  key: (client: string) => ask(client, '/api/v1/events/a/dev', { 'api-key': `${secrets++}-guessed` }, [{}]),
  'sign-in code': (client: string) => ask(client, '/api/v1/session', {}, { token: `${secrets++}-guessed` }),
};

it.each([
  ['token', '203.0.113.1'],
  ['key', '203.0.113.2'],
  ['sign-in code', '203.0.113.3'],
] as const)('a wrong %s is told to wait once there were too many from its address', async (kind, client) => {
  for (let i = 0; i < LIMITS.wrongTokens; i++) expect((await guesses[kind](client)).status).toBe(401);
  expect(await guesses[kind](client)).toEqual({ status: 429, code: 'TOO_MANY_ATTEMPTS', retryAfter: '1' });
  // Others are not told to, and who has a right one never is.
  expect((await guesses[kind]('203.0.113.9')).status).toBe(401);
  expect((await ask(client, '/api/v1/jobs', bearer(h.tokens.viewer))).status).toBe(200);
  expect((await ask(client, '/api/v1/session', {}, { token: h.tokens.viewer })).status).toBe(204);
});

it('the audit log has one entry for each address and minute, not one for each try', async () => {
  const { items } = await h.services.access.audit.list({ page: 0, size: 100, actor: 'unknown' });
  const of = (address: string) => items.filter((item) => item.address === address).map(({ action }) => action);
  expect(of('203.0.113.1')).toEqual(['token.refused']);
  expect(of('203.0.113.3')).toEqual(['session.refused']);
});
