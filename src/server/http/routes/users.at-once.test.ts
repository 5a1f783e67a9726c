import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from '../../testing/http.fixture.ts';

let h: Harness;
beforeAll(async () => {
  h = await startHarness({ limits: { passwordCost: 4, passwordPasses: 1, wrongTokens: 1000 } });
});
afterAll(() => h.close());

const ORIGIN = 'http://127.0.0.1:8700';
const GOOD = 'correct horse battery';
type Body = { code?: string; id?: string; password?: string };

async function post(url: string, payload: object, headers: Record<string, string>) {
  const answer = await h.app.inject({
    ...{ method: 'POST', url: `/api/v1${url}`, payload },
    headers: { host: '127.0.0.1:8700', origin: ORIGIN, ...headers },
  });
  return {
    status: answer.statusCode,
    body: (answer.body === '' ? {} : answer.json()) as Body,
    cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '',
  };
}
const asAdmin = (url: string, payload: object = {}) =>
  post(url, payload, { authorization: `Bearer ${h.tokens.admin}` });
const signIn = (login: string, password: string, newPassword?: string) =>
  post('/session/password', { login, password, ...(newPassword && { newPassword }) }, {});

it('the password that an administrator resets is the one that holds, whoever changes it at the same time', async () => {
  const { body } = await asAdmin('/users', { login: 'zita', password: GOOD, role: 'operator' });
  const { cookie } = await signIn('zita', GOOD);
  const mine = { password: GOOD, newPassword: 'another battery staple' };
  const [, reset] = await Promise.all([
    post('/me/password', mine, { cookie }),
    asAdmin(`/users/${body.id}/password-reset`),
  ]);
  expect((await signIn('zita', String(reset.body.password))).body.code).toBe('PASSWORD_CHANGE_NEEDED');
  expect((await signIn('zita', mine.newPassword)).body.code).toBe('PASSWORD_INVALID');
});

it('of two who choose a password in place of the same one-time password, one is let in', async () => {
  const { body } = await asAdmin('/users', { login: 'yan', role: 'viewer' });
  const chosen = ['correct horse staple', 'another battery staple'];
  const answers = await Promise.all(chosen.map((one) => signIn('yan', String(body.password), one)));
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  const later = await Promise.all(chosen.map((one) => signIn('yan', one)));
  expect(later.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
});
