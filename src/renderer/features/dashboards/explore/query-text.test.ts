import { expect, it } from 'vitest';
import { queryCommands } from './query-text.ts';

it('gives the question as commands', () =>
  expect(
    queryCommands(
      {
        source: 'metrics',
        measurement: 'task_metrics',
        field: 'timer_run_ms',
        aggregate: 'p95',
        groupBy: ['node'],
        filters: { workflow_id: ["it's", 'b'] },
      },
      30,
      0,
      60_000,
      'http://m',
    ),
  ).toEqual({
    cli: `yardmaster metrics series task_metrics timer_run_ms --aggregate p95 --group-by node --interval 30s --from 1970-01-01T00:00:00.000Z --to 1970-01-01T00:01:00.000Z --filter 'workflow_id=it'\\''s' --filter workflow_id=b`,
    curl: `curl -H "authorization: Bearer $YARDMASTER_TOKEN" 'http://m/api/v1/metrics/series?measurement=task_metrics&field=timer_run_ms&aggregate=p95&groupBy=node&interval=30s&limit=50&workflow_id=it%27s&workflow_id=b&from=1970-01-01T00%3A00%3A00.000Z&to=1970-01-01T00%3A01%3A00.000Z'`,
  }));
