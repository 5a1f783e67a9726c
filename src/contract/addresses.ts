import { keysOf, tableOf } from './tables.ts';
import { ROUTES, type RouteName } from './routes.ts';

export type Address = readonly [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string];

/**
 * Method and path of each route: all that a caller needs of the table while it runs. Builds put the value in the place of
 * this file (scripts/lib/addresses.ts), so that consoles and commands load neither the schemas nor their library.
 */
export const ADDRESSES: Readonly<Record<RouteName, Address>> = tableOf(keysOf(ROUTES), (name) => [
  ROUTES[name].method,
  ROUTES[name].path,
]);

/** Routes for what is everybody's own, which take no role. */
export const SELF_ROUTES: readonly RouteName[] = keysOf(ROUTES).filter((name) => ROUTES[name].access === 'self');
