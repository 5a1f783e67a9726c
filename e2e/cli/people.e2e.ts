import { expect, test } from '@playwright/test';
import { pathTo } from '../../src/lib/api-client.ts';
import type { ApiKeyCreated } from '../../src/contract/access.ts';
import type { Page } from '../../src/contract/shapes.ts';
import type { User, UserCreated } from '../../src/contract/users.ts';
import { openShell, type Shell } from './shell.ts';

let shell: Shell;
test.beforeAll(async () => void (shell = await openShell()));
test.afterAll(async () => void (await shell.close()));

const post = (path: string, body: object, cookie?: string): Promise<Response> =>
  fetch(shell.ready.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: shell.ready.url,
      ...(cookie === undefined ? {} : { cookie }),
    },
    body: JSON.stringify(body),
  });
const signIn = (login: string, password: string, newPassword?: string): Promise<Response> =>
  post(pathTo('session.password'), { login, password, ...(newPassword === undefined ? {} : { newPassword }) });
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
const codeOf = async (answer: Response): Promise<string> => ((await answer.json()) as { code: string }).code;

test('an admin lets a person in from a shell, and shuts out what they leave behind', async () => {
  // The one-time password is all that is printed, so that a script can hand it on.
  const made = shell.yardmaster(['users', 'create', 'Ann', '--name', 'Ann A.', '--role', 'admin']);
  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^[a-z2-9]{20}\n$/);
  expect(made.err).toContain('not shown again');
  const oneTime = made.out.trim();
  expect(shell.yardmaster(['users', 'list']).out).toMatch(/ann +Ann A\. +person +admin +- +one-time password/);
  expect(shell.yardmaster(['users', 'create', 'ann']).err).toContain('the sign-in name ann is already used');

  expect(await codeOf(await signIn('ann', oneTime))).toBe('PASSWORD_CHANGE_NEEDED');
  const session = await signIn('ann', oneTime, 'some words in a row');
  expect(session.status).toBe(204);
  expect(shell.yardmaster(['users', 'list']).out).toMatch(/ann .* active/);

  // A key that she makes outlives her account, until it is revoked.
  const key = (await (
    await post(
      pathTo('keys.create'),
      { name: 'her script', workflows: ['*'], environments: ['dev'] },
      cookieOf(session),
    )
  ).json()) as ApiKeyCreated;
  const disabled = shell.yardmaster(['users', 'disable', 'ANN']);
  expect(disabled.out).toContain('disabled ann');
  expect(disabled.out).toContain('her script');
  expect(await codeOf(await signIn('ann', 'some words in a row'))).toBe('PASSWORD_INVALID');
  const own = await fetch(shell.ready.url + pathTo('users.me'), { headers: { cookie: cookieOf(session) } });
  expect(own.status).toBe(401);
  expect(shell.yardmaster(['users', 'left', 'ann', '--revoke']).out).toContain('revoked 1 API key and 0 tokens');
  const { items } = shell.json<Page<ApiKeyCreated>>(['keys', 'list']);
  expect(items.find(({ id }) => id === key.id)?.revokedAt).not.toBeNull();

  shell.json(['users', 'enable', 'ann']);
  const again = shell.yardmaster(['users', 'reset-password', 'ann']).out.trim();
  expect(await codeOf(await signIn('ann', 'some words in a row'))).toBe('PASSWORD_INVALID');
  expect((await signIn('ann', again, 'other words in a row')).status).toBe(204);
});

test('a service account has no password, and a stranger is told of', () => {
  const bot = shell.json<UserCreated>(['users', 'create', 'bot', '--kind', 'service', '--group', 'ci']);
  expect(bot).toMatchObject({ login: 'bot', kind: 'service', groups: ['ci'], hasGrants: false });
  expect(bot.password).toBeUndefined();
  shell.json(['grants', 'add', '--group', 'ci', '--role', 'viewer']);
  const { items } = shell.json<Page<User>>(['users', 'list']);
  expect(items.find(({ id }) => id === bot.id)?.hasGrants).toBe(true);
  const stranger = shell.yardmaster(['users', 'disable', 'nobody']);
  expect(stranger.code).not.toBe(0);
  expect(stranger.err).toContain('there is no person or service account nobody');
});
