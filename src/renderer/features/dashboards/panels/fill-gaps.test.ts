import { describe, expect, it } from 'vitest';
import type { PanelQuery } from '../../../../contract/dashboards.ts';
import { counts, fillGaps, typicalGap } from './fill-gaps.ts';

const metric = (field: string, aggregate: Extract<PanelQuery, { source: 'metrics' }>['aggregate']): PanelQuery => ({
  source: 'metrics',
  measurement: 'm',
  field,
  aggregate,
});

it('knows what counts: a window without a value had nothing to count', () => {
  expect(
    [
      metric('timer_total_ms', 'count'),
      metric('counter_error_count', 'sum'),
      metric('counter_error_count', 'rate'),
      { ...metric('gauge_tasks_failed', 'sum'), measurement: 'job_metrics' } as PanelQuery,
      { source: 'logs', query: '*' } as PanelQuery,
    ].map(counts),
  ).toEqual([true, true, true, true, true]);
  expect(
    [
      metric('gauge_queue_depth', 'sum'),
      metric('timer_total_ms', 'p95'),
      metric('counter_error_count', 'mean'),
      undefined,
    ].map(counts),
  ).toEqual([false, false, false, false]);
});

describe('windows in which nothing was counted', () => {
  const line = (...values: (number | null)[]) => ({ label: 'a', tags: {}, values });
  it('are there from the beginning of the time to its end, in line with the others', () => {
    expect(fillGaps({ times: [30, 60], lines: [line(4, null)] }, [5, 100], 10, 1000)).toEqual({
      times: [10, 20, 30, 40, 50, 60, 70, 80, 90],
      lines: [line(0, 0, 4, 0, 0, 0, 0, 0, 0)],
    });
  });
  it('are not told before all of them can have come', () => {
    expect(fillGaps({ times: [30], lines: [line(4)] }, [0, 100], 10, 65).times).toEqual([0, 10, 20, 30]);
    expect(fillGaps({ times: [30, 60], lines: [line(4, 1)] }, [0, 100], 10, 65).times).toEqual([0, 10, 20, 30, 60]);
  });
  it('make nothing of no line at all', () =>
    expect(fillGaps({ times: [], lines: [] }, [0, 100], 10, 1000).times).toEqual([]));
});

it('breaks a line of gauges only where more than one of them is missing', () =>
  expect([5, 30, 600].map(typicalGap)).toEqual([30, 75, 1500]));
