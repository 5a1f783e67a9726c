import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Secrets } from './secrets.ts';
import { createConnections } from './store.ts';

const keyStore: Secrets = {
  encrypted: () => true,
  keep: (token) => ({ kind: 'system', value: token.split('').reverse().join('') }),
  open: ({ value }) => value.split('').reverse().join(''),
};
const noKeyStore: Secrets = { encrypted: () => false, keep: (token, allowPlain) => (allowPlain ? { kind: 'plain', value: token } : null), open: ({ value }) => value };
const anyFile = () => join(mkdtempSync(join(tmpdir(), 'connections-')), 'connections.json');
const remote = { name: 'Production', url: 'https://yard.example.com', token: 'ymt_secret', colour: '#cc0000', production: true, readOnly: false, allowPlain: false };
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
  expect(again.target(added.id)).toEqual({ url: 'https://yard.example.com', token: 'ymt_secret' });
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
  expect(connections.target(id)).toEqual({ url: 'https://elsewhere.example.com', token: 'ymt_other' });
});

test('removing the selected one selects this machine, which itself stays', () => {
  const connections = open(anyFile());
  const { id } = connections.add(remote);
  connections.select(id);
  expect(connections.selected()).toBe(id);
  connections.remove(id);
  expect(connections.selected()).toBe('local');
  expect(() => connections.remove('local')).toThrow(/cannot be removed/);
  expect(() => connections.select(id)).toThrow(/no connection/);
});
