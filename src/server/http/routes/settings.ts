import { route, type App } from '../core/route.ts';

/** Settings that can be changed while the master runs (docs/retention-and-backup.md). */
export function settingRoutes(app: App): void {
  const { services } = app;
  route(app, 'settings.get', () => services.settings());
  route(app, 'settings.update', async ({ body, actor }) => {
    const { limits, ...others } = body;
    // `GET` shows the limits together, so they may come back together.
    const grouped =
      typeof limits === 'object' && limits !== null && !Array.isArray(limits)
        ? (limits as Record<string, unknown>)
        : null;
    await services.overrides.patch(grouped ? { ...grouped, ...others } : body, actor);
    return services.settings();
  });
}
