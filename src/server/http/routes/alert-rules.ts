import type { Action } from '../../../contract/actions.ts';
import type { AlertQuery } from '../../../contract/alert-rules.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import { route, type App } from '../core/route.ts';

/** Rules behind alerts (docs/alerts.md). Those of a project look at what its workflows write; others are about everything. */
export function alertRuleRoutes(app: App): void {
  const { access, alerts } = app.services;
  const { rules } = alerts;

  /** Throws FORBIDDEN, PROJECT_NOT_FOUND. */
  function mayIn(identity: Identity, action: Action, project: string | undefined): void {
    if (project === undefined) return app.scope.everywhere(identity, action);
    app.scope.project(identity, action, project);
    if (!access.projects.has(project))
      throw new Fault('PROJECT_NOT_FOUND', `project ${project.slice(0, 100)} not found`);
  }
  /** What a query finds is told by how many lines there are, and by the values that they are grouped by. */
  function mayAsk(identity: Identity, query: AlertQuery | undefined, project: string | undefined): void {
    if (query?.source === 'logs') mayIn(identity, 'logs.read', project);
  }

  route(app, 'alertRules.list', ({ query, identity }) => rules.list({ ...query, sees: rulesSeen(app, identity) }));
  route(app, 'alertRules.create', ({ body, identity, actor }) => {
    mayIn(identity, 'alerts.manage', body.project);
    mayAsk(identity, body.query, body.project);
    return rules.create(body, actor);
  });
  route(app, 'alertRules.preview', ({ body, identity }) => {
    // A signal of the master is about all projects, whichever the rule names.
    mayIn(identity, 'metrics.read', body.query.source === 'engine' ? undefined : body.project);
    mayAsk(identity, body.query, body.project);
    return rules.preview(body);
  });
  route(app, 'alertRules.get', ({ params }) => rules.get(params.id));
  route(app, 'alertRules.update', ({ params, body, identity, actor }) => {
    const before = rules.get(params.id);
    const project = body.project ?? before.project;
    if (project !== before.project) mayIn(identity, 'alerts.manage', project);
    if (body.query !== undefined || project !== before.project) mayAsk(identity, body.query ?? before.query, project);
    return rules.update(params.id, body, actor);
  });
  route(app, 'alertRules.delete', ({ params, actor }) => rules.remove(params.id, actor));
}

/** Which rules somebody sees, by their project (null: those about everything); undefined: all. */
export const rulesSeen = (
  { services: { access } }: Pick<App, 'services'>,
  identity: Identity,
): ((project: string | null) => boolean) | undefined =>
  identity.grants === null
    ? undefined
    : (project) =>
        access.policy.may(identity, 'metrics.read', project === null ? null : { project, environment: null });
