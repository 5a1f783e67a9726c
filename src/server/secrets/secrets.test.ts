import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../contract/limits.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Store } from '../store/port.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Actor } from '../workflows/port.ts';
import { createSecrets } from './secrets.ts';
import { temporaryFolder } from '../../lib/temporary-folder.fixture.ts';

const admin: Actor = { name: 'admin', role: 'admin', address: null };
let folder: string;
let store: Store;
let said: string[];
let noted: unknown[];
beforeEach(() => {
  folder = temporaryFolder('ym-secrets');
  store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  said = [];
  noted = [];
});
afterEach(() => store.close());

const keyFile = () => join(folder, 'secrets.key');
const open = (givenKeys: string | null = null) =>
  createSecrets({
    store,
    clock: systemClock,
    limits: LIMITS,
    record: (_db, _actor, entry) => void noted.push(entry),
    keyFile: keyFile(),
    givenKeys,
    log: (line) => void said.push(line),
  });
const names = async () =>
  (await (await open()).list({ page: 0, size: 20 })).items.map(({ name, readable }) => [name, readable]);

describe('a secret', () => {
  it('is given to leases, after a restart too, and to nobody else', async () => {
    await (await open()).put('API_TOKEN', { value: 'hunter-22', description: 'of the shop' }, admin);
    const again = await open();
    expect(again.lease(['API_TOKEN', 'OTHER'])).toEqual({
      API_TOKEN: { value: 'hunter-22' },
      OTHER: { missing: expect.stringContaining('secret OTHER not found') },
    });
    expect(JSON.stringify(await again.list({ page: 0, size: 20 }))).not.toContain('hunter');
    expect(again.redactor.text('token hunter-22')).toBe('token [secret API_TOKEN]');
  });

  it('lies encrypted, under a key that only its owner reads', async () => {
    await (await open()).put('API_TOKEN', { value: 'hunter-22' }, admin);
    await store.close();
    expect(readFileSync(join(folder, 'yardmaster.db')).includes('hunter')).toBe(false);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    store = openSqlite({ file: join(folder, 'yardmaster.db'), durability: 'normal' });
  });

  it('is audited without its value', async () => {
    const secrets = await open();
    await secrets.put('A', { value: 'hunter-22' }, admin);
    await secrets.put('A', { value: 'hunter-23' }, admin);
    await secrets.remove('A', admin);
    expect(noted.map((entry) => (entry as { action: string }).action)).toEqual([
      'secret.create',
      'secret.change',
      'secret.delete',
    ]);
    expect(JSON.stringify(noted)).not.toContain('hunter');
    await expect(secrets.remove('A', admin)).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' });
    expect(secrets.redactor.text('hunter-23')).toBe('hunter-23');
  });

  it('cannot be read under another name', async () => {
    const secrets = await open();
    await secrets.put('A', { value: 'hunter-22' }, admin);
    await store.write((db) => db.statement(`UPDATE secret SET name = 'B'`).run());
    expect((await open()).lease(['B'])).toEqual({ B: { missing: expect.stringContaining('cannot be decrypted') } });
  });
});

describe('the key', () => {
  it('that is gone locks the secrets, says so, and does not keep the master from starting', async () => {
    await (await open()).put('A', { value: 'hunter-22' }, admin);
    rmSync(keyFile());
    const secrets = await open();
    expect(said.join()).toMatch(/1 of 1 secrets cannot be decrypted: encryption key [0-9a-f]{16} is missing/);
    expect(secrets.lease(['A'])).toEqual({
      A: { missing: expect.stringContaining('does not have its encryption key') },
    });
    await secrets.put('B', { value: 'another' }, admin);
    expect(await names()).toEqual([
      ['A', false],
      ['B', true],
    ]);
  });

  it('that is none is told, and nothing can be set', async () => {
    writeFileSync(keyFile(), 'short\n');
    const secrets = await open();
    expect(secrets.keyProblem).toContain('each key must have 32 bytes');
    await expect(secrets.put('A', { value: 'x' }, admin)).rejects.toMatchObject({ code: 'SECRETS_LOCKED' });
  });

  it('is replaced by a new one before the old: all secrets come under the new', async () => {
    const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
    await (await open(old)).put('A', { value: 'hunter-22' }, admin);
    await open(`${fresh},${old}`);
    expect((await open(fresh)).lease(['A'])).toEqual({ A: { value: 'hunter-22' } });
    expect((await open(old)).keyProblem).toContain('1 of 1 secrets cannot be decrypted');
  });
});
