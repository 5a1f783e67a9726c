import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ensureAccess, keptKeys } from './cluster-keys.mjs';

const folder = mkdtempSync(join(tmpdir(), 'yardmaster-cluster-keys-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A cluster as far as keys and tokens go. */
function cluster() {
  const all: Record<string, { id: string; revokedAt: string | null }[]> = { keys: [], tokens: [] };
  return {
    all,
    async call(path: string, body?: object) {
      const kind = /^\/api\/v1\/(keys|tokens)/.exec(path)?.[1] ?? '';
      if (!body) return { items: all[kind] };
      const made = { id: `${kind}-${Math.random()}`, revokedAt: null };
      all[kind]?.push(made);
      return { ...made, key: `key of ${made.id}`, token: `token of ${made.id}` };
    },
  };
}

it('makes keys and ports once, and keeps them from other users', async () => {
  const first = await keptKeys(folder, 2, {});
  const second = await keptKeys(folder, 3, {});
  expect(second.adminToken).toBe(first.adminToken);
  expect(second.secretsKey).toBe(first.secretsKey);
  expect(Buffer.from(first.secretsKey, 'base64').length).toBe(32);
  expect(second.keys.ports.slice(0, 2)).toEqual(first.keys.ports);
  expect(second.keys.ports.length).toBe(3);
  expect(statSync(join(folder, 'cluster.json')).mode & 0o777).toBe(0o600);
});

it('does not keep what the environment brings', async () => {
  const env = { YARDMASTER_SECRETS_KEY: 'mine', YARDMASTER_ADMIN_TOKEN: 'also mine' };
  expect(await keptKeys(folder, 1, env)).toMatchObject({ secretsKey: 'mine', adminToken: 'also mine' });
  expect(readFileSync(join(folder, 'cluster.json'), 'utf8')).not.toContain('mine');
});

it('makes an API key and a console token once, and anew where the cluster does not know them any more', async () => {
  const one = cluster();
  const first = await ensureAccess(await keptKeys(folder, 1, {}), one.call);
  expect(await ensureAccess(await keptKeys(folder, 1, {}), one.call)).toEqual(first);
  expect(one.all['keys']?.length).toBe(1);

  one.all['keys']![0]!.revokedAt = new Date().toISOString();
  const second = await ensureAccess(await keptKeys(folder, 1, {}), one.call);
  expect(second.apiKey).not.toBe(first.apiKey);
  expect(second.consoleToken).toBe(first.consoleToken);

  const third = await ensureAccess(await keptKeys(folder, 1, {}), cluster().call);
  expect(third.apiKey).not.toBe(second.apiKey);
  expect(third.consoleToken).not.toBe(second.consoleToken);
});
