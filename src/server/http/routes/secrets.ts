import { DEFAULT_PROJECT } from '../../../contract/actions.ts';
import type { SecretScope } from '../../../contract/secrets.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import { changedScope, DEFAULT_SCOPE, environmentsOf, scopeOf } from '../../secrets/scope.ts';
import { route, type App } from '../core/route.ts';
import { ofProject } from './of-project.ts';

/** Secrets: set and deleted by those who manage them, their names listed, their values never read (docs/secrets.md). */
export function secretRoutes(app: App): void {
  const { secrets } = app.services;
  const { scope } = app;
  route(app, 'secrets.list', ({ query, identity }) => secrets.list(query, scope.holdings(identity, 'master.read')));
  route(app, 'secrets.set', ({ params, body, actor, identity }) => {
    const known = secrets.find(params.name);
    const sees = known === null || (scope.holdings(identity, 'master.read')?.(known) ?? true);
    const before = sees ? known : null;
    mayHold(identity, before, body.project, body.scope ? scopeOf(body.scope) : null);
    if (!sees) throw new Fault('SECRET_EXISTS', `the name ${params.name} is already used: choose another one`);
    return secrets.put(params.name, body, actor);
  });
  route(app, 'secrets.update', ({ params, body, actor, identity }) => {
    const before = secrets.find(params.name);
    const after = before && body.scope ? changedScope(before.scope, body.scope) : null;
    mayHold(identity, before, body.project, after);
    return secrets.update(params.name, body, actor);
  });
  route(app, 'secrets.delete', ({ params, actor }) => secrets.remove(params.name, actor));

  /** Whoever sets a secret manages it where it was, and where it is by then. `before` null: as one that is new. */
  function mayHold(
    who: Identity,
    before: ReturnType<typeof secrets.find>,
    wanted: string | undefined,
    change: SecretScope | null,
  ): void {
    const project = wanted ?? before?.project ?? DEFAULT_PROJECT;
    const after = change ?? before?.scope ?? DEFAULT_SCOPE;
    if (before) scope.project(who, 'secrets.manage', before.project, before.environments);
    scope.project(who, 'secrets.manage', project, environmentsOf(after));
    if (wanted !== undefined || change !== null)
      ofProject(app, who, project, after.workflows ?? [], '/scope/workflows');
  }
}
