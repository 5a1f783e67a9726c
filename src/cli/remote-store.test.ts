import { expect, it } from 'vitest';
import { remoteStore } from './remote-store.ts';

const of = (url: string, env: Record<string, string> = {}, ca?: string) =>
  remoteStore('logs', { url, ca, example: 'https://logs.example:9428' }, env);

it('takes an address, and credentials from variables', () => {
  expect(of('http://logs.example:9428/')).toEqual({
    url: 'http://logs.example:9428',
    credentials: null,
    caFile: null,
  });
  expect(of('https://logs.example/vl/', { YARDMASTER_LOGS_TOKEN: 't' }, '/ca.pem')).toEqual({
    url: 'https://logs.example/vl',
    credentials: { token: 't' },
    caFile: '/ca.pem',
  });
  expect(of('http://logs.example', { YARDMASTER_LOGS_USER: 'u', YARDMASTER_LOGS_PASSWORD: 'p' }).credentials).toEqual({
    user: 'u',
    password: 'p',
  });
});

it('takes credentials in the URL where a variable holds it, and refuses them on the command line without repeating them', () => {
  const url = 'https://u:s%2Fecret@logs.example';
  expect(of(url, { YARDMASTER_LOGS: url })).toEqual({
    url: 'https://logs.example',
    credentials: { user: 'u', password: 's/ecret' },
    caFile: null,
  });
  expect(() => of(url)).toThrow(/^--logs must not contain a user name or password(?!.*ecret)/);
});

it.each([
  ['no URL', 'logs.example:9428', {}, undefined, /^--logs must be an http or https URL such as https:\/\/logs/],
  ['no base', 'http://h/?a=1', {}, undefined, /base URL/],
  ['half of the credentials', 'http://h', { YARDMASTER_LOGS_USER: 'u' }, undefined, /belong together/],
  [
    'two credentials',
    'http://h',
    { YARDMASTER_LOGS_USER: 'u', YARDMASTER_LOGS_PASSWORD: 'p', YARDMASTER_LOGS_TOKEN: 't' },
    undefined,
    /in one place/,
  ],
  ['a token of two words', 'http://h', { YARDMASTER_LOGS_TOKEN: 'a b' }, undefined, /blanks/],
  ['an authority for http', 'http://h', {}, '/ca.pem', /--logs-ca is for https/],
])('refuses %s', (_, url, env, ca, message) => {
  expect(() => of(url, env as Record<string, string>, ca)).toThrow(message);
});
