import { expect, it } from 'vitest';
import { listWorkers, type WorkerQuery } from './list-workers.ts';
import { workerEntryFromRow, type WorkerRow } from './worker-entry.ts';

const row = (id: string, given: Partial<WorkerRow>): WorkerRow => ({
  ...{ id, url: '', version: '1.2.3', capacity: 1, labels: '{}', handlers: '[]', drained: 0, goodbye: 0 },
  ...{ created_at: 0, registered_at: 0, last_heartbeat_at: 0, token_id: null, environments: null, ended: null },
  ...given,
});
const workers = [
  row('a1', { url: 'http://crane-001.hamburg.example.com:9301', labels: '{"line":"1","pool":"crane"}' }),
  row('b2', { url: 'http://crane-002.hamburg.example.com:9301', labels: '{"line":"2","pool":"crane"}' }),
  row('c3', {
    url: 'http://printer-001.hamburg.example.com:9301',
    labels: '{"pool":"printer"}',
    handlers: '["Label"]',
  }),
].map((one) => workerEntryFromRow(one, 0));
const found = (query: Partial<WorkerQuery>) =>
  listWorkers(workers, { page: 0, size: 20, sort: 'id,asc', ...query }).items.map(({ id }) => id);

it('finds workers by words in ID, URL, version, labels and handlers, upper and lower case alike', () => {
  expect(found({ q: 'B2' })).toEqual(['b2']);
  expect(found({ q: 'crane-00' })).toEqual(['a1', 'b2']);
  expect(found({ q: 'pool=printer' })).toEqual(['c3']);
  expect(found({ q: 'label' })).toEqual(['c3']);
  expect(found({ q: '1.2.3' })).toEqual(['a1', 'b2', 'c3']);
});
it('wants every word, wherever each is, and takes no words for all', () => {
  expect(found({ q: '  line=2   hamburg ' })).toEqual(['b2']);
  expect(found({ q: 'crane printer' })).toEqual([]);
  expect(found({ q: '   ' })).toEqual(['a1', 'b2', 'c3']);
  expect(found({})).toEqual(['a1', 'b2', 'c3']);
});
it('counts and pages what was found', () => {
  expect(listWorkers(workers, { page: 1, size: 1, sort: 'id,asc', q: 'crane' })).toMatchObject({
    items: [{ id: 'b2' }],
    totalItems: 2,
    totalPages: 2,
  });
});
