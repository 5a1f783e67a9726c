import { route, type App } from '../core/route.ts';

/** The audit log. */
export function auditRoutes(app: App): void {
  const { access } = app.services;
  route(app, 'audit.list', ({ query }) => access.audit.list(query));
  route(app, 'audit.verify', () => access.audit.verify());
}
