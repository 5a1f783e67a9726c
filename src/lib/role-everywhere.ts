import type { Environment, Role } from '../contract/vocabulary.ts';

const RANK: Readonly<Record<string, number>> = { viewer: 0, operator: 1, admin: 2 };

interface Rights {
  readonly role: Role;
  readonly grants:
    | readonly {
        readonly role: string;
        readonly project: string | null;
        readonly environments: readonly Environment[] | null;
      }[]
    | null;
}

/**
 * The role that somebody has in all projects and environments: what decides where data of projects cannot be told apart,
 * as at ports 9428 and 8086. Null: none.
 */
export function roleEverywhere({ role, grants }: Rights): Role | null {
  // A worker's token opens the worker link, whoever's it is.
  if (grants === null || role === 'worker') return role;
  let best: Role | null = null;
  for (const grant of grants)
    if (grant.project === null && grant.environments === null && isBuiltIn(grant.role))
      if (best === null || rank(grant.role) > rank(best)) best = grant.role;
  return best;
}

const isBuiltIn = (role: string): role is Exclude<Role, 'worker'> => Object.hasOwn(RANK, role);
const rank = (role: string): number => RANK[role] ?? -1;
