import { expect, it } from 'vitest';
import { ROLE_ACTIONS } from '../../../../contract/actions.ts';
import { allowedIn } from './role-reach.ts';

const { admin, publisher } = ROLE_ACTIONS;

it('allows everything where a role is given everywhere', () => {
  expect(allowedIn(admin, { project: null, environments: null })).toEqual(admin);
});

it('leaves out what belongs to no project where a role is given for one', () => {
  const held = allowedIn(admin, { project: 'shop', environments: null });
  expect(held).toEqual(expect.arrayContaining(['publish.prod', 'payload.unmasked', 'secrets.manage']));
  for (const action of ['settings.manage', 'people.manage', 'workers.operate', 'audit.read'])
    expect(held).not.toContain(action);
});

it('publishes only to the environments of the grant', () => {
  const held = (environments: ('dev' | 'prod')[]) => allowedIn(publisher, { project: 'shop', environments });
  expect(held(['dev'])).not.toContain('publish.prod');
  expect(held(['dev'])).toContain('workflows.publish');
  expect(held(['prod'])).toContain('publish.prod');
  expect(held(['prod'])).not.toContain('workflows.publish');
});
