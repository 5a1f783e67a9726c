import { expect, it } from 'vitest';
import { createRouteTable } from './route-table.ts';

const table = createRouteTable<string>(8);
for (const [method, path] of [
  ['GET', '/healthz'],
  ['GET', '/jobs'],
  ['POST', '/jobs'],
  ['GET', '/jobs/:id'],
  ['GET', '/jobs/export'],
  ['DELETE', '/jobs/:id'],
  ['GET', '/jobs/:id/tasks/:task'],
  ['GET', '/jobs/export/:format/raw'],
  ['GET', '/jobs/:jobId/nodes'],
] as const)
  table.add(method, path, `${method} ${path}`);

it.each([
  ['GET', '/healthz', 'GET /healthz', {}],
  ['POST', '/jobs', 'POST /jobs', {}],
  ['GET', '/jobs?size=1&sort=a/b', 'GET /jobs', {}],
  ['GET', '/jobs#top', 'GET /jobs', {}],
  ['GET', '/jobs/7', 'GET /jobs/:id', { id: '7' }],
  ['DELETE', '/jobs/7', 'DELETE /jobs/:id', { id: '7' }],
  ['GET', '/jobs/7/tasks/a', 'GET /jobs/:id/tasks/:task', { id: '7', task: 'a' }],
  ['GET', '/jobs/7/nodes', 'GET /jobs/:jobId/nodes', { jobId: '7' }],
  ['GET', 'http://yard:8700/jobs/7?x', 'GET /jobs/:id', { id: '7' }],
])('%s %s', (method, url, route, params) => {
  expect(table.find(method, url)).toEqual({ route, params });
});

it('takes a part that is written out before a parameter, and a parameter where only that leads on', () => {
  expect(table.find('GET', '/jobs/export')?.route).toBe('GET /jobs/export');
  expect(table.find('GET', '/jobs/export/csv/raw')?.params).toEqual({ format: 'csv' });
  expect(table.find('GET', '/jobs/export/tasks/a')?.params).toEqual({ id: 'export', task: 'a' });
  expect(table.find('DELETE', '/jobs/export')?.params).toEqual({ id: 'export' });
});

it('decodes each part by itself: an escaped slash separates nothing', () => {
  expect(table.find('GET', '/%6Aobs/a%2Fb')?.params).toEqual({ id: 'a/b' });
  expect(table.find('GET', '/jobs/%2525')?.params).toEqual({ id: '%25' });
  expect(table.find('GET', '/jobs/%C3%BC')?.params).toEqual({ id: 'ü' });
});

it.each([
  ['another method', 'PUT', '/jobs'],
  ['another case', 'GET', '/Jobs'],
  ['a slash too many', 'GET', '/jobs/7/'],
  ['no parameter', 'GET', '/jobs/'],
  ['an empty parameter', 'GET', '/jobs//nodes'],
  ['a part too many', 'GET', '/jobs/7/tasks/a/b'],
  ['a parameter that is too long', 'GET', '/jobs/123456789'],
  ['a parameter that is too long when decoded', 'GET', `/jobs/${'%41'.repeat(9)}`],
  ['an escape that means nothing', 'GET', '/jobs/%E0%A4%A'],
  ['a name of every object', 'GET', '/__proto__'],
  ['many parts', 'GET', '/'.repeat(30_000)],
])('finds nothing for %s', (_, method, url) => {
  expect(table.find(method, url)).toBeNull();
});
