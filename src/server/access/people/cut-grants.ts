import { PERSON_ROLES, type PersonRole } from '../../../contract/users.ts';
import type { Role } from '../../../contract/vocabulary.ts';
import type { Grant, PersonIdentity } from '../port.ts';

const rankOf = (role: string): number => PERSON_ROLES.indexOf(role as PersonRole);
const isBuiltIn = (role: string): role is PersonRole => rankOf(role) >= 0;

const lowerRole = (a: PersonRole, b: PersonRole): PersonRole => (rankOf(a) <= rankOf(b) ? a : b);

/** What was worked out of a list of grants is kept with that list: it is the same until one changes. */
const cuts = new WeakMap<readonly Grant[], Map<PersonRole, readonly Grant[]>>();

/**
 * What a token of that role may do in the hands of that person. With the role admin: all that they may. With a lower one:
 * what their built-in roles have of it, and nothing of custom roles, of which nobody knows whether they are lower. One
 * of a worker opens the worker link and nothing else.
 */
export function cutTo(person: PersonIdentity, role: Role): PersonIdentity {
  if (role === 'worker') return { ...person, role };
  if (!isBuiltIn(role) || role === 'admin' || person.grants === null) return person;
  let known = cuts.get(person.grants);
  if (!known) cuts.set(person.grants, (known = new Map()));
  let grants = known.get(role);
  if (!grants) {
    grants = person.grants.flatMap((grant) =>
      isBuiltIn(grant.role) ? [{ ...grant, role: lowerRole(grant.role, role) }] : [],
    );
    known.set(role, grants);
  }
  return { ...person, role: isBuiltIn(person.role) ? lowerRole(person.role, role) : person.role, grants };
}
