import { expect, it } from 'vitest';
import { ACTIONS, FAR_REACHING, ROLE_ACTIONS } from '../../contract/actions.ts';
import { ACTION_GROUPS, FAR_REACHING_WORDS } from './action-words.ts';
import { may, reaches, type Rights, rolesText, whyNoArchive, whyNot, whyNotAdministrator } from './permissions.ts';

const token = (role: Rights['role']): Rights => ({ role, grants: null, held: null });
const operatorOfShop: Rights = {
  role: 'viewer',
  grants: [{ role: 'operator', actions: [...ROLE_ACTIONS.operator], project: 'shop', environments: ['dev'] }],
  held: null,
};
const shop = (environment: 'dev' | 'prod' | null) => ({ project: 'shop', environment });

it('archives for admins only', () => {
  expect(whyNoArchive(token('admin'), null)).toBeNull();
  expect(whyNoArchive(token('operator'), null)).toBe('Archiving requires the role admin; yours is operator.');
  expect(whyNoArchive(token(null), null)).toContain('not known yet');
});

it('holds back what changes something, and tells of the role first', () => {
  const offline = { ...token('operator'), held: 'offline' } as const;
  expect(whyNot(offline, 'jobs.operate', null)).toContain('not responding');
  expect(whyNot(offline, 'keys.manage', null)).toBe('Requires the role admin');
});

it('weighs grants by project and environment, and says which right is lacking where', () => {
  expect(may(operatorOfShop, 'jobs.operate', shop('dev'))).toBe(true);
  expect(may(operatorOfShop, 'jobs.operate', 'anywhere')).toBe(true);
  expect(whyNot(operatorOfShop, 'jobs.operate', shop('prod'))).toBe(
    'Your roles in project shop do not allow “Start, kill, retry and rerun jobs” in prod. Ask an administrator.',
  );
  expect(whyNot(operatorOfShop, 'workflows.archive', shop(null))).toContain('Archive workflows');
  expect(whyNot(operatorOfShop, 'jobs.operate', null)).toContain('in all projects and environments');
  expect(whyNot(operatorOfShop, 'keys.manage', 'anywhere')).toContain('No role of yours');
});

it('reaches pages by the table that the master decides by', () => {
  expect([reaches(operatorOfShop, 'jobs.list'), reaches(operatorOfShop, 'workers.list')]).toEqual([true, false]);
  expect([reaches(token('viewer'), 'workers.list'), reaches(token('viewer'), 'roles.list')]).toEqual([true, true]);
  expect(reaches(token(null), 'jobs.list')).toBe(true);
});

it('has a place for every action in the groups, once', () => {
  expect(ACTION_GROUPS.flatMap(({ actions }) => actions).sort()).toEqual([...ACTIONS].sort());
});

it('calls somebody by their roles', () => {
  const grants = operatorOfShop.grants ?? [];
  expect(rolesText({ role: 'admin' })).toBe('admin');
  expect(rolesText({ role: 'viewer', grants: [...grants] })).toBe('operator (shop, dev)');
  expect(rolesText({ role: 'viewer', grants: [] })).toBe('no role');
});

it('keeps to administrators of all projects what the master keeps to them', () => {
  expect(whyNotAdministrator(token('admin'))).toBeNull();
  expect(whyNotAdministrator(token('operator'))).toContain('administrator');
  const adminOf = (project: string | null): Rights => ({
    role: 'viewer',
    grants: [{ role: 'admin', actions: [...ROLE_ACTIONS.admin], project, environments: null }],
    held: null,
  });
  expect(whyNotAdministrator(adminOf(null))).toBeNull();
  expect(whyNotAdministrator(adminOf('shop'))).toContain('administrator');
});

it('has words for all that reaches far', () => {
  expect(Object.keys(FAR_REACHING_WORDS)).toEqual(expect.arrayContaining(Object.keys(FAR_REACHING)));
});
