import { ENVIRONMENT_ACTIONS, type Action } from '../contract/actions.ts';
import type { Environment } from '../contract/vocabulary.ts';

/** Where something lies; `environment` null: it has none, as a draft run. */
export interface Place {
  readonly project: string;
  readonly environment: Environment | null;
}

/** Where a grant holds; null: in all. */
export interface Reach {
  readonly project: string | null;
  readonly environments: readonly Environment[] | null;
}

/** True where a grant, whose role has the action, holds there. `place` null: what belongs to no project. */
export function grantCovers({ project, environments }: Reach, action: Action, place: Place | null): boolean {
  if (place === null) return project === null && environments === null;
  return (
    (project === null || project === place.project) &&
    (environments === null ||
      !ENVIRONMENT_ACTIONS.has(action) ||
      (place.environment !== null && environments.includes(place.environment)))
  );
}
