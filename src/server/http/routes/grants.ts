import type { AccessGrant } from '../../../contract/projects.ts';
import { paginate } from '../../../lib/page.ts';
import { adminAlone } from './admin-alone.ts';
import type { StoredGrant } from '../../access/port.ts';
import { route, type App } from '../core/route.ts';

/** Who has which role where. */
export function grantRoutes(app: App): void {
  const { grants, users } = app.services.access;
  const named = (grant: StoredGrant): AccessGrant => ({
    ...grant,
    subjectName: grant.subjectKind === 'user' ? users.loginOf(grant.subject) : null,
  });
  route(app, 'grants.list', ({ query: { subjectKind, subject, role, project, ...query } }) =>
    paginate(
      grants
        .list()
        .filter(
          (grant) =>
            (subjectKind ?? grant.subjectKind) === grant.subjectKind &&
            (subject ?? grant.subject) === grant.subject &&
            (role ?? grant.role) === grant.role &&
            (project === undefined || grant.project === null || grant.project === project),
        ),
      query,
      named,
    ),
  );
  route(app, 'grants.create', async ({ body, actor, identity }) => {
    adminAlone(identity, 'gives roles');
    return named(await grants.create(body, actor));
  });
  route(app, 'grants.delete', ({ params, actor, identity }) => {
    if (grants.list().some(({ id, role }) => id === params.id && role === 'admin'))
      adminAlone(identity, 'takes the role of an administrator back');
    return grants.remove(params.id, actor);
  });
}
