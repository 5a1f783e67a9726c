import { expect, it } from 'vitest';
import { remoteLogsOf } from './remote-logs.ts';

it('is off without --logs, and then takes no part of it', () => {
  expect(remoteLogsOf({}, {})).toBeNull();
  expect(() => remoteLogsOf({ logsTenant: '1:2' }, {})).toThrow(/--logs-tenant needs --logs/);
});

it('takes the parts of a cluster, and a tenant', () => {
  expect(
    remoteLogsOf({ logs: 'http://select:9471', logsInsert: 'http://insert:9481/', logsTenant: '12:0' }, {}),
  ).toEqual({
    url: 'http://select:9471',
    insertUrl: 'http://insert:9481',
    tenant: '12:0',
    credentials: null,
    caFile: null,
  });
  for (const logsTenant of ['12', 'a:b', '1:4294967296', '-1:0'])
    expect(() => remoteLogsOf({ logs: 'http://h', logsTenant }, {})).toThrow(/two numbers from 0 to 4294967295/);
});
