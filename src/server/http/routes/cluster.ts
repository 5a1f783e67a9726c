import type { Actor } from '../../workflows/port.ts';
import { route, type App } from '../core/route.ts';

/** The masters that share the state, and its handover from one to another. */
export function clusterRoutes(app: App): void {
  const { access, cluster } = app.services;
  const note = (actor: Actor, action: 'cluster.rebuildProjection' | 'cluster.dropProjection') =>
    access.audit.note(actor, { action, target: 'cluster', before: null, after: null });
  route(app, 'cluster.get', () => cluster.get());
  route(app, 'cluster.handover', async ({ body, actor }) => {
    const to = await cluster.chooseStandby(body.to ?? null);
    await access.audit.note(actor, { action: 'cluster.handover', target: `master:${to}`, before: null, after: null });
    cluster.handOver(to);
    return { to };
  });
  route(app, 'cluster.rebuildProjection', async ({ actor }) => {
    await cluster.rebuildProjection();
    await note(actor, 'cluster.rebuildProjection');
  });
  route(app, 'cluster.dropProjection', async ({ actor }) => {
    await cluster.dropProjection();
    await note(actor, 'cluster.dropProjection');
  });
}
