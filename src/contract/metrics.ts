import { type Static, Type } from 'typebox';
import { Count, Instant, Nullable, enumOf, get, tagged, Time, Closed } from './shapes.ts';
import { warnings } from './data-health.ts';
import { METRIC_AGGREGATES } from './vocabulary.ts';

/** Metrics: points, what there is, and series for charts. */

export const DataPointSchema = Type.Object({ timestamp: Time }, { additionalProperties: true });

export type DataPoint = { timestamp: string; tags?: Record<string, string> } & Record<string, unknown>;

export const MetricsSchema = Type.Object({
  from: Time,
  to: Time,
  interval: Nullable(Type.String()),
  filters: Type.Record(Type.String(), Type.String()),
  dataPoints: Type.Array(DataPointSchema),
  totalDataPoints: Count,
  metricNames: Type.Array(Type.String()),
  truncated: Type.Optional(Type.Boolean()),
  warnings,
});

export type Metrics = Omit<Static<typeof MetricsSchema>, 'dataPoints'> & { dataPoints: DataPoint[] };

export const MetricNamesSchema = Type.Object({
  items: Type.Array(
    Type.Object({
      measurement: Type.String(),
      fields: Type.Array(
        Type.Object({
          name: Type.String(),
          type: Type.Union([
            Type.Literal('float'),
            Type.Literal('int'),
            Type.Literal('uint'),
            Type.Literal('bool'),
            Type.Literal('string'),
          ]),
        }),
      ),
      /** Sets of tags, without `job_id` and `task_id`. */
      series: Type.Integer(),
    }),
  ),
});
export type MetricNames = Static<typeof MetricNamesSchema>;

export const MetricTagsSchema = Type.Object({ items: Type.Array(Type.String()), warnings });
export type MetricTags = Static<typeof MetricTagsSchema>;

export const MetricTagValuesSchema = Type.Object({
  items: Type.Array(Type.String()),
  truncated: Type.Boolean(),
  warnings,
});
export type MetricTagValues = Static<typeof MetricTagValuesSchema>;

/** Series of one field, for charts: `times` are window starts, Unix ms; windows without points are left out. */
export const MetricSeriesSchema = Type.Object({
  from: Instant,
  to: Instant,
  interval: Type.Union([Type.String(), Type.Null()]),
  series: Type.Array(
    Type.Object({
      tags: Type.Record(Type.String(), Type.String()),
      times: Type.Array(Type.Number()),
      values: Type.Array(Type.Number()),
    }),
  ),
  /** Series before `limit`. */
  total: Type.Integer(),
  warnings,
});
export type MetricSeries = Static<typeof MetricSeriesSchema>;

/** Whatever runs a query. */
const errors = [
  'QUERY_INVALID',
  'QUERY_CANCELLED',
  'METRICS_TIMEOUT',
  'METRICS_TOO_BROAD',
  'METRICS_UNAVAILABLE',
] as const;

export const metricRoutes = tagged('Metrics', {
  // Keys that are no parameter are tag filters.
  'metrics.query': get('/api/v1/metrics', 'viewer', 'Query metrics', {
    query: Type.Object(
      {
        from: Type.Optional(Instant),
        to: Type.Optional(Instant),
        interval: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(s|m|h|d)$' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1000 })),
        measurement: Type.Optional(Type.String()),
        field: Type.Optional(Type.String()),
      },
      { additionalProperties: Type.String() },
    ),
    errors,
    answers: { 200: MetricsSchema },
  }),
  'metrics.names': get('/api/v1/metrics/names', 'viewer', 'List measurements and their fields', {
    errors,
    answers: { 200: MetricNamesSchema },
  }),
  'metrics.tags': get('/api/v1/metrics/tags', 'viewer', 'List tags', {
    query: Closed({
      measurement: Type.Optional(Type.String()),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
    }),
    errors,
    answers: { 200: MetricTagsSchema },
  }),
  'metrics.tagValues': get(
    '/api/v1/metrics/tag-values',
    'viewer',
    'List values of a tag; of job_id and task_id within the time range',
    {
      query: Closed({
        tag: Type.String({ minLength: 1 }),
        measurement: Type.Optional(Type.String()),
        from: Type.Optional(Instant),
        to: Type.Optional(Instant),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 })),
      }),
      errors,
      answers: { 200: MetricTagValuesSchema },
    },
  ),
  'metrics.series': get(
    '/api/v1/metrics/series',
    'viewer',
    'Series of a field, for charts; other keys are tag filters',
    {
      query: Type.Object(
        {
          measurement: Type.String({ minLength: 1 }),
          field: Type.String({ minLength: 1 }),
          aggregate: Type.Optional(enumOf(METRIC_AGGREGATES)),
          groupBy: Type.Optional(Type.String({ description: 'Comma-separated tags to group by' })),
          from: Type.Optional(Instant),
          to: Type.Optional(Instant),
          interval: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(s|m|h|d)$' })),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 100 })),
        },
        { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) },
      ),
      errors,
      answers: { 200: MetricSeriesSchema },
    },
  ),
});
