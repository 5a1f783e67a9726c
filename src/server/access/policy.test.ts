import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACTIONS, BUILT_IN_ROLES, ROLE_ACTIONS, type Action } from '../../contract/actions.ts';
import { ENVIRONMENTS } from '../../contract/vocabulary.ts';
import { createPolicy } from './policy.ts';
import type { Grant, Place, Who } from './port.ts';

const CUSTOM = new Map<string, ReadonlySet<Action>>([['support', new Set(['jobs.read', 'payload.read'])]]);
const policy = createPolicy(
  (role) => CUSTOM.get(role) ?? new Set(ROLE_ACTIONS[role as keyof typeof ROLE_ACTIONS] ?? []),
);
const who = (grants: readonly Grant[] | null, role: Who['role'] = 'viewer'): Who => ({ role, grants });

const grant: fc.Arbitrary<Grant> = fc.record({
  role: fc.constantFrom(...BUILT_IN_ROLES, 'support', 'gone'),
  project: fc.constantFrom('a', 'b', null),
  environments: fc.oneof(fc.constant(null), fc.subarray([...ENVIRONMENTS], { minLength: 1 })),
});
const place: fc.Arbitrary<Place | null> = fc.oneof(
  fc.constant(null),
  fc.record({ project: fc.constantFrom('a', 'b', 'c'), environment: fc.constantFrom(...ENVIRONMENTS, null) }),
);
const action = fc.constantFrom(...ACTIONS);

it('more grants never allow less', () => {
  fc.assert(
    fc.property(fc.array(grant, { maxLength: 4 }), grant, action, place, (grants, more, what, where) => {
      if (policy.may(who(grants), what, where)) expect(policy.may(who([more, ...grants]), what, where)).toBe(true);
      const [before, after] = [policy.projects(who(grants), what), policy.projects(who([...grants, more]), what)];
      if (after !== null) for (const project of before ?? ['none']) expect(after.has(project)).toBe(true);
    }),
  );
});

it('no grant allows nothing, nor does one of a role that is gone or of another project', () => {
  fc.assert(
    fc.property(action, place, (what, where) => {
      expect(policy.may(who([]), what, where)).toBe(false);
      expect(policy.may(who([{ role: 'gone', project: null, environments: null }]), what, where)).toBe(false);
      expect(policy.may(who([{ role: 'admin', project: 'other', environments: null }]), what, where)).toBe(false);
    }),
  );
});

it('what may be done in a place may be entered, and lists hold only places where it may be done', () => {
  fc.assert(
    fc.property(fc.array(grant, { maxLength: 4 }), action, place, (grants, what, where) => {
      if (policy.may(who(grants), what, where)) expect(policy.mayAnywhere(who(grants), what)).toBe(true);
      const projects = policy.projects(who(grants), what);
      for (const environment of [...ENVIRONMENTS, null])
        for (const project of projects ?? ['a', 'b', 'c'])
          expect(policy.may(who(grants), what, { project, environment })).toBe(true);
    }),
  );
});

it('a plain role is the same in every place', () => {
  for (const role of ['viewer', 'operator', 'admin'] as const)
    for (const what of ACTIONS) {
      const allowed = ROLE_ACTIONS[role].includes(what);
      expect(policy.may(who(null, role), what, null)).toBe(allowed);
      expect(policy.may(who(null, role), what, { project: 'a', environment: null })).toBe(allowed);
      expect(policy.mayAnywhere(who(null, role), what)).toBe(allowed);
    }
  expect(policy.mayAnywhere(who(null, 'worker'), 'jobs.read')).toBe(false);
});
