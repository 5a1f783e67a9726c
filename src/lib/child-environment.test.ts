import { expect, it, vi } from 'vitest';
import { bareEnvironment, childEnvironment } from './child-environment.ts';

it('hands on what the system and Node need, and nothing that is secret', () => {
  const needed = { PATH: '/bin', Path: 'C:\\', LC_ALL: 'C', NODE_EXTRA_CA_CERTS: '/ca.pem', https_proxy: 'http://p' };
  expect(
    childEnvironment({
      ...needed,
      YARDMASTER_ADMIN_TOKEN: 'a',
      YARDMASTER_SECRETS_KEY: 'b',
      YARDMASTER_WORKER_TOKEN: 'c',
      AWS_SECRET_ACCESS_KEY: 'd',
      GITHUB_TOKEN: 'e',
      NODE_AUTH_TOKEN: 'f',
    }),
  ).toEqual(needed);
});

it('hands on what is asked for by name, but never the secrets of the master', () => {
  expect(
    childEnvironment({
      YARDMASTER_WORKER_ENV: 'DATABASE_URL, YARDMASTER_ADMIN_TOKEN, YARDMASTER_STORE, YARDMASTER_OIDC_CLIENT_SECRET',
      DATABASE_URL: 'postgres://…',
      YARDMASTER_ADMIN_TOKEN: 'a',
      YARDMASTER_STORE: 'postgres://…',
      YARDMASTER_OIDC_CLIENT_SECRET: 'b',
    }),
  ).toEqual({ DATABASE_URL: 'postgres://…' });
});

it('hands a process that only computes nothing but what it needs to start', () => {
  vi.stubEnv('TZ', 'UTC');
  vi.stubEnv('YARDMASTER_WORKER_TOKEN', 'a');
  vi.stubEnv('DATABASE_URL', 'postgres://…');
  expect(Object.keys(bareEnvironment()).filter((name) => !['LANG', 'SystemRoot'].includes(name))).toEqual(['TZ']);
  vi.unstubAllEnvs();
});
