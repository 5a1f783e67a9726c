import { describe, expect, it } from 'vitest';
import type { PanelQuery } from '../../../../contract/dashboards.ts';
import {
  seriesCsv,
  seriesLines,
  logsQuery,
  present,
  reduceLine,
  shortLabel,
  seriesParams,
  thresholdTone,
  total,
  isWholeNumbers,
} from './panel-data.ts';
import { parseDuration, rangeEnds, stepForLength } from './range.ts';

const query = (more: object = {}): Extract<PanelQuery, { source: 'metrics' }> => ({
  source: 'metrics',
  measurement: 'm',
  field: 'f',
  aggregate: 'sum',
  ...more,
});
const answer = (
  series: { tags: Record<string, string>; times: number[]; values: number[] }[],
  total = series.length,
) => ({ from: '', to: '', interval: '60s', series, total });

describe('what a panel asks for', () => {
  it('has what is chosen for its variables, and no filter where all is', () => {
    const filters = { worker_id: ['$worker'], environment: ['prod'], node: ['$node', 'other'] };
    expect(
      seriesParams(query({ filters, groupBy: ['a', 'b'] }), { kind: 'timeseries' }, { worker: ['w1', 'w2'] }, 30),
    ).toEqual({
      measurement: 'm',
      field: 'f',
      aggregate: 'sum',
      groupBy: 'a,b',
      interval: '30s',
      limit: 50,
      filters: { worker_id: ['w1', 'w2'], environment: ['prod'] },
    });
    expect(seriesParams(query({ filters }), { kind: 'bar' }, { node: ['x'] }, 30)).toMatchObject({
      interval: null,
      filters: { environment: ['prod'], node: ['x', 'other'] },
    });
  });
  it('is quoted in LogsQL', () => {
    expect(logsQuery('worker_id:$worker level:error', { worker: ['a"b', 'c'] })).toBe(
      'worker_id:in("a\\"b","c") level:error',
    );
    expect(logsQuery('worker_id:$worker', {})).toBe('worker_id:*');
  });
});

describe('what is drawn', () => {
  it('puts several answers on one axis of time', () => {
    const lines = seriesLines(
      [query({ legend: '{{w}} held' }), query({ aggregate: 'max' })],
      [
        answer(
          [
            { tags: { w: 'a' }, times: [1000, 3000], values: [1, 3] },
            { tags: { w: '' }, times: [2000], values: [2] },
          ],
          5,
        ),
        answer([{ tags: {}, times: [3000], values: [9] }]),
      ],
    );
    expect(lines).toEqual({
      times: [1, 2, 3],
      lines: [
        { label: 'a held', tags: { w: 'a' }, values: [1, null, 3] },
        { label: '(none) held', tags: { w: '' }, values: [null, 2, null] },
        { label: 'f max', tags: {}, values: [null, null, 9] },
      ],
      more: 3,
    });
    expect(seriesCsv(lines)).toBe(
      'time,a held,(none) held,f max\r\n1970-01-01T00:00:01.000Z,1,,\r\n1970-01-01T00:00:02.000Z,,2,\r\n1970-01-01T00:00:03.000Z,3,,9\r\n',
    );
  });
  it('leaves out the window that is not over yet, unless it is the only one', () => {
    const line = (values: number[]) => ({ label: '', tags: {}, values });
    expect(isWholeNumbers({ times: [0, 10, 20], lines: [line([1, 2, 3])] }, 10, 25)).toEqual({
      times: [0, 10],
      lines: [line([1, 2])],
    });
    expect(isWholeNumbers({ times: [0, 10, 20], lines: [line([1, 2, 3])] }, 10, 30).times).toEqual([0, 10, 20]);
    expect(isWholeNumbers({ times: [20], lines: [line([3])] }, 10, 25).times).toEqual([20]);
  });
  it('writes no formula into CSV', () =>
    expect(seriesCsv({ times: [], lines: [{ label: '=1+1', tags: {}, values: [] }], more: 0 })).toBe(
      'time,"\'=1+1"\r\n',
    ));
  it('reduces a line, and several lines to one number', () => {
    const values = [null, 2, 4, null];
    expect((['last', 'mean', 'min', 'max', 'sum'] as const).map((reducer) => reduceLine(values, reducer))).toEqual([
      4, 3, 2, 4, 6,
    ]);
    expect(reduceLine([null], 'sum')).toBeNull();
    const lines = [
      { label: 'a', tags: {}, values },
      { label: 'b', tags: {}, values: [1, 1, 1, 1] },
    ];
    expect([
      total(lines, 'sum', true),
      total(lines, 'sum', false),
      total(lines, 'max', true),
      total([], 'sum', true),
    ]).toEqual([10, 5, 4, null]);
  });
  it('has the tone of the highest threshold that it reached', () => {
    const thresholds = [
      { from: 10, tone: 'danger' as const },
      { from: 1, tone: 'warning' as const },
    ];
    expect([0, 1, 9, 10, null].map((value) => thresholdTone(value, thresholds))).toEqual([
      null,
      'warning',
      'warning',
      'danger',
      null,
    ]);
  });
});

describe('the time that is shown', () => {
  it('ends on a whole window', () =>
    expect(rangeEnds({ last: 60_000 }, 10_000, 1_000_001)).toEqual({ from: 950_000, to: 1_010_000 }));
  it.each([
    [900_000, 5],
    [3_600_000, 30],
    [86_400_000, 600],
    [2_592_000_000, 21_600],
    [1e13, 55_641_600],
  ])('of %d ms has windows of %d s', (length, step) => expect(stepForLength(length)).toBe(step));
  it.each([
    ['90s', 90_000],
    ['2h', 7_200_000],
    ['0m', null],
    ['h', null],
  ])('%s is %s ms', (text, ms) => expect(parseDuration(text)).toBe(ms));
});

it('shows ids by their end', () =>
  expect(shortLabel('worker 01a1fe12-e0d3-7529-a1cc-dd6c4aaaaaaa · up')).toBe('worker …dd6c4aaaaaaa · up'));

describe('a stat', () => {
  const query = { source: 'metrics', measurement: 'm', field: 'f', aggregate: 'p95' } as const;
  it('of a quantile asks for the whole time, else for windows', () =>
    expect([
      seriesParams(query, { kind: 'stat' }, {}, 30).interval,
      seriesParams(query, { kind: 'stat', reducer: 'last' }, {}, 30).interval,
      seriesParams({ ...query, aggregate: 'last' }, { kind: 'stat' }, {}, 30).interval,
    ]).toEqual([null, '30s', '30s']));
  it('of all workers leaves out those that are gone', () => {
    const line = (label: string, values: (number | null)[]) => ({ label, tags: {}, values });
    expect(
      present(
        {
          times: [0, 30, 60, 90, 120],
          lines: [line('gone', [8, 8, null, null, null]), line('here', [8, 8, 8, 8, null])],
        },
        150,
        30,
      ).map(({ label }) => label),
    ).toEqual(['here']);
  });
});
