import { expect, it } from 'vitest';
import { roleEverywhere } from './role-everywhere.ts';

it('only grants of all projects and environments make a role everywhere', () => {
  const all = { project: null, environments: null };
  const role = (...grants: Parameters<typeof roleEverywhere>[0]['grants'] & object) =>
    roleEverywhere({ role: 'admin', grants });
  expect(roleEverywhere({ role: 'operator', grants: null })).toBe('operator');
  expect([
    role(),
    role({ role: 'admin', project: 'p', environments: null }),
    role({ role: 'admin', project: null, environments: ['dev'] }),
    role({ role: 'custom', ...all }),
    role({ role: 'viewer', ...all }, { role: 'operator', ...all }),
  ]).toEqual([null, null, null, null, 'operator']);
});

it('a worker’s token is that of a worker, whoever made it', () => {
  const everywhere = { role: 'admin', project: null, environments: null };
  expect(roleEverywhere({ role: 'worker', grants: [everywhere] })).toBe('worker');
});
