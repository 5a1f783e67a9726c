import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUTES } from '../../contract/routes.ts';
import type { Route } from '../../contract/shapes.ts';
import { isReadOnlyRequest } from './read-only.ts';

const none = () => '';
const filled = (path: string) => path.replaceAll(/:\w+/g, 'x-1');

test('whatever reads passes', () => {
  for (const method of ['GET', 'HEAD']) expect(isReadOnlyRequest(method, '/api/v1/jobs', none)).toBe(true);
  expect(isReadOnlyRequest('POST', '/api/v1/workflows/orders/check', none)).toBe(true);
  expect(isReadOnlyRequest('POST', '/api/v1/alerts/preview', none)).toBe(true);
});

test('of all routes that are no GET, only those pass that keep nothing', () => {
  const passing = Object.entries<Route>(ROUTES)
    .filter(([, { method, path }]) => method !== 'GET' && isReadOnlyRequest(method, filled(path), none))
    .map(([name]) => name);
  expect(passing.toSorted()).toEqual(['workflows.check', 'alertRules.preview', 'channels.previewTemplate'].toSorted());
});

test('a bulk operation passes where it only counts, and says so in one way only', () => {
  const bulk = (body: string) => isReadOnlyRequest('POST', '/api/v1/jobs/bulk/kill', () => body);
  expect(bulk('{"ids":["a"],"dryRun":true}')).toBe(true);
  expect(bulk('{"ids":["a"]}')).toBe(false);
  expect(bulk('{"ids":["a"],"dryRun":"true"}')).toBe(false);
  expect(bulk('{"dryRun":false,"ids":["a"],"dryRun":true}')).toBe(false);
  expect(bulk('not json')).toBe(false);
  expect(bulk('null')).toBe(false);
});

test('no other method and no address that looks alike passes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'get', 'TRACE'),
      fc
        .array(
          fc.constantFrom(
            'api',
            'v1',
            'jobs',
            'bulk',
            'kill',
            'retry',
            'rerun',
            'workflows',
            'check',
            'events',
            '..',
            '%2e',
            'x',
          ),
        )
        .map((parts) => `/${parts.join('/')}`),
      (method, path) => {
        if (!path.endsWith('/check'))
          expect(isReadOnlyRequest(method, path, () => '{"dryRun":true}')).toBe(
            method === 'POST' && /^\/api\/v1\/jobs\/bulk\/(kill|retry|rerun)$/.test(path),
          );
      },
    ),
  );
  expect(isReadOnlyRequest('POST', '/api/v1/workflows/a/b/check', none)).toBe(false);
  expect(isReadOnlyRequest('POST', '/api/v1/workflows/a%2Fcommits/check', none)).toBe(false);
});
