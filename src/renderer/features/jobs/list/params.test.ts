import { expect, it } from 'vitest';
import { isFiltered, listParams } from './params.ts';
import { parseJobsSearch } from '../jobs-list-search.ts';

it('asks for the newest where the URL says nothing', () => {
  expect(listParams(parseJobsSearch({}), 0)).toMatchObject({ sort: 'createdAt,desc', createdFrom: undefined });
  expect(isFiltered(parseJobsSearch({ row: 3, hide: [] }))).toBe(false);
});
it('counts a relative range from now, which wins over set times', () => {
  const search = parseJobsSearch({ created: '1h', from: '2020-01-01', status: 'FAILED', q: 7 });
  expect(listParams(search, 100)).toMatchObject({
    createdFrom: '1970-01-01T00:40:00.000Z',
    createdTo: undefined,
    displayStatus: ['FAILED'],
    q: '7',
  });
  expect(isFiltered(search)).toBe(true);
});
it('leaves out of a broken link what is bad', () => {
  expect(
    parseJobsSearch({
      status: ['FAILED', 'NOPE'],
      environment: 'moon',
      from: 'yesterday',
      sort: 'id;drop',
      row: -1,
      hide: 'x',
      order: ['moon'],
    }),
  ).toEqual({ status: ['FAILED'] });
});
it('takes columns in an order of their own, those that it does not name behind them', () => {
  const { hide, order } = parseJobsSearch({ hide: ['kind', 'x'], order: ['created', 'created', 'workflow'] });
  expect(hide).toEqual(['kind']);
  expect(order?.slice(0, 3)).toEqual(['created', 'workflow', 'externalId']);
  expect(new Set(order).size).toBe(order?.length);
});
