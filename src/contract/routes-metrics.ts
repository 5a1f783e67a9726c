import { Type } from 'typebox';
import {
  METRIC_AGGREGATES,
  MetricNamesSchema,
  MetricSeriesSchema,
  MetricTagsSchema,
  MetricTagValuesSchema,
} from './api-metrics.ts';
import { oneOf } from './shapes.ts';

const strict = { additionalProperties: false } as const;
const Instant = Type.String({ format: 'date-time' });

/** Metrics beside `GET /api/v1/metrics`: what there is, and series for charts. */
export const METRIC_ROUTES = {
  metricNames: {
    method: 'GET',
    path: '/api/v1/metrics/names',
    access: 'viewer',
    tag: 'Metrics',
    summary: 'Measurements and their fields',
    answers: { 200: MetricNamesSchema },
  },
  metricTags: {
    method: 'GET',
    path: '/api/v1/metrics/tags',
    access: 'viewer',
    tag: 'Metrics',
    summary: 'Names of tags',
    query: Type.Object(
      { measurement: Type.Optional(Type.String()), from: Type.Optional(Instant), to: Type.Optional(Instant) },
      strict,
    ),
    answers: { 200: MetricTagsSchema },
  },
  metricTagValues: {
    method: 'GET',
    path: '/api/v1/metrics/tag-values',
    access: 'viewer',
    tag: 'Metrics',
    summary: 'Values of a tag; of job_id and task_id those in the time',
    query: Type.Object(
      {
        tag: Type.String({ minLength: 1 }),
        measurement: Type.Optional(Type.String()),
        from: Type.Optional(Instant),
        to: Type.Optional(Instant),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1000 })),
      },
      strict,
    ),
    answers: { 200: MetricTagValuesSchema },
  },
  metricSeries: {
    method: 'GET',
    path: '/api/v1/metrics/series',
    access: 'viewer',
    tag: 'Metrics',
    summary: 'Series of one field, for charts; keys that are no parameter are tag filters',
    query: Type.Object(
      {
        measurement: Type.String({ minLength: 1 }),
        field: Type.String({ minLength: 1 }),
        aggregate: Type.Optional(oneOf(METRIC_AGGREGATES)),
        groupBy: Type.Optional(
          Type.String({ description: 'Tags with commas between: series that agree in these are one' }),
        ),
        from: Type.Optional(Instant),
        to: Type.Optional(Instant),
        interval: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,8}(s|m|h|d)$' })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 100 })),
      },
      { additionalProperties: Type.Union([Type.String(), Type.Array(Type.String())]) },
    ),
    answers: { 200: MetricSeriesSchema },
  },
} as const;
