import { DEFAULT_PROJECT } from '../../../contract/actions.ts';
import { route, type App } from '../core/route.ts';
import { mayCall } from './may-call.ts';
import { ofProject } from './of-project.ts';

/** API keys, with which programs call workflows. */
export function keyRoutes(app: App): void {
  const { access } = app.services;
  const { scope } = app;
  route(app, 'keys.list', ({ query, identity }) => access.keys.list(query, scope.holdings(identity, 'master.read')));
  route(app, 'keys.create', ({ body, actor, identity }) => {
    const { project = DEFAULT_PROJECT, workflows, environments } = body;
    scope.project(identity, 'keys.manage', project, environments);
    mayCall(app, identity, project, environments);
    ofProject(app, identity, project, workflows, '/workflows');
    return access.keys.create(body, actor);
  });
  route(app, 'keys.update', ({ params, body, actor, identity }) => {
    const { project } = body;
    if (project !== undefined) {
      const { environments, workflows } = access.keys.holding(params.id);
      scope.project(identity, 'keys.manage', project, environments);
      mayCall(app, identity, project, environments);
      ofProject(app, identity, project, workflows, '/workflows');
    }
    return access.keys.update(params.id, body, actor);
  });
  route(app, 'keys.revoke', ({ params, actor }) => access.keys.revoke(params.id, actor));
  route(app, 'keys.rotate', ({ params, body, actor, identity }) => {
    const { project, environments } = access.keys.holding(params.id);
    mayCall(app, identity, project, environments);
    return access.keys.rotate(params.id, body.overlapSeconds ?? 0, actor);
  });
}
