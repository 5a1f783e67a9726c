import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sbomOf } from './sbom.mjs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const made = sbomOf('.');

test('every package of the product is in the bill, with its version, checksum and licence', () => {
  const named = new Map(made.components.map((one: { purl: string }) => [one.purl, one]));
  for (const name of Object.keys(lock.packages[''].dependencies)) {
    const { version } = lock.packages[`node_modules/${name}`];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    expect(named.get(purl), purl).toMatchObject({
      type: 'library',
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [expect.anything()],
    });
  }
  expect(named.size).toBe(made.components.length);
});

test('what only the development uses is not', () => {
  expect(made.components.filter(({ name }: { name: string }) => ['vitest', 'oxlint', 'knip'].includes(name))).toEqual(
    [],
  );
});

test('what the build puts into the desktop app is, with what that needs', () => {
  const names = made.components.map(({ name, group }: { name: string; group?: string }) =>
    group ? `${group}/${name}` : name,
  );
  for (const name of [
    '@kubernetes/client-node',
    'js-yaml',
    'socks-proxy-agent',
    'electron-updater',
    'builder-util-runtime',
  ])
    expect(names).toContain(name);
  expect(names.filter((name: string) => name.startsWith('@types/'))).toEqual([]);
});

test('the same lock makes the same bill', () => {
  expect(JSON.stringify(sbomOf('.'))).toBe(JSON.stringify(made));
  expect(made.metadata.component).toMatchObject({ name: 'yardmaster', licenses: [{ license: { id: 'MIT' } }] });
});
