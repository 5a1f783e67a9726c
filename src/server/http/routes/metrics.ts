import { rangeOf, seriesQueryOf, seriesView } from '../../metrics/queries/request.ts';
import { route, type App } from '../core/route.ts';

/** Metrics. Query keys that are no parameter are tag filters. */
export function metricRoutes(app: App): void {
  const { metrics, clock } = app.services;
  route(app, 'metrics.query', ({ query }) => {
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
  route(app, 'metrics.names', () => metrics.names());
  route(app, 'metrics.tags', ({ query }) =>
    metrics.tags({ measurement: query.measurement ?? null, ...rangeOf(query, clock.now()) }),
  );
  route(app, 'metrics.tagValues', ({ query }) =>
    metrics.tagValues({
      measurement: query.measurement ?? null,
      tag: query.tag,
      limit: query.limit ?? 1000,
      ...rangeOf(query, clock.now()),
    }),
  );
  route(app, 'metrics.series', async ({ query }) => {
    const { measurement, field, aggregate, groupBy, from, to, interval, limit, ...filters } = query;
    return seriesView(
      await metrics.series(
        seriesQueryOf(
          { measurement, field, aggregate, groupBy, from, to, interval, limit },
          filters as Record<string, string | string[]>,
          clock.now(),
        ),
      ),
      interval,
    );
  });
}
