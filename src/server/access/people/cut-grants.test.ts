import { expect, it } from 'vitest';
import type { Grant, PersonIdentity } from '../port.ts';
import { cutTo } from './cut-grants.ts';

const grant = (role: string, over: Partial<Grant> = {}): Grant => ({
  role,
  project: null,
  environments: null,
  ...over,
});
const person = (...grants: Grant[]): PersonIdentity => ({ actor: 'alice', role: 'operator', userId: 'u', grants });

it('gives a token of an admin role all that its person may do, also by custom roles', () => {
  const alice = person(grant('operator'), grant('auditor', { project: 'p' }));
  expect(cutTo(alice, 'admin')).toBe(alice);
});

it('cuts built-in roles to the role of the token, where they hold, and leaves custom ones out', () => {
  const alice = person(
    grant('operator'),
    grant('admin', { project: 'p' }),
    grant('viewer', { environments: ['dev'] }),
    grant('auditor'),
  );
  expect(cutTo(alice, 'viewer')).toMatchObject({
    role: 'viewer',
    grants: [grant('viewer'), grant('viewer', { project: 'p' }), grant('viewer', { environments: ['dev'] })],
  });
  expect(cutTo(alice, 'operator')).toMatchObject({
    role: 'operator',
    grants: [grant('operator'), grant('operator', { project: 'p' }), grant('viewer', { environments: ['dev'] })],
  });
});

it('raises nobody: without grants there is nothing to cut', () => {
  expect(cutTo({ ...person(), role: 'viewer' }, 'operator')).toMatchObject({ role: 'viewer', grants: [] });
});

it('makes the same list for the same grants, as long as they are', () => {
  const alice = person(grant('operator'));
  expect(cutTo(alice, 'viewer').grants).toBe(cutTo(alice, 'viewer').grants);
});
