import { expect, it } from 'vitest';
import { ERRORS } from './errors.ts';
import { ROUTES } from './routes.ts';
import { type Route, routeErrors } from './shapes.ts';

const routes = Object.entries<Route>(ROUTES);
/** Codes of no route: of a path or method that there is none for, of deliveries to webhooks, and of the metrics port. */
const OF_NO_ROUTE = [
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'SIGNATURE_INVALID',
  'REPLAYED',
  'BUCKET_NOT_FOUND',
  'BUCKET_EXISTS',
  'METRICS_FULL',
];

it('names each route by a noun and a verb, and no method and path twice', () => {
  for (const [name] of routes) expect(name).toMatch(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
  expect(new Set(routes.map(([, { method, path }]) => `${method} ${path}`)).size).toBe(routes.length);
});

it('has each code of the catalogue answered by a route, none named twice by one', () => {
  const named = new Set(routes.flatMap(([, route]) => routeErrors(route)));
  expect(Object.keys(ERRORS).filter((code) => !named.has(code as keyof typeof ERRORS))).toEqual(OF_NO_ROUTE);
  for (const [name, { errors }] of routes) expect(new Set(errors).size, name).toBe(errors.length);
});
