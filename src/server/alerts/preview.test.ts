import { expect, it } from 'vitest';
import { previewRule } from './preview.ts';
import type { AlertSources } from './sources.ts';

const STEP = 15_000;

/** Two runs in each quarter of a minute, of which every fourth fails; and a workflow that runs once in five minutes. */
const sources = {
  series: async ({
    aggregate,
    from,
    to,
    intervalMs,
  }: {
    aggregate: string;
    from: number;
    to: number;
    intervalMs: number;
  }) => {
    const times = Array.from({ length: (to - from) / intervalMs }, (_, i) => from + i * intervalMs);
    const rare = times.filter((at) => at % 300_000 === 0);
    return {
      from,
      to,
      intervalMs,
      total: 2,
      series: [
        {
          tags: { workflow_id: 'orders', environment: 'prod' },
          times,
          values: times.map((at) => (aggregate === 'count' ? 2 : (at / STEP) % 2)),
        },
        { tags: { workflow_id: 'rare', environment: 'prod' }, times: rare, values: rare.map(() => 1) },
      ],
    };
  },
} as unknown as AlertSources;

it('shows the failure rate as the rule finds it: over its whole range, of those that ran often enough in that', async () => {
  const now = Date.UTC(2026, 0, 1);
  const body = {
    query: { source: 'engine', signal: 'failureRate' },
    threshold: { op: 'gt', value: 0.2 },
    rangeSeconds: 300,
    intervalSeconds: STEP / 1000,
    forSeconds: 60,
  } as const;
  const { series, totalSeries, firing, times } = await previewRule(sources, body, now, new AbortController().signal);
  expect(series).toMatchObject([{ labels: { workflow_id: 'orders', environment: 'prod' }, firings: 1 }]);
  // Forty runs in five minutes, ten of them failed.
  expect(series[0]?.values.at(-1)).toBeCloseTo(0.25, 5);
  expect(series[0]?.values.every((value) => value !== null)).toBe(true);
  expect(totalSeries).toBe(1);
  expect(firing).toBeGreaterThan(times.length - 10);
});
