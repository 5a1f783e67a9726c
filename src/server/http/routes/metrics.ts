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
  route(app, 'metrics.series', async ({ query, identity }) => {
    const { measurement, field, aggregate, groupBy, from, to, interval, limit, ...filters } = query;
    return seriesView(
      await metrics.series(
        seriesQueryOf(
          { measurement, field, aggregate, groupBy, from, to, interval, limit },
          withinProjects(app.scope.within(identity, 'metrics.read'), filters as Record<string, string | string[]>),
          clock.now(),
        ),
      ),
      interval,
    );
  });
}

const WORKFLOW_TAG = 'workflow_id';

/** Tag filters of who may read the series of some workflows alone (null: all): what has no workflow is no project's. */
function withinProjects(
  within: readonly string[] | null,
  filters: Readonly<Record<string, string | readonly string[]>>,
): Readonly<Record<string, string | readonly string[]>> {
  if (within === null) return filters;
  const asked = filters[WORKFLOW_TAG];
  const wanted = asked === undefined ? null : new Set(typeof asked === 'string' ? [asked] : asked);
  return { ...filters, [WORKFLOW_TAG]: within.filter((id) => wanted === null || wanted.has(id)) };
}
