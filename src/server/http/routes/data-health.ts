import type { DataHealth } from '../../../contract/data-health.ts';
import { route, type App } from '../core/route.ts';

/** What of the data is damaged, and when all of it was last read. */
export function dataHealthRoutes(app: App): void {
  const { damage, dataChecks } = app.services;
  const health = (): DataHealth => {
    const damages = damage.list();
    return { sound: damages.length === 0, damages, unlisted: damage.unlisted, checks: dataChecks.list() };
  };
  route(app, 'data.health', health);
  route(app, 'data.check', ({ reply }) => {
    dataChecks.start();
    reply.code(202);
    return health();
  });
}
