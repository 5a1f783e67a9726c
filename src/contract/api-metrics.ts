import { Type, type Static } from 'typebox';

/** Shapes of metrics (contract §9) beside `Metrics` of `api.ts`. */

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

export const MetricTagsSchema = Type.Object({ items: Type.Array(Type.String()) });
export type MetricTags = Static<typeof MetricTagsSchema>;

export const MetricTagValuesSchema = Type.Object({ items: Type.Array(Type.String()), truncated: Type.Boolean() });
export type MetricTagValues = Static<typeof MetricTagValuesSchema>;

export const METRIC_AGGREGATES = ['sum', 'mean', 'min', 'max', 'last', 'count', 'rate', 'p50', 'p95', 'p99'] as const;

const Time = Type.String({ format: 'date-time' });
/** Series of one field, for charts: `times` are window starts, Unix ms; windows without points are left out. */
export const MetricSeriesSchema = Type.Object({
  from: Time,
  to: Time,
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
});
export type MetricSeries = Static<typeof MetricSeriesSchema>;
