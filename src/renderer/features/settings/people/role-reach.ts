import { type Action, publishAction } from '../../../../contract/actions.ts';
import { ROUTES, type RouteName } from '../../../../contract/routes.ts';
import { scopeOf } from '../../../../contract/route-scopes.ts';
import type { Environment } from '../../../../contract/vocabulary.ts';

const scopes = (Object.keys(ROUTES) as RouteName[]).map(scopeOf).filter((scope) => scope !== null);
const local = new Set(scopes.filter((scope) => scope.in !== 'all').map(({ action }) => action));
/** Actions that do nothing within one project: all that they allow belongs to none. */
const GENERAL: ReadonlySet<Action> = new Set(scopes.map(({ action }) => action).filter((action) => !local.has(action)));

/** What a role with these actions allows where it is given. */
export function allowedIn(
  actions: readonly Action[],
  { project, environments }: { readonly project: string | null; readonly environments: readonly Environment[] | null },
): Action[] {
  const isLimited = project !== null || environments !== null;
  const publishes = environments?.map(publishAction);
  return actions.filter(
    (action) =>
      !(isLimited && GENERAL.has(action)) &&
      !((action === 'workflows.publish' || action === 'publish.prod') && publishes?.includes(action) === false),
  );
}
