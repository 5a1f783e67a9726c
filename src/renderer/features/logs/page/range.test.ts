import { expect, it } from 'vitest';
import { logsView } from './range.ts';
import { parseLogsSearch } from '../logs-search.ts';

const NOW = Date.UTC(2026, 0, 2);

it('looks at the last hour where the URL says nothing', () => {
  expect(logsView(parseLogsSearch({}), NOW)).toEqual({
    filters: {
      query: undefined,
      job_id: undefined,
      task_id: undefined,
      worker_id: undefined,
      source: undefined,
      level: undefined,
      from: '2026-01-01T23:00:00.000Z',
    },
    from: NOW - 3_600_000,
    to: null,
  });
});
it('lets chosen times win over a range, and following over an end', () => {
  const search = parseLogsSearch({ range: '7d', from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z', job: 'j' });
  expect(logsView(search, NOW).filters).toMatchObject({
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-01T01:00:00.000Z',
    job_id: 'j',
  });
  expect(logsView({ ...search, live: 'on' }, NOW).to).toBeNull();
});
it('has no bound for all', () => {
  expect(logsView(parseLogsSearch({ range: 'all' }), NOW)).toMatchObject({ from: null, to: null });
});
