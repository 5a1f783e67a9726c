import { ENVIRONMENT_ACTIONS, ROLE_ACTIONS, type Action } from '../../contract/actions.ts';
import { grantCovers } from '../../lib/grant-covers.ts';
import type { Grant, Policy } from './port.ts';

/**
 * Decides by grants. What has no grants (a program's token) has its role everywhere, and nothing is looked up. Allowing
 * is monotone: a further grant takes nothing away.
 */
export function createPolicy(actionsOf: (role: string) => ReadonlySet<Action> | null): Policy {
  /** Of each list of grants, the grants that allow an action. The lists are made anew when a grant or a role changes. */
  const known = new WeakMap<readonly Grant[], Map<Action, readonly Grant[]>>();

  function allowing(grants: readonly Grant[], action: Action): readonly Grant[] {
    let byAction = known.get(grants);
    if (!byAction) known.set(grants, (byAction = new Map()));
    let some = byAction.get(action);
    if (!some) byAction.set(action, (some = grants.filter(({ role }) => actionsOf(role)?.has(action) === true)));
    return some;
  }

  return {
    may({ role, grants }, action, place) {
      if (grants === null) return plainly(role, action);
      return allowing(grants, action).some((grant) => grantCovers(grant, action, place));
    },
    mayAnywhere: ({ role, grants }, action) =>
      grants === null ? plainly(role, action) : allowing(grants, action).length > 0,
    mayInSome({ role, grants }, action, { project, environments }) {
      if (grants === null) return plainly(role, action);
      return allowing(grants, action).some(
        (grant) =>
          (grant.project === null || grant.project === project) &&
          (grant.environments === null ||
            environments === null ||
            environments.some((one) => grant.environments?.includes(one))),
      );
    },
    projects({ role, grants }, action, environment) {
      if (grants === null) return plainly(role, action) ? null : NONE;
      const some = allowing(grants, action).filter(
        ({ environments }) =>
          environments === null ||
          !ENVIRONMENT_ACTIONS.has(action) ||
          (environment !== undefined && environments.includes(environment)),
      );
      return some.some(({ project }) => project === null)
        ? null
        : new Set(some.flatMap(({ project }) => (project === null ? [] : [project])));
    },
  };
}

const NONE: ReadonlySet<string> = new Set();
const plainly = (role: string, action: Action): boolean =>
  Object.hasOwn(ROLE_ACTIONS, role) && ROLE_ACTIONS[role as keyof typeof ROLE_ACTIONS].includes(action);
