import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../lib/temporary-folder.fixture.ts';
import { commandOf, kubeconfigFiles, listContexts, readKubeconfig, selectContext } from './kubeconfig.ts';

const config = (name: string, change: object = {}) => ({
  'current-context': name,
  clusters: [{ name: 'yard', cluster: { server: `https://${name}.example.com` } }],
  users: [{ name: 'me', user: { token: 't' } }],
  contexts: [{ name, context: { cluster: 'yard', user: 'me', namespace: 'jobs' } }],
  ...change,
});
function files(...configs: readonly (object | string)[]): string[] {
  const folder = temporaryFolder('kubeconfig');
  return configs.map((one, i) => {
    const file = join(folder, `config-${i}`);
    writeFileSync(file, typeof one === 'string' ? one : JSON.stringify(one));
    return file;
  });
}

test('it is looked for as kubectl does', () => {
  expect(kubeconfigFiles(null, {}, '/home/ada')).toEqual([join('/home/ada', '.kube', 'config')]);
  expect(kubeconfigFiles('', { KUBECONFIG: ['/a', '', '/b'].join(delimiter) }, '/home/ada')).toEqual(['/a', '/b']);
  expect(kubeconfigFiles('~/other', { KUBECONFIG: '/a' }, '/home/ada')).toEqual(['/home/ada/other']);
});

test('of several files the first entry of a name counts, and one may be missing', async () => {
  const [first = '', second = ''] = files(config('blue'), config('green'));
  const { contexts, current } = await listContexts([first, '/nowhere', second]);
  expect(current).toBe('blue');
  // Both name the cluster `yard`.
  expect(contexts.map(({ name, server, command }) => [name, server, command])).toEqual([
    ['blue', 'https://blue.example.com', null],
    ['green', 'https://blue.example.com', null],
  ]);
});

test('YAML is read as well, and the command for credentials is shown as it would be typed', async () => {
  const yaml = [
    'apiVersion: v1',
    'current-context: eks',
    'clusters: [{ name: c, cluster: { server: https://eks.example.com } }]',
    'contexts: [{ name: eks, context: { cluster: c, user: u } }]',
    'users:',
    '- name: u',
    '  user: { exec: { command: aws, args: [eks, get-token, --cluster-name, my yard] } }',
  ].join('\n');
  const [context] = (await listContexts(files(yaml))).contexts;
  expect(context).toEqual({
    name: 'eks',
    server: 'https://eks.example.com',
    namespace: null,
    command: "aws eks get-token --cluster-name 'my yard'",
  });
});

test.each([
  ['nothing', '', 'KUBECONFIG_INVALID'],
  ['no YAML', 'a: [', 'KUBECONFIG_INVALID'],
  ['no contexts', '{}', 'KUBECONFIG_INVALID'],
  ['half a context', JSON.stringify({ contexts: [{ name: 'x' }] }), 'KUBECONFIG_INVALID'],
])('a file with %s is refused by name', async (_what, text, code) => {
  const all = files(text);
  await expect(listContexts(all)).rejects.toMatchObject({ code, message: expect.stringContaining(all[0] ?? '') });
});

test('a file that is missing, a folder, or enormous is named', async () => {
  await expect(listContexts(['/nowhere/config'])).rejects.toMatchObject({ code: 'KUBECONFIG_MISSING' });
  await expect(listContexts([temporaryFolder('kubeconfig')])).rejects.toMatchObject({ code: 'KUBECONFIG_INVALID' });
  await expect(listContexts(files('x'.repeat(5_000_000)))).rejects.toThrow(/5000000 bytes/);
});

test.each([
  ['a cluster that is not there', { clusters: [] }, 'names the cluster "yard"'],
  [
    'an API server that others can listen to',
    { clusters: [{ name: 'yard', cluster: { server: 'http://blue.example.com' } }] },
    'expected https://',
  ],
  ['a user that is not there', { users: [] }, 'names the user "me"'],
  [
    'an auth provider that runs programs',
    { users: [{ name: 'me', user: { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/bin/touch' } } } }] },
    'auth provider "gcp"',
  ],
  [
    'a command in the settings of an auth provider',
    { users: [{ name: 'me', user: { 'auth-provider': { name: 'oidc', config: { exec: { command: 'touch' } } } } }] },
    'settings that it does not have (exec)',
  ],
  [
    'a file in the settings of an auth provider',
    { users: [{ name: 'me', user: { 'auth-provider': { name: 'oidc', config: { tokenFile: '/etc/passwd' } } } }] },
    'settings that it does not have (tokenFile)',
  ],
  [
    'an auth provider without a name',
    { users: [{ name: 'me', user: { 'auth-provider': { config: { exec: { command: 'touch' } } } } }] },
    'auth provider ""',
  ],
])('a context with %s is refused', async (_what, change, words) => {
  const all = files(config('blue', change));
  const read = await readKubeconfig(all);
  expect(() => selectContext(read, 'blue', all)).toThrow(words);
});

test('an API server on this machine, such as kubectl proxy, needs no TLS', async () => {
  for (const server of ['http://127.0.0.1:8001', 'http://localhost:8001', 'http://[::1]:8001']) {
    const all = files(config('blue', { clusters: [{ name: 'yard', cluster: { server } }] }));
    expect(selectContext(await readKubeconfig(all), 'blue', all)).toMatchObject({ name: 'me' });
  }
});

test('a command beside one kubeconfig is not the one beside another, and one of the search path is the same', () => {
  const user = (command: string) => ({ name: 'me', exec: { command, args: ['token'] } });
  const [here, there] = ['/home/ada/yard/config', '/tmp/download/config'];
  expect(commandOf(user('./plugin'), here)).toMatchObject({
    text: '/home/ada/yard/plugin token',
    whole: '[["/home/ada/yard/plugin","token"],[]]',
  });
  expect(commandOf(user('./plugin'), there)?.whole).not.toBe(commandOf(user('./plugin'), here)?.whole);
  for (const command of ['aws', '/usr/bin/aws'])
    expect(commandOf(user(command), there)).toEqual(commandOf(user(command), here));
});
