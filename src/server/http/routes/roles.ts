import { FAR_REACHING } from '../../../contract/actions.ts';
import type { AccessRole } from '../../../contract/projects.ts';
import { paginate } from '../../../lib/page.ts';
import { adminAlone } from './admin-alone.ts';
import { route, type App } from '../core/route.ts';

/** Built-in and custom roles. */
export function roleRoutes(app: App): void {
  const { grants, roles } = app.services.access;
  const counted = (role: Omit<AccessRole, 'grants' | 'warnings'>): AccessRole => ({
    ...role,
    warnings: role.builtIn
      ? []
      : role.actions.flatMap((action) => (FAR_REACHING[action] ? [`${action}: ${FAR_REACHING[action]}`] : [])),
    grants: grants.list().filter((grant) => grant.role === role.id).length,
  });
  route(app, 'roles.list', ({ query }) => paginate(roles.list(), query, counted));
  route(app, 'roles.set', async ({ params, body, actor, identity }) => {
    adminAlone(identity, 'says what roles allow');
    return counted(await roles.set(params.id, body, actor));
  });
  route(app, 'roles.delete', ({ params, actor }) => roles.remove(params.id, actor));
}
