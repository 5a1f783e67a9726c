import { tagsWithin } from '../../../lib/tags-within.ts';
import type { Identity } from '../../access/port.ts';
import { rangeOf, seriesQueryOf, seriesView } from '../../metrics/queries/request.ts';
import { route, type App } from '../core/route.ts';

/** Metrics. Query keys that are no parameter are tag filters. Who may read those of some workflows alone gets no others. */
export function metricRoutes(app: App): void {
  const { metrics, clock } = app.services;
  const within = (identity: Identity) => app.scope.within(identity, 'metrics.read');
  route(app, 'metrics.query', ({ query, identity }) => {
    const { from, to, interval, limit, measurement, field, ...filters } = query;
    return metrics.query({
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(interval === undefined ? {} : { interval }),
      ...(measurement === undefined ? {} : { measurement }),
      ...(field === undefined ? {} : { field }),
      limit: limit ?? 1000,
      filters: filters as Record<string, string>,
      within: within(identity),
    });
  });
  route(app, 'metrics.names', ({ identity }) => metrics.names(within(identity)));
  route(app, 'metrics.tags', ({ query, identity }) =>
    metrics.tags({
      measurement: query.measurement ?? null,
      ...rangeOf(query, clock.now()),
      within: within(identity),
    }),
  );
  route(app, 'metrics.tagValues', ({ query, identity }) =>
    metrics.tagValues({
      measurement: query.measurement ?? null,
      tag: query.tag,
      limit: query.limit ?? 1000,
      within: within(identity),
      ...rangeOf(query, clock.now()),
    }),
  );
  route(app, 'metrics.series', async ({ query, identity }) => {
    const { measurement, field, aggregate, groupBy, from, to, interval, limit, ...filters } = query;
    const asked = seriesQueryOf(
      { measurement, field, aggregate, groupBy, from, to, interval, limit },
      filters as Record<string, string | string[]>,
      clock.now(),
    );
    return seriesView(
      await metrics.series({ ...asked, filters: tagsWithin(within(identity), asked.filters) }),
      interval,
    );
  });
}
