import { expect, it } from 'vitest';
import type { Rights } from '../../stores/permissions.ts';
import { createEntries } from './create-entries.ts';

const labels = (rights: Rights, alone = false) => createEntries(rights, alone).map(({ label }) => label);

it('offers an administrator all that can be made, each once, and nothing for others where one works alone', () => {
  const admin: Rights = { role: 'admin', grants: null, held: null };
  const all = labels(admin);
  expect(all).toEqual([...new Set(all)]);
  expect(all).toEqual(expect.arrayContaining(['New rule', 'New schedule', 'New account']));
  expect(labels(admin, true)).toContain('New token');
  expect(labels(admin, true)).not.toContain('New account');
});

it('offers nobody what he may not make, nor anything that cannot be made now', () => {
  expect(labels({ role: 'viewer', grants: null, held: null })).toEqual([]);
  expect(labels({ role: 'operator', grants: null, held: null })).toContain('New silence');
  expect(labels({ role: 'operator', grants: null, held: null })).not.toContain('New channel');
  expect(labels({ role: 'admin', grants: null, held: 'offline' })).toEqual([]);
});
