import { tagsWithin } from '../../../lib/tags-within.ts';
import type { Identity } from '../../access/port.ts';
import { rangeOf, seriesQueryOf, seriesView } from '../../metrics/queries/request.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';
import { createTurns } from '../core/turns.ts';

/** Queries of one caller at the same time; the panels of a dashboard ask for more, and each is soon done. */
const AT_ONCE = 4;

/** Metrics. Query keys that are no parameter are tag filters. Who may read those of some workflows alone gets no others. */
export function metricRoutes(app: App): void {
  const { metrics, clock, limits } = app.services;
  const turns = createTurns({ most: () => AT_ONCE, waiting: () => limits.metricsQueries, what: 'metric queries' });
  const within = (identity: Identity) => app.scope.within(identity, 'metrics.read');
  route(app, 'metrics.query', ({ query, identity, reply }) => {
    const { from, to, interval, limit, measurement, field, ...filters } = query;
    const asked = {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(interval === undefined ? {} : { interval }),
      ...(measurement === undefined ? {} : { measurement }),
      ...(field === undefined ? {} : { field }),
      limit: limit ?? 1000,
      filters: filters as Record<string, string>,
      within: within(identity),
    };
    return turns(identity, disconnectSignal(reply), () => metrics.query(asked));
  });
  route(app, 'metrics.names', ({ identity, reply }) =>
    turns(identity, disconnectSignal(reply), () => metrics.names(within(identity))),
  );
  route(app, 'metrics.tags', ({ query, identity, reply }) => {
    const asked = { measurement: query.measurement ?? null, ...rangeOf(query, clock.now()), within: within(identity) };
    return turns(identity, disconnectSignal(reply), () => metrics.tags(asked));
  });
  route(app, 'metrics.tagValues', ({ query, identity, reply }) => {
    const asked = {
      measurement: query.measurement ?? null,
      tag: query.tag,
      limit: query.limit ?? 1000,
      within: within(identity),
      ...rangeOf(query, clock.now()),
    };
    return turns(identity, disconnectSignal(reply), () => metrics.tagValues(asked));
  });
  route(app, 'metrics.series', async ({ query, identity, reply }) => {
    const { measurement, field, aggregate, groupBy, from, to, interval, limit, ...tags } = query;
    const asked = seriesQueryOf(
      { measurement, field, aggregate, groupBy, from, to, interval, limit },
      tags as Record<string, string | string[]>,
      clock.now(),
    );
    const filters = tagsWithin(within(identity), asked.filters);
    const found = await turns(identity, disconnectSignal(reply), () => metrics.series({ ...asked, filters }));
    return seriesView(found, interval);
  });
}
