import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { updateKey } from './update-key.mjs';

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-update-key-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('makes a key once, keeps it from other users, and says that it must be kept', () => {
  const said: string[] = [];
  const dist = join(folder, 'dist');
  const first = updateKey(dist, (line) => said.push(line), '');
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/Keep it/);
  expect(statSync(join(dist, 'update-key.pem')).mode & 0o777).toBe(0o600);
  expect(updateKey(dist, (line) => said.push(line), '')).toEqual(first);
  expect(said).toHaveLength(1);
  expect(first.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(readFileSync(join(dist, 'update-key.pem'), 'utf8')).not.toContain(first.publicKey);
});

it('refuses a file that is no key, is of another kind, or is missing', () => {
  const dist = mkdtempSync(join(tmpdir(), 'yardmaster-update-key-'));
  const file = join(dist, 'other.pem');
  writeFileSync(file, 'no key');
  expect(() => updateKey(dist, () => {}, file)).toThrow(/cannot be read/);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(() => updateKey(dist, () => {}, file)).toThrow(/wrong kind/);
  expect(() => updateKey(dist, () => {}, join(dist, 'none.pem'))).toThrow(/cannot be read/);
  rmSync(dist, { recursive: true, force: true });
});
