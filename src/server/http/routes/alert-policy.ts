import { route, type App } from '../core/route.ts';

/** The policy that groups alerts and routes them to channels (docs/alerts.md). */
export function alertPolicyRoutes(app: App): void {
  const { policy } = app.services.alerts;
  route(app, 'alertPolicy.get', () => policy.get());
  route(app, 'alertPolicy.replace', ({ body, actor }) => policy.put(body, actor));
}
