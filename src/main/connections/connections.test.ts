import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAuthority } from '../../lib/certificate-authority.fixture.ts';
import type { TokenStorage } from './token-storage.ts';
import { createConnections } from './connections.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const keyStore: TokenStorage = {
  isEncrypted: () => true,
  encrypt: (token) => ({ kind: 'system', value: token.split('').reverse().join('') }),
  decrypt: ({ value }) => value.split('').reverse().join(''),
};
const noKeyStore: TokenStorage = {
  isEncrypted: () => false,
  encrypt: (token, allowPlain) => (allowPlain ? { kind: 'plain', value: token } : null),
  decrypt: ({ value }) => value,
};
const anyFile = () => join(temporaryFolder('connections'), 'connections.json');
const remote = {
  name: 'Production',
  url: 'https://yard.example.com',
  token: 'ymt_secret',
  colour: '#cc0000',
  production: true,
  readOnly: false,
  allowPlain: false,
};
const open = (file: string, secrets = keyStore) => createConnections(file, secrets, () => null);

test('a fresh list has this machine, selected', () => {
  expect(open(anyFile()).list()).toMatchObject([{ id: 'local', kind: 'local', selected: true, url: null }]);
});

test('an added connection is there after a restart, its token in the key store, never in the answer', () => {
  const file = anyFile();
  const added = open(file).add(remote);
  expect(JSON.stringify(added)).not.toContain('ymt_secret');
  expect(readFileSync(file, 'utf8')).not.toContain('ymt_secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = open(file);
  expect(again.list()[1]).toMatchObject({ name: 'Production', tokenKept: 'system' });
  expect(again.target(added.id)).toMatchObject({ url: 'https://yard.example.com', token: 'ymt_secret' });
});

test('without a key store a token lives for this run alone, unless the user agrees to a plain file', () => {
  const file = anyFile();
  const first = open(file, noKeyStore);
  const shy = first.add(remote);
  const bold = first.add({ ...remote, allowPlain: true });
  expect([shy.tokenKept, bold.tokenKept]).toEqual(['session', 'plain']);
  expect(first.target(shy.id)?.token).toBe('ymt_secret');
  const again = open(file, noKeyStore);
  expect(again.target(shy.id)).toBeNull();
  expect(again.target(bold.id)?.token).toBe('ymt_secret');
});

test('a token never follows to another address', () => {
  const connections = open(anyFile());
  const { id } = connections.add(remote);
  expect(() => connections.update({ id, url: 'https://elsewhere.example.com' })).toThrow(/token/);
  expect(connections.target(id)?.url).toBe('https://yard.example.com');
  connections.update({ id, url: 'https://elsewhere.example.com', token: 'ymt_other' });
  expect(connections.target(id)).toMatchObject({ url: 'https://elsewhere.example.com', token: 'ymt_other' });
});

test('a connection to several masters keeps them all, and its token follows to none that was not named with it', () => {
  const file = anyFile();
  const { id } = open(file).add({
    ...remote,
    url: 'https://a.example.com, https://b.example.com/,https://a.example.com',
  });
  const connections = open(file);
  expect(connections.list()[1]).toMatchObject({
    url: 'https://a.example.com',
    otherUrls: ['https://b.example.com'],
  });
  expect(connections.target(id)).toMatchObject({ url: 'https://a.example.com', others: ['https://b.example.com'] });
  expect(() => connections.update({ id, url: 'https://a.example.com,https://c.example.com' })).toThrow(
    'the URL changes to https://c.example.com: enter its token too',
  );
  // Another order, or one less, tells the token to nobody new.
  connections.update({ id, url: 'https://b.example.com' });
  expect(connections.target(id)).toMatchObject({ url: 'https://b.example.com', others: [], token: 'ymt_secret' });
  const saved = JSON.parse(readFileSync(file, 'utf8'));
  for (const others of ['x', ['http://elsewhere.example.com'], [7]]) {
    writeFileSync(file, JSON.stringify({ ...saved, remotes: [{ ...saved.remotes[0], others }] }));
    expect(open(file).list()).toHaveLength(1);
  }
  for (const one of saved.remotes) delete one.others;
  writeFileSync(file, JSON.stringify(saved));
  expect(open(file).list()[1]).toMatchObject({ otherUrls: [] });
});

test('removing the selected one selects this machine, which itself stays', () => {
  const connections = open(anyFile());
  const { id } = connections.add(remote);
  connections.select(id);
  expect(connections.selected()).toBe(id);
  connections.remove(id);
  expect(connections.selected()).toBe('local');
  expect(() => connections.remove('local')).toThrow(/can't be removed/);
  expect(() => connections.select(id)).toThrow(/not found/);
});

test('an own authority and a proxy are kept, shown by name, and never taken over by a token that was not given with them', () => {
  const file = anyFile();
  const ca = createAuthority('House CA').cert;
  const connections = open(file);
  const { id } = connections.add(remote);
  expect(connections.target(id)?.route).toEqual({ ca: null, proxy: 'system' });
  expect(() => connections.update({ id, ca })).toThrow(/enter the token again/);
  expect(() => connections.update({ id, proxy: 'http://proxy.example.com:3128' })).toThrow(/enter the token again/);
  expect(() => connections.update({ id, ca: 'no certificate', token: 'ymt_1' })).toThrow(/PEM/);
  connections.update({ id, ca, proxy: 'HTTP://Proxy.example.com:3128/', token: 'ymt_1' });
  const again = open(file);
  expect(again.list()[1]).toMatchObject({ authority: 'House CA', proxy: 'http://proxy.example.com:3128' });
  expect(again.target(id)?.route).toEqual({ ca: ca.trim(), proxy: 'http://proxy.example.com:3128' });
  again.update({ id, name: 'Prod', ca, proxy: 'http://proxy.example.com:3128' });
});

test('what was last heard of a master is shown with its connection', () => {
  const connections = createConnections(
    anyFile(),
    keyStore,
    () => null,
    (url) => (url === 'https://yard.example.com' ? { version: '1.2.3', skew: 'newer' } : null),
  );
  connections.add(remote);
  expect(connections.list()).toMatchObject([
    { version: null, skew: null },
    { version: '1.2.3', skew: 'newer' },
  ]);
});

test('production and read-only are kept, reach the requests, and are off in files of earlier versions', () => {
  const file = anyFile();
  const { id } = open(file).add({ ...remote, readOnly: true });
  const again = open(file);
  expect(again.list()[1]).toMatchObject({ production: true, readOnly: true });
  expect(again.target(id)).toMatchObject({ readOnly: true });
  again.update({ id, readOnly: false, production: false });
  expect(again.target(id)?.readOnly).toBeUndefined();
  const old = JSON.parse(readFileSync(file, 'utf8'));
  for (const one of old.remotes) for (const name of ['readOnly', 'production']) delete one[name];
  writeFileSync(file, JSON.stringify(old));
  expect(open(file).list()[1]).toMatchObject({ production: false, readOnly: false });
});

test('a file that was damaged, or written by hand, never keeps the app from starting: what is whole in it stays', () => {
  const file = anyFile();
  const { id } = open(file).add(remote);
  const [good] = JSON.parse(readFileSync(file, 'utf8')).remotes;
  const bad = [
    null,
    'x',
    7,
    {},
    { ...good, id: 5 },
    { ...good, id: '../x' },
    { ...good, id: 'local' },
    { ...good, id: 'a', url: 'http://yard.example.com' },
    { ...good, id: 'b', url: 'file:///etc' },
    { ...good, id: 'c', name: null },
  ];
  writeFileSync(file, JSON.stringify({ version: 1, selected: 'a', remotes: [...bad, good] }));
  expect(
    open(file)
      .list()
      .map((one) => [one.id, one.selected]),
  ).toEqual([
    ['local', true],
    [id, false],
  ]);
  for (const text of ['', 'null', '[]', '{"version":1}', '{"version":1,"remotes":{}}', '{"version":2,"remotes":[]}']) {
    writeFileSync(file, text);
    expect(open(file).list()).toHaveLength(1);
  }
});

test('a page that was taken over cannot fill the list', () => {
  const connections = open(anyFile());
  const fill = () => {
    for (let n = 0; n < 1000; n++) connections.add(remote);
  };
  expect(fill).toThrow(/maximum of 200 connections/);
});

const kubernetes = {
  ...remote,
  url: '',
  token: '',
  via: {
    kind: 'kubernetes',
    kubeconfig: null,
    context: 'works',
    namespace: 'jobs',
    release: 'yardmaster',
    access: 'admin',
  },
} as const;
const ssh = {
  ...remote,
  url: 'http://127.0.0.1:8700',
  via: { kind: 'ssh', destination: 'ops@bastion.example.com', port: null },
} as const;

test('ways through Kubernetes and SSH are there after a restart; a release needs no token here', () => {
  const file = anyFile();
  const first = open(file);
  const [release, tunnel] = [first.add(kubernetes), first.add(ssh)];
  expect(release).toMatchObject({ url: null, via: kubernetes.via, tokenKept: 'cluster', tunnel: { state: 'idle' } });
  expect(readFileSync(file, 'utf8')).not.toContain('ymt_secret');
  const again = open(file);
  expect(again.damage()).toBeNull();
  expect(again.list().slice(1)).toMatchObject([{ via: kubernetes.via }, { via: ssh.via, tokenKept: 'system' }]);
  expect(again.tunnel(release.id)).toEqual({ via: kubernetes.via, url: '', ca: null });
  expect(again.tunnel(tunnel.id)).toEqual({ via: ssh.via, url: 'http://127.0.0.1:8700', ca: null });
  expect(again.target(tunnel.id)?.token).toBe('ymt_secret');
});

test('a token does not follow to another server, release or kind of way', () => {
  const connections = open(anyFile());
  const { id } = connections.add(ssh);
  const other = { kind: 'ssh', destination: 'other.example.com', port: null } as const;
  expect(() => connections.update({ id, via: other })).toThrow(/enter the token too/);
  expect(() => connections.update({ id, via: { ...kubernetes.via, access: 'own' } })).toThrow(/enter the token too/);
  expect(() => connections.update({ id, via: null, url: 'https://yard.example.com' })).toThrow(/enter the token too/);
  connections.update({ id, via: kubernetes.via });
  // What was entered before is forgotten where the release tells.
  expect(connections.target(id)).toBeNull();
  expect(() => connections.update({ id, via: { ...kubernetes.via, access: 'own' } })).toThrow(/enter the token too/);
  connections.update({ id, via: other, url: 'http://127.0.0.1:8700', token: 'fresh' });
  expect(connections.target(id)?.token).toBe('fresh');
});

test('no destination is taken for an option or a command', () => {
  const connections = open(anyFile());
  for (const destination of ['-oProxyCommand=touch /tmp/x', 'a b', 'host;id', '$(id)', '`id`', 'u@h@x y', ''])
    expect(() => connections.add({ ...ssh, via: { ...ssh.via, destination } })).toThrow(/expected host, user@host/);
  expect(() => connections.add({ ...ssh, url: 'http://yard.example.com' })).toThrow(/plain text/);
  expect(() => connections.add({ ...ssh, url: 'https://a.example.com,https://b.example.com' })).toThrow(/one URL/);
});

test.each([
  ['cut off', '{"version":1,"remotes":[{"id":'],
  ['of a newer version', '{"version":2,"remotes":[]}'],
  ['of another kind', '[]'],
])('a file that is %s is kept aside, and the app says so', (_what, text) => {
  const file = anyFile();
  writeFileSync(file, text);
  const connections = open(file);
  expect(connections.damage()).toContain('could not be read');
  connections.add(remote);
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(text);
});

test('of a file with one unreadable connection the others are used, and the app says so', () => {
  const file = anyFile();
  const first = open(file);
  first.add(remote);
  first.add(kubernetes);
  const text = readFileSync(file, 'utf8').replace('"namespace": "jobs"', '"namespace": "../secrets"');
  writeFileSync(file, text);
  const again = open(file);
  expect(again.list().map(({ name, via }) => [name, via?.kind])).toEqual([
    ['This machine', undefined],
    ['Production', undefined],
  ]);
  expect(again.damage()).toContain('some of the saved connections');
});

test('a command that was agreed to is remembered by its digest; another one is another', () => {
  const file = anyFile();
  open(file).agree('["aws","--secret"]');
  expect(readFileSync(file, 'utf8')).not.toContain('--secret');
  expect(open(file).isAgreed('["aws","--secret"]')).toBe(true);
  expect(open(file).isAgreed('["aws","--other"]')).toBe(false);
});
