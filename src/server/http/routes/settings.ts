import { isRecord } from '../../../lib/is-record.ts';
import { route, type App } from '../core/route.ts';

/** Settings that can be changed while the master runs (docs/retention-and-backup.md). */
export function settingRoutes(app: App): void {
  const { services } = app;
  route(app, 'settings.get', () => services.settings());
  route(app, 'settings.update', async ({ body, actor }) => {
    const { limits, ...others } = body;
    // `GET` shows the limits together, so they may come back together.
    await services.overrides.patch(isRecord(limits) ? { ...limits, ...others } : body, actor);
    return services.settings();
  });
}
