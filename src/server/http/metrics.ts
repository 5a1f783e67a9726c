import { route, type App } from './route.ts';

/** Metrics (contract §9). Query keys that are no parameter are tag filters. */
export function metricRoutes(app: App): void {
  const { metrics } = app.services;
  route(app, 'getMetrics', ({ query }) => {
    const { from, to, interval, limit, measurement, field, ...filters } = query;
    return metrics.query({
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(interval === undefined ? {} : { interval }),
      ...(measurement === undefined ? {} : { measurement }),
      ...(field === undefined ? {} : { field }),
      limit: limit ?? 1000,
      filters: filters as Record<string, string>,
    });
  });
}
