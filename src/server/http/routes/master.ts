import { openApiText } from './openapi.ts';
import { JsonText, ALREADY_SENT, route, type App } from '../core/route.ts';

const RECENT = 20;

/** The master itself: overview, health, its own description. */
export function masterRoutes(app: App): void {
  const { services, scope } = app;
  const { access, jobs, workers, workflows } = services;
  // Workers belong to no project.
  route(app, 'master.overview', async ({ identity }) => ({
    ...(await jobs.overview(scope.within(identity, 'jobs.read'))),
    ...(access.policy.may(identity, 'master.read', null) && { workers: workers.overview() }),
    publications: access.policy.mayAnywhere(identity, 'workflows.read')
      ? workflows.recentPublications(RECENT, scope.within(identity, 'workflows.read'))
      : [],
  }));
  let description: JsonText | undefined;
  route(app, 'master.openapi', () => (description ??= new JsonText(openApiText())));
  route(app, 'master.proof', ({ query }) => ({ proof: services.prove(query.nonce) }));
  route(app, 'master.healthz', () => ({ status: 'ok' }));
  route(app, 'master.readyz', ({ reply }) => {
    const reasons = services.notReady();
    if (reasons.length === 0) return { status: 'ready' };
    reply.code(503).header('retry-after', '1');
    return { status: 'not ready', reasons };
  });
  route(app, 'master.metrics', ({ reply }) => {
    void reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(services.prometheus());
    return ALREADY_SENT;
  });
}
