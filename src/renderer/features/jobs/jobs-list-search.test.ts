import { expect, it } from 'vitest';
import { filtersOfLine, lineOf, NO_FILTERS, parseJobsSearch, restTerms } from './jobs-list-search.ts';

it('says all filters of the page in one line, and the line again in filters', () => {
  const search = parseJobsSearch({
    status: ['FAILED', 'TIMEOUT'],
    workflow: 'orders',
    environment: 'prod',
    q: '019a',
    label: ['team=pay', 'region'],
    input: ['customer.country=DE'],
    text: 'refused card',
    created: '1h',
    trigger: ['event'],
    query: 'duration:>5s -workflow:x',
    sort: 'durationMs,desc',
  });
  const line = lineOf(search);
  expect(line).toBe(
    'status:failed,timeout workflow:orders id:019a environment:prod trigger:event label.team:pay label.region:* ' +
      'input.customer.country:DE text:"refused card" age:<=1h duration:>5s -workflow:x',
  );
  const { sort: _sort, ...filters } = search;
  expect(filtersOfLine(line)).toEqual({ ...NO_FILTERS, ...filters });
});

it('opens a link that says all of it as a query with the fields that show it', () => {
  expect(parseJobsSearch({ query: 'status:failed age:<1h input.country:DE duration:>5s' })).toEqual({
    status: ['FAILED'],
    created: '1h',
    input: ['country=DE'],
    query: 'duration:>5s',
  });
  expect(parseJobsSearch({ query: 'status:failed' })).toEqual({ status: ['FAILED'] });
  // Both hold: what a field says already stays there, the other stays a query.
  expect(parseJobsSearch({ workflow: 'a', query: 'workflow:b' })).toEqual({ workflow: 'a', query: 'workflow:b' });
  expect(parseJobsSearch({ query: 'age:<2h externalId:x' })).toEqual({ query: 'externalId:x age:<=2h' });
});

it('keeps a broken query of a link as it is, so that it is marked', () => {
  const search = parseJobsSearch({ workflow: 'a', query: 'status:broken' });
  expect(search).toEqual({ workflow: 'a', query: 'status:broken' });
  expect(lineOf(search)).toBe('workflow:a status:broken');
  expect([filtersOfLine('status:broken'), restTerms(search)]).toEqual([null, []]);
});

it('takes one column alone, as an address repeats the name of a list for each', () => {
  expect(parseJobsSearch({ hide: 'commit', order: 'labels' })).toMatchObject({ hide: ['commit'] });
  expect(parseJobsSearch({ order: 'labels' }).order?.[0]).toBe('labels');
  expect(parseJobsSearch({ hide: [] })).toEqual({ hide: [] });
});
