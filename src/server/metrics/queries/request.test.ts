import { expect, it } from 'vitest';
import { rangeOf, seriesQueryOf, seriesView } from './request.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

it('asks for means of the last hour by default', () => {
  expect(seriesQueryOf({ measurement: 'm', field: 'f' }, {}, NOW)).toEqual({
    measurement: 'm',
    field: 'f',
    aggregate: 'mean',
    groupBy: [],
    filters: {},
    from: NOW + 1 - 3_600_000,
    to: NOW + 1,
    intervalMs: null,
    limit: 100,
  });
});

it('takes tags with commas between, windows, and filters that may have any of several values', () => {
  expect(
    seriesQueryOf(
      {
        measurement: 'm',
        field: 'f',
        aggregate: 'p95',
        groupBy: ' node,node , workflow_id,',
        interval: '5m',
        from: '2026-01-01T10:00:00Z',
        to: '2026-01-01T11:00:00Z',
        limit: 3,
      },
      { environment: 'dev', job_id: ['a', 'b'] },
      NOW,
    ),
  ).toEqual({
    measurement: 'm',
    field: 'f',
    aggregate: 'p95',
    groupBy: ['node', 'workflow_id'],
    filters: { environment: ['dev'], job_id: ['a', 'b'] },
    from: NOW - 7_200_000,
    to: NOW - 3_600_000,
    intervalMs: 300_000,
    limit: 3,
  });
});

it('refuses a range that ends before it begins', () => {
  expect(() => rangeOf({ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, NOW)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/from', message: 'is after to' }] }),
  );
});

it('answers with ISO times for the range and Unix times for the points', () => {
  expect(
    seriesView(
      {
        from: NOW,
        to: NOW + 1000,
        intervalMs: 1000,
        series: [{ tags: { a: 'b' }, times: [NOW], values: [1] }],
        total: 1,
      },
      '1s',
    ),
  ).toEqual({
    from: '2026-01-01T12:00:00.000Z',
    to: '2026-01-01T12:00:01.000Z',
    interval: '1s',
    series: [{ tags: { a: 'b' }, times: [NOW], values: [1] }],
    total: 1,
  });
});
