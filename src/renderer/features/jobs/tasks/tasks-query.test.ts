import { expect, it } from 'vitest';
import { parseListQuery, printListQuery } from '../../../../lib/job-query/list-query.ts';
import { parseJobSearch } from '../job-view-search.ts';
import { TASK_LANGUAGE, taskFilters, tasksChange } from './tasks-query.ts';

it('takes a line to the address of the tab and back', () => {
  const line = 'state:failed node:charge replica:0 worker:4f1c code:TASK_ERROR timed out';
  const parsed = parseListQuery(line, TASK_LANGUAGE);
  const search = parsed.ok ? tasksChange(parsed.filters) : {};
  expect(search).toMatchObject({ state: ['FAILED'], replica: 0, error: 'timed out' });
  expect(printListQuery(taskFilters(parseJobSearch(search)), TASK_LANGUAGE)).toBe(line);
});

it('marks a replica that is no whole number, in place of not filtering by it', () => {
  for (const value of ['1.5', '-1', 'many'])
    expect(parseListQuery(`node:a replica:${value}`, TASK_LANGUAGE)).toMatchObject({
      ok: false,
      error: { from: 15, to: 15 + value.length, message: expect.stringContaining('whole number') },
    });
});
